"""The main job, end to end, as a user runs it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import kg as package
from tests.commands import EXAMPLE, SAME_BYTES, built, kg


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("example") / "out"
    built("build", EXAMPLE, "--out", directory)
    return directory


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def bytes_of(directory: Path) -> Iterator[tuple[str, bytes]]:
    yield from ((name, (directory / name).read_bytes()) for name in SAME_BYTES)


def test_all_outputs_are_there_and_agree(out: Path) -> None:
    assert {p.name for p in out.iterdir()} == {*SAME_BYTES, "rejects.jsonl", "report.json", "store"}
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    annotations, links = lines(out / "annotations.jsonl"), lines(out / "links.jsonl")
    assert report["input"]["records"] == report["input"]["papers"] == len(annotations) >= 25
    assert report["graph"]["links"] == len(links) == sum(len(a["entities"]) for a in annotations)  # type: ignore[arg-type, misc]
    nt = (out / "graph.nt").read_text(encoding="utf-8")
    assert nt.splitlines() == sorted(set(nt.splitlines()))
    assert all(f"<{link['node']}>" in nt for link in links)
    assert [a["key"] for a in annotations] == sorted(a["key"] for a in annotations)  # type: ignore[type-var]


def test_a_paper_without_a_title_gets_a_readable_one(out: Path) -> None:
    graph = package.build([EXAMPLE])
    titles = dict(graph.titles)
    assert len(titles) == len(graph.papers)
    assert all(2 <= len(title) <= 120 for title in titles.values())
    assert "FlashAttention-3" in titles.values()


def test_versions_are_nodes_apart_in_one_family(out: Path) -> None:
    graph = package.build([EXAMPLE])
    second, third = graph.node_of["flashattention2"], graph.node_of["flashattention3"]
    assert second.family == third.family == "flashattention"
    assert "flashattention" in graph.node_of


@pytest.mark.parametrize("seed", ["0", "1"])
def test_bytes_depend_on_neither_hash_seed_nor_order_nor_processes(out: Path, tmp_path: Path, seed: str) -> None:
    heading, *abstracts = EXAMPLE.read_text(encoding="utf-8").strip().split("\n\n")
    random.Random(seed).shuffle(abstracts)
    halves = [tmp_path / "b.txt", tmp_path / "a.txt"]
    halves[0].write_text("\n\n".join([heading, *abstracts[::2]]) + "\n", encoding="utf-8")
    halves[1].write_text("\n\n".join(abstracts[1::2]), encoding="utf-8")
    built("build", *halves, "--out", tmp_path / "out", "--jobs", "2", environment={"PYTHONHASHSEED": seed})
    assert dict(bytes_of(tmp_path / "out")) == dict(bytes_of(out))


def test_a_second_run_differs_only_in_when_it_was_and_in_the_engines_own_files(tmp_path: Path) -> None:
    """The README promised the same bytes of all files, and report.json has times in it."""
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"title": "On BERT", "abstract": "We propose OneThing."}\n{"title": ""}\n', encoding="utf-8")
    reports = []
    for name in ("one", "two"):
        assert kg("build", broken, "--out", tmp_path / name, "--pipeline", "rules").returncode == 3
        reports.append(json.loads((tmp_path / name / "report.json").read_text(encoding="utf-8")))
        assert reports[-1].pop("started") <= datetime.now(UTC).isoformat()
        assert set(reports[-1].pop("seconds")) == {"read", "annotate", "resolve", "write", "draw", "store"}
    assert reports[0] == reports[1]
    for name in (*SAME_BYTES, "rejects.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_graph_is_a_function_of_the_set_of_records(out: Path, tmp_path: Path) -> None:
    """Shards give what the whole gives; taking papers away gives what was before they came."""
    records = (out / "annotations.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    shards = [tmp_path / "z.jsonl", tmp_path / "y.jsonl"]
    shards[0].write_text("".join(records[1::2]), encoding="utf-8")
    shards[1].write_text("".join(records[::-1]), encoding="utf-8")
    built("graph", *shards, "--out", tmp_path / "merged")
    assert dict(bytes_of(tmp_path / "merged")) == dict(bytes_of(out))
    built("graph", shards[0], "--out", tmp_path / "merged")
    built("graph", shards[0], "--out", tmp_path / "fresh")
    assert dict(bytes_of(tmp_path / "merged")) == dict(bytes_of(tmp_path / "fresh"))
    assert len(lines(tmp_path / "fresh" / "annotations.jsonl")) == len(records[1::2])


def test_annotations_alone_are_those_of_the_build(out: Path, tmp_path: Path) -> None:
    built("annotate", EXAMPLE, "--out", tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (out / "annotations.jsonl").read_bytes()
    assert [p.name for p in tmp_path.iterdir()] == ["a.jsonl"]


def test_building_twice_into_one_folder_replaces_it(out: Path, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("We propose OneThing. It beats BERT.", encoding="utf-8")
    built("build", EXAMPLE, "--out", tmp_path / "out")
    built("build", tmp_path / "one.txt", "--out", tmp_path / "out")
    assert {p.name for p in (tmp_path / "out").iterdir()} == {p.name for p in out.iterdir()}
    assert len(lines(tmp_path / "out" / "annotations.jsonl")) == 1
    done = kg(
        "sparql", tmp_path / "out", "SELECT (COUNT(*) AS ?n) { ?p a <http://schema.org/ScholarlyArticle> }", "-o", "csv"
    )
    done_https = kg(
        "sparql",
        tmp_path / "out",
        "SELECT (COUNT(*) AS ?n) { ?p a <https://schema.org/ScholarlyArticle> }",
        "-o",
        "csv",
    )
    assert "n\n1\n" in (done.stdout, done_https.stdout)


def test_the_graph_conforms(out: Path) -> None:
    done = kg("validate", out)
    assert done.returncode == 0, done.stderr
    assert "conforms" in done.stdout


def test_another_base_iri(tmp_path: Path) -> None:
    built("build", EXAMPLE, "--out", tmp_path, "--base-iri", "https://example.org/my/")
    nt = (tmp_path / "graph.nt").read_text(encoding="utf-8")
    assert all(line.startswith("<https://example.org/my/") for line in nt.splitlines())
    assert kg("validate", tmp_path).returncode == 0


def test_from_python() -> None:
    graph = package.build([EXAMPLE])
    network = graph.to_networkx()
    assert network.number_of_nodes() == len(graph.papers) + len(graph.nodes)
    assert len(graph.to_rdflib()) > 10 * len(graph.papers)


def test_gold_scores_reach_the_floor(shared: Path, tmp_path: Path) -> None:
    gold = shared / "gold" / "seed.jsonl"
    built("annotate", gold, "--out", tmp_path / "p.jsonl")
    scores = json.loads(kg("evaluate", gold, tmp_path / "p.jsonl", "--json").stdout)
    assert scores["mentions core"]["f1"] >= 0.55
    assert scores["entities core"]["f1"] >= 0.55
    assert scores["roles core"]["f1"] >= 0.45


def test_the_first_real_input(shared: Path, tmp_path: Path) -> None:
    built("build", shared / "data" / "neurips-2026.txt", "--out", tmp_path)
    assert len(lines(tmp_path / "annotations.jsonl")) == 19
    assert kg("validate", tmp_path).returncode == 0


def test_a_build_does_not_read_what_a_build_wrote(tmp_path: Path) -> None:
    (tmp_path / "papers.txt").write_text("We propose OneThing. It beats BERT.", encoding="utf-8")
    first = kg("build", tmp_path, "--out", tmp_path)
    again = kg("build", tmp_path, "--out", tmp_path)
    assert (first.returncode, again.returncode) == (0, 0)
    assert first.stdout == again.stdout
    assert "1 records: 1 papers" in again.stdout
