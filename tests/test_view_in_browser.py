"""The page in a real Chromium with the network off."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from kg.model import Assertion, EntityType, KnowledgeGraph, Node, Paper, Role
from kg.view import write_html
from tests.browser import Opened, chromium, opened
from tests.drawings import made_up, with_texts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

HOSTILE = (
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "\"><svg onload='window.pwned=1'>",
    "<!--<script>window.pwned=1",
    "javascript:window.pwned=1",
    "{{ 7*7 }}{% raw %}${window.pwned=1}",
    "'];window.pwned=1;//",
    "line\u2028separator\u2029",
    "lone \ud800 surrogate",
    "nul \x00 byte",
    "<a href=https://example.org>x</a>&lt;b&gt;&#x3c;",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def quiet(seen: Opened) -> None:
    """No error or warning on the console, and no request but for files on disk."""
    assert seen.complaints == []
    assert seen.outside() == []


def find(seen: Opened, text: str) -> None:
    """Choose the first hit of a search, by keyboard."""
    seen.page.locator("#search").fill(text)
    seen.page.locator("#hits li").first.wait_for()
    seen.page.keyboard.press("Enter")
    seen.page.locator("#panel h2").wait_for()
    seen.page.wait_for_timeout(100)


def tick(seen: Opened, value: str) -> None:
    seen.page.locator(f"#legend input[value={value}]").click()


def names(seen: Opened) -> set[str]:
    result: list[str] = seen.page.evaluate("kgView.shown().map(kgView.name)")
    return set(result)


@pytest.fixture
def small(browser: Browser, tmp_path: Path, graph: KnowledgeGraph) -> Iterator[Opened]:
    write_html(graph, tmp_path / "graph.html")
    with opened(browser, tmp_path / "graph.html") as seen:
        yield seen
        quiet(seen)


def test_all_nodes_are_drawn_with_legible_labels(small: Opened) -> None:
    assert len(small.view("shown()")) == 8
    assert len(small.view("edgesShown()")) == 5 + 3
    assert len(small.view("labelled()")) == 8
    assert small.page.inner_text("#status") == "Showing 8 of 8 nodes"
    assert small.page.title() == "Knowledge graph of 2 papers"


def test_the_legend_filters_by_type(small: Opened) -> None:
    assert small.page.locator("#types input").count() == 4
    tick(small, "Hardware")
    assert "H100" not in names(small)
    assert len(small.view("shown()")) == 7
    tick(small, "Hardware")
    assert "H100" in names(small)


def test_the_legend_filters_by_role_and_hides_what_nothing_joins(small: Opened) -> None:
    tick(small, "runsOn")
    assert "H100" not in names(small)
    assert "FlashAttention-2" in names(small)
    tick(small, "evaluatesOn")
    assert "CIFAR-10" in names(small), "it is still joined to its family"
    tick(small, "isVersionOf")
    assert names(small) == {"FlashAttention-3", "FlashAttention-2", "A probe of FlashAttention-3"}
    small.page.click("#reset")
    assert len(small.view("shown()")) == 8


def test_the_legend_is_reached_by_keyboard(small: Opened) -> None:
    small.page.locator("#legend input").first.focus()
    small.page.keyboard.press("Space")
    assert "A probe of FlashAttention-3" not in names(small)


def hover(seen: Opened, name: str, *, paper: bool = False) -> str:
    """Point at a node and return what its tooltip says. Papers are numbered before things."""
    spot: dict[str, float] = seen.page.evaluate(
        "([name, first]) => kgView.spot(kgView.shown().filter((id) => kgView.name(id) === name).at(first ? 0 : -1))",
        [name, paper],
    )
    box = seen.page.locator("#graph").bounding_box()
    assert box is not None
    x, y = box["x"] + spot["x"], box["y"] + spot["y"]
    seen.page.mouse.move(x + 90, y + 90)
    seen.page.mouse.move(x + 1, y + 1)
    seen.page.locator("#tip").wait_for()
    return seen.page.inner_text("#tip")


def test_hover_says_name_type_roles_and_aliases(small: Opened) -> None:
    assert hover(small, "FlashAttention-3").splitlines() == [
        "FlashAttention-3",
        "Method",
        "proposed by 1, used by 1",
        "also FA3",
    ]


def test_hover_on_a_paper_says_venue_year_and_roles(small: Opened) -> None:
    text = hover(small, "FlashAttention-3", paper=True)
    assert text.splitlines() == [
        "FlashAttention-3",
        "Paper · NeurIPS · 2024",
        "proposes 1, compares with 1, runs on 1",
    ]


def test_search_finds_aliases_and_opens_the_evidence(small: Opened) -> None:
    find(small, "fa 3")
    panel = small.page.locator("#panel")
    assert panel.locator("h2").inner_text() == "FlashAttention-3"
    assert panel.locator("h3").all_inner_texts() == ["proposed by (1)", "used by (1)"]
    said = panel.locator(".said").first
    assert said.locator("p").inner_text() == "We propose FlashAttention-3."
    assert said.locator("mark").inner_text() == "FlashAttention-3"
    assert said.locator(".sure").inner_text() == "0.97"
    assert "version of" in panel.inner_text()


def test_a_click_on_a_node_opens_the_panel_and_escape_closes_it(small: Opened) -> None:
    hover(small, "H100")
    small.page.mouse.down()
    small.page.mouse.up()
    small.page.locator("#panel h2").wait_for()
    assert small.page.inner_text("#panel h2") == "H100"
    assert small.page.locator("#panel a").first.get_attribute("href") == "https://example.org/h100"
    small.page.keyboard.press("Escape")
    assert small.page.locator("#panel").is_hidden()


def test_one_goes_from_node_to_node_in_the_panel(small: Opened) -> None:
    find(small, "H100")
    small.page.locator("#panel .said .ref").first.click()
    assert small.page.inner_text("#panel .top").startswith("Paper")
    small.page.locator("#panel .ref", has_text="FlashAttention-2").click()
    assert small.page.inner_text("#panel h2") == "FlashAttention-2"


def test_the_neighbourhood_of_a_node_and_back(small: Opened) -> None:
    find(small, "H100")
    small.page.click("#around")
    assert names(small) == {"H100", "FlashAttention-3", "FlashAttention-2"}
    assert small.page.inner_text("#status") == "4 nodes around H100"
    small.page.click("#back")
    assert len(small.view("shown()")) == 8


def test_what_one_looks_at_is_shown_even_if_its_type_is_filtered_off(small: Opened) -> None:
    tick(small, "Hardware")
    find(small, "H100")
    assert "H100" in names(small)


def test_only_mentions_are_off_until_asked_for(browser: Browser, tmp_path: Path) -> None:
    kind = EntityType.METHOD
    told = (Role.PROPOSES, "a"), (Role.MENTIONS, "a"), (Role.MENTIONS, "b")
    graph = KnowledgeGraph(
        (Paper("text:1", "1", "T"),),
        (Node("a", kind, "A", (kind,)), Node("b", kind, "B", (kind,))),
        tuple(Assertion("text:1", role, node, 1.0) for role, node in told),
    )
    write_html(graph, tmp_path / "graph.html")
    with opened(browser, tmp_path / "graph.html") as seen:
        assert names(seen) == {"T", "A"}
        tick(seen, "mentions")
        assert names(seen) == {"T", "A", "B"}
        assert len(seen.view("edgesShown()")) == 2
        quiet(seen)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_inert_and_shown_as_it_is(browser: Browser, tmp_path: Path, text: str) -> None:
    write_html(with_texts(text, "plain"), tmp_path / "graph.html", title=text)
    with opened(browser, tmp_path / "graph.html") as seen:
        seen.page.locator("#search").fill(text)
        seen.page.locator("#hits li").first.wait_for()
        for paper in (True, False):
            hover(seen, text, paper=paper)
            seen.page.mouse.down()
            seen.page.mouse.up()
            seen.page.locator("#panel mark").wait_for()
        assert seen.page.evaluate(
            "document.querySelector('#panel h2').textContent === kgView.name(kgView.network.getSelectedNodes()[0])"
        )
        assert seen.page.evaluate("window.pwned") is None
        assert seen.page.evaluate("document.images.length") == 0
        assert seen.page.evaluate("document.querySelectorAll('#panel script, #panel svg[onload], h1 *').length") == 0
        links: list[str] = seen.page.evaluate("[...document.links].map((a) => a.protocol)")
        assert set(links) <= {"https:", "http:"}
        quiet(seen)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_drawn_in_light_and_in_dark(browser: Browser, tmp_path: Path, graph: KnowledgeGraph, scheme: Any) -> None:
    write_html(graph, tmp_path / "graph.html")
    with opened(browser, tmp_path / "graph.html", scheme=scheme) as seen:
        ground: str = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 22, 29)"}[scheme]
        colours = seen.page.evaluate(
            "(() => { const c = document.querySelector('canvas'); const d = c.getContext('2d')"
            ".getImageData(0, 0, c.width, c.height).data; const seen = new Set();"
            " for (let i = 0; i < d.length; i += 4) if (d[i + 3] === 255) seen.add(`${d[i]},${d[i+1]},${d[i+2]}`);"
            " return [...seen]; })()"
        )
        blue = {"light": "0,114,178", "dark": "75,166,232"}[scheme]
        assert blue in colours, "methods are drawn in their colour"
        quiet(seen)


def test_a_change_of_theme_repaints(small: Opened) -> None:
    before = small.page.locator("#types path").first.get_attribute("fill")
    small.page.emulate_media(color_scheme="dark")
    small.page.wait_for_timeout(150)
    assert small.page.locator("#types path").first.get_attribute("fill") != before


def test_a_large_graph_opens_fast_and_search_reaches_what_is_not_drawn(browser: Browser, tmp_path: Path) -> None:
    graph = made_up(700, 2300)
    write_html(graph, tmp_path / "graph.html")
    begin = time.perf_counter()
    with opened(browser, tmp_path / "graph.html") as seen:
        assert time.perf_counter() - begin < 20
        assert len(seen.view("shown()")) == 500
        assert seen.page.inner_text("#status").startswith("Showing 500 of 3,000 nodes")
        drawn = names(seen)
        hidden = next(node.name for node in reversed(graph.nodes) if node.name not in drawn)
        find(seen, hidden)
        assert seen.page.inner_text("#panel h2") == hidden
        assert hidden in names(seen)
        assert seen.page.inner_text("#status").endswith(f"nodes around {hidden}")
        seen.page.click("#back")
        assert len(seen.view("shown()")) == 500
        quiet(seen)


def test_labels_never_cover_one_another(browser: Browser, tmp_path: Path) -> None:
    write_html(made_up(100, 250), tmp_path / "graph.html")
    with opened(browser, tmp_path / "graph.html") as seen:
        assert 30 < len(seen.view("labelled()")) < 350
        before = len(seen.view("labelled()"))
        for _ in range(4):
            seen.page.click("#closer")
        seen.page.wait_for_timeout(150)
        inside = seen.page.evaluate(
            "kgView.shown().filter((id) => { const p = kgView.spot(id); const r = document.querySelector('#graph');"
            " return p.x > 0 && p.y > 0 && p.x < r.clientWidth && p.y < r.clientHeight; }).length"
        )
        share = len(seen.view("labelled()")) / inside
        assert share > before / 350, "more of what is in sight is named as one zooms in"
        quiet(seen)


def test_it_fits_a_narrow_screen(browser: Browser, tmp_path: Path, graph: KnowledgeGraph) -> None:
    write_html(graph, tmp_path / "graph.html")
    with opened(browser, tmp_path / "graph.html", width=390, height=800) as seen:
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 390
        find(seen, "H100")
        drawing, panel = seen.page.locator("#graph").bounding_box(), seen.page.locator("#panel").bounding_box()
        assert drawing is not None
        assert panel is not None
        assert drawing["height"] > 150
        assert panel["y"] >= drawing["y"] + drawing["height"] - 1
        quiet(seen)


def test_without_javascript_it_says_where_the_graph_is_and_what_papers_share(
    browser: Browser, tmp_path: Path, graph: KnowledgeGraph
) -> None:
    write_html(graph, tmp_path / "graph.html")
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto((tmp_path / "graph.html").as_uri())
    assert "graph.ttl" in page.inner_text("noscript p")
    assert page.locator("noscript tbody tr").first.inner_text().split("\t")[0] == "FlashAttention-3"
    assert page.locator("main").is_hidden()
    context.close()
