"""XML: records cut out of a stream, markup as text, and what is refused or survived."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from kg.errors import InputError
from kg.readers import read
from kg.readers import xml as xml_module
from kg.readers.arxiv import read_atom
from kg.readers.jats import read_jats
from kg.readers.mathml import math
from kg.readers.xml import fragments, root
from kg.readers.xml_text import blocks, paragraphs, text
from tests.sources import paper, papers, refusals, source

ENTRY = "<entry><id>http://arxiv.org/abs/2401.0000{n}v1</id><title>{title}</title></entry>"


def entries(*titles: str) -> str:
    return "\n".join(ENTRY.format(n=n, title=title) for n, title in enumerate(titles, start=1))


def titles(content: str | bytes) -> list[str]:
    return [one.title for one in papers(read_atom, content)]


def test_a_bomb_of_entities_is_refused() -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE feed [<!ENTITY l0 "lol">{levels}]><feed>{entries("&l11;")}</feed>'
    with pytest.raises(InputError, match="declares entities of its own"):
        list(read_atom(source(bomb)))


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        '<!ENTITY x SYSTEM "{secret}">',
        '<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;',
        '<!-- ]> --> <!ENTITY x SYSTEM "{secret}">',
        '<!ATTLIST a b CDATA "]>"> <!ENTITY x PUBLIC "-//x" "{secret}">',
    ],
)
def test_an_external_entity_is_never_read(tmp_path: Path, declaration: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the secret", encoding="utf-8")
    doctype = f"<!DOCTYPE feed [{declaration.format(secret=secret.as_uri())}]>"
    try:
        found = titles(f"{doctype}<feed>{entries('On &x;', 'Y')}</feed>")
    except InputError as error:
        assert "declares entities of its own" in str(error)
    else:
        assert found == ["On &x;", "Y"]


def test_a_document_type_that_is_only_named_is_no_harm() -> None:
    content = f'<?xml version="1.0"?><!DOCTYPE feed SYSTEM "http://127.0.0.1:9/x.dtd"><feed>{entries("A")}</feed>'
    assert titles(content) == ["A"]


def test_inclusions_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the secret", encoding="utf-8")
    include = (
        f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{(tmp_path / "secret").as_uri()}" parse="text"/>'
    )
    assert titles(entries(f"On {include}X")) == ["On X"]


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("Sch&ouml;n &amp; gut &lt; &#252; &#xfc;", "Schön & gut < ü ü"),
        ("A &undefined; B & C &", "A &undefined; B & C &"),
        ("x < y, 3 <4", "x < y, 3 <4"),
        ("<![CDATA[a <b> & &amp; c]]>", "a <b> & &amp; c"),
        ("A <!-- <title>not</title> --> B", "A B"),
        ("A &#0;&#xD800;&#x110000; B", "A \ufffd\ufffd\ufffd B"),
        ("A\x01B", "AB"),
        ("<mml:math><mml:mi>x</mml:mi></mml:math>", "x"),
        ("<b>Unclosed", "Unclosed"),
        ("0", "0"),
    ],
)
def test_text_is_read_as_it_was_meant(written: str, read_as: str) -> None:
    assert titles(entries("First", written, "Last")) == ["First", read_as, "Last"]


def test_a_broken_record_spoils_no_other() -> None:
    cut = "<entry><title>Cut</title>"
    crossed = "<entry><title>Cro<b>ss</title></b></wrong>ed</entry>"
    found = list(read_atom(source(f"<feed>{entries('A')}{cut}{crossed}{entries('B')}<entry><title>End")))
    assert [getattr(one, "title", None) for one in found] == ["A", None, "Cross", "B", None]
    reason = "the file is cut off or damaged inside this <entry>"
    assert [(one.number, getattr(one, "reason", None)) for one in found if not hasattr(one, "title")] == [
        (2, reason),
        (5, reason),
    ]


def test_several_roots_and_declarations_are_one_file() -> None:
    one = f'<?xml version="1.0"?>\n<feed>{entries("A")}</feed>\n'
    assert titles(one * 3) == ["A"] * 3


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "windows-1251", "utf-16", "koi8-r", "no-such-encoding"])
def test_the_declared_encoding_is_used(encoding: str) -> None:
    title = "Über" if encoding in {"utf-8", "iso-8859-1", "utf-16"} else "Обзор"
    content = f'<?xml version="1.0" encoding="{encoding}"?><feed>{entries(title)}</feed>'
    known = encoding if encoding != "no-such-encoding" else "utf-8"
    assert titles(content.encode(known)) == [title]


def test_tags_that_lie_across_chunks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    content = (
        f"<?xml version='1.0'?><!-- <entry> --><feed a='>'>{entries(*map(str, range(9)))}<![CDATA[<entry>]]></feed>"
    )
    for size in range(1, 90):
        monkeypatch.setattr(xml_module, "_CHUNK", size)
        assert titles(content) == [str(n) for n in range(9)]


def test_a_record_without_end_is_refused_before_it_fills_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_module, "MAX_RECORD_CHARACTERS", 200_000)
    with pytest.raises(InputError, match="more than 200,000 characters"):
        list(read_atom(source(entries("A") + "<entry><title>" + "x" * 1_000_000)))


@pytest.mark.parametrize(
    "content",
    [
        "<entry><title>" + "<a>" * 100_000,
        "<entry><title>" + "<sup>" * 20_000 + "x" + "</sup>" * 20_000 + "</title></entry>",
        "<entry><title><math>" + "<mrow>" * 20_000 + "x" + "</mrow>" * 20_000 + "</math></title></entry>",
        "<entry><title>" + "<!-- " * 100_000 + "</title></entry>",
        "<entry>" * 3_000,
        "<!DOCTYPE " * 100_000,
        "<!-- " * 300_000,
        "<![CDATA[" * 200_000,
        "<?" * 300_000,
        "<!DOCTYPE [" * 50_000,
        "<entry " + "a='" * 200_000,
        "<entry><title>" + "\n " * 300_000 + "</title></entry>",
        "<entry><title>" + "& " * 200_000 + "</title></entry>",
    ],
    ids=lambda content: content[:20],
)
def test_hostile_xml_takes_no_longer_than_its_length(content: str) -> None:
    started = time.process_time()
    list(read_atom(source(content)))
    assert time.process_time() - started < 10


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([*"<>&;!-[]/?'\" ax", "entry", "<entry>", "</entry>", "<!--", "-->", "]]>"]), max_size=60)
)
def test_no_text_raises_anything_but_an_input_error(parts: list[str]) -> None:
    content = "".join(parts)
    try:
        found = list(read_atom(source(content)))
    except InputError:
        return
    assert [one.number for one in found] == list(range(1, len(found) + 1))


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")))
def test_escaped_text_comes_back(title: str) -> None:
    node = etree.Element("title")
    node.text = title
    content = f"<entry>{etree.tostring(node, encoding='unicode')}</entry>"
    assert titles(content) == [" ".join(title.split())]


def test_the_root_is_told_behind_the_prolog() -> None:
    assert root('\n<?xml version="1.0"?><!DOCTYPE a [<!ELEMENT b ANY>]>\n<!-- x -->\n<p:feed/>') == "feed"
    assert root("We propose <b>X</b>.") == ""


def element(content: str) -> etree._Element:
    return etree.fromstring(content)


def test_scripts_stand_where_the_text_has_them() -> None:
    assert text(
        element("<t>La\n\t<sub>2</sub>O<sub>3</sub> and 10\n <sup>−19</sup>, n<sup>th</sup> (\n <i>A</i>)</t>")
    ) == ("La2O3 and 10⁻¹⁹, nth (A)")


def test_sentences_of_grobid_do_not_touch() -> None:
    assert paragraphs(element("<p><s>We do.</s><s>It works.</s></p>")) == ["We do. It works."]


def test_headings_do_not_run_into_their_text() -> None:
    section = element("<s><sec><title>Aim.</title><p>We do.</p><p>More.</p></sec><sec><title>End</title></sec></s>")
    assert paragraphs(section) == ["Aim. We do.", "More.", "End"]
    assert blocks(section) == "Aim.\n\nWe do.\n\nMore.\n\nEnd"
    assert blocks(element("<sec><title>Only a heading</title></sec>")) == ""


@pytest.mark.parametrize(
    ("formula", "line"),
    [
        ("<msub><mi>x</mi><mi>i</mi></msub><mo>≤</mo><mn>3</mn>", "x_i ≤ 3"),
        ("<msubsup><mi>η</mi><mi>p</mi><mn>2</mn></msubsup>", "η_p²"),
        ("<msqrt><mi>s</mi></msqrt>", "√s"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>", "(a+1)/b"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", "x"),
        ("<semantics><mi>x</mi><annotation>\\x</annotation></semantics>", "x"),
        ("<mi>f</mi><mo>\u2061</mo><mfenced><mi>x</mi></mfenced>", "f(x)"),
    ],
)
def test_formulas_are_read_on_one_line(formula: str, line: str) -> None:
    assert math(element(f"<math>{formula}</math>")) == line


def test_of_alternatives_of_a_formula_one_is_read() -> None:
    both = (
        "<alternatives><math><mi>x</mi></math><tex-math>\\begin{document}$$x$$\\end{document}</tex-math></alternatives>"
    )
    tex = "<alternatives><tex-math>\\begin{document}$$ x $$\\end{document}</tex-math><graphic/></alternatives>"
    assert text(element(f"<t>A {both} B {tex}</t>")) == "A x B $x$"


def test_an_article_that_is_cut_off_in_its_body_is_read() -> None:
    content = (
        '<article><front><article-meta><article-id pub-id-type="doi">10.1234/A</article-id><title-group>'
        "<article-title>On X</article-title></title-group></article-meta></front><body><sec><title>I</title><p>We do"
    )
    assert paper(read_jats, content).body == ("I\n\nWe do",)
    assert refusals(read_jats, "<article><front><article-meta>") == [
        (1, None, "the file is cut off or damaged inside this <article>")
    ]


def test_xml_of_no_known_kind_names_its_root(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text('<?xml version="1.0"?><rss><item><title>A post</title></item></rss>', encoding="utf-8")
    with pytest.raises(InputError, match="its root is <rss>"):
        read([path])


def test_records_come_before_the_file_is_read_to_its_end() -> None:
    stream = fragments(source(entries("A", "B") + "<!DOCTYPE x [<!ENTITY y 'z'>]>" + " " * 200_000), {"entry"})
    assert next(stream).name == "entry"
