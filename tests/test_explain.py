"""Every link and every refusal to link has a reason that `kg explain` shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.catalogue import load
from kg.errors import InputError
from kg.jobs import write_graph
from kg.model import EntityType
from kg.records import dumps
from kg.resolution import REASONS
from kg.review import explain, known_in, read_built
from kg.review.telling import as_data, as_text
from tests.commands import kg
from tests.test_resolution import entity, record

if TYPE_CHECKING:
    from kg.model import PaperRecord
    from kg.review import Built, Explanation

METHOD, TASK, HARDWARE = EntityType.METHOD, EntityType.TASK, EntityType.HARDWARE
CATALOGUE = load()
RECORDS = [
    record("p", entity("FA3", METHOD, catalogue="flashattention3"), entity("Zeta-Net")),
    record("q", entity("FlashAttention-2", METHOD, catalogue="flashattention2"), entity("ZetaNet")),
    record("r", entity("DP", METHOD, "dynamic programming", catalogue="differentialprivacy")),
    record("s", entity("Zeta Geometry Transformer", METHOD, "ZGT"), entity("Solo-X")),
    record("t", entity("ZGT"), entity("Zetannet")),
    record("u", entity("DISCO", METHOD, "distribution control"), proposes=["DISCO"]),
    record("v", entity("DISCO", METHOD, "discrete co-occurrence"), proposes=["DISCO"]),
    record("w", entity("Zeta-7B"), entity("Appendix")),
    record("x", entity("ASR", TASK)),
]
CORRECTIONS = "corrections:\n- not an entity: Appendix\n- merge: [Solo-X, Zetannet]\n"


def written(folder: Path, made: list[PaperRecord], corrections: str = CORRECTIONS) -> Path:
    annotations, file = folder / "in.jsonl", folder / "corrections.yaml"
    annotations.write_text("".join(f"{dumps(one)}\n" for one in made), encoding="utf-8", newline="\n")
    file.write_text(corrections, encoding="utf-8")
    write_graph([annotations], folder / "out", corrections_files=[file])
    return folder / "out"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return read_built(written(tmp_path_factory.mktemp("explain"), RECORDS))


def why(explanation: Explanation, paper: str) -> str:
    return next(link.why for node in explanation.nodes for link in node.links if link.paper == paper)


def refused(explanation: Explanation) -> dict[str, str]:
    return {refusal.name: refusal.why for node in explanation.nodes for refusal in node.refusals}


@pytest.mark.parametrize(
    ("name", "paper", "reason"),
    [
        ("FA3", "p", "catalogue entry 'FlashAttention-3'; 'FA3' is an alias of it"),
        ("zetanet", "q", "the normal form 'zetanet' is that of other papers' names, too"),
        ("ZGT", "t", "'ZGT' stands for 'Zeta Geometry Transformer', as url:s spells it out"),
        ("disco~url:u", "u", "several things are called 'DISCO', and this one is proposed by url:u"),
        ("Zeta-7B", "w", REASONS["size"]),
        (
            "Zeta Geometry Transformer",
            "s",
            "the normal form 'zetageometrytransformer' is that of other papers' names, too",
        ),
        ("DP", "r", "'DP' stands for 'dynamic programming', as url:r spells it out"),
        ("Zetannet", "t", "by the correction “merge: Solo-X = Zetannet”"),
        (
            "automatic speech recognition",
            "x",
            "catalogue entry 'automatic speech recognition'; 'ASR' is an alias of it",
        ),
    ],
)
def test_every_way_to_a_node_is_explained(graph: Built, name: str, paper: str, reason: str) -> None:
    assert why(explain(graph, name, CATALOGUE), paper) == reason


def test_a_version_is_not_merged_with_its_family_nor_with_another(graph: Built) -> None:
    found = refused(explain(graph, "FlashAttention-3", CATALOGUE))
    assert found["FlashAttention"] == "not merged because 'FlashAttention-3' is a version of 'FlashAttention'"
    assert "versions of one family: version 3 here, 2 there" in found["FlashAttention-2"]


def test_a_known_thing_that_the_long_form_rules_out(graph: Built) -> None:
    found = refused(explain(graph, "dynamic programming", CATALOGUE))
    assert "the paper spells it out as 'dynamic programming'" in found["differential privacy"]


def test_a_known_thing_of_another_type(graph: Built) -> None:
    found = refused(explain(graph, "automatic speech recognition", CATALOGUE))
    assert "one of 2 things that are called so; the paper speaks of a Task" in found["attack success rate"]


def test_two_proposals_of_one_name_are_not_merged(graph: Built) -> None:
    explanation = explain(graph, "DISCO", CATALOGUE)
    assert len(explanation.nodes) == 2
    assert "told apart by what they propose" in refused(explanation)["DISCO"]


def test_a_likely_duplicate_is_told_with_why_it_was_not_merged(tmp_path: Path) -> None:
    made = [record("p", entity("ZetaBridgeNet")), record("q", entity("ZetaBridgNet"))]
    found = refused(explain(read_built(written(tmp_path, made, "corrections: []")), "ZetaBridgeNet", CATALOGUE))
    assert "differ in one letter" in found["ZetaBridgNet"]
    assert "no paper says that the one is the other" in found["ZetaBridgNet"]


def test_what_a_correction_left_out_is_told(graph: Built) -> None:
    explanation = explain(graph, "Appendix", CATALOGUE)
    assert explanation.nodes == ()
    ((paper, why),) = [(one.paper, one.why) for one in explanation.left_out]
    assert paper == "w"
    assert why.startswith("a correction “not an entity: Appendix (")
    assert why.endswith("corrections.yaml, entry 1)” says that it is no entity")


def test_renaming_and_retyping_left_no_trace(tmp_path: Path) -> None:
    made = [record("p", entity("Zetanet")), record("q", entity("Zetanet"))]
    out = written(tmp_path, made, "corrections:\n- rename: Zetanet\n  to: ZNet\n- retype: Zetanet\n  type: Task\n")
    explanation = explain(read_built(out), "ZNet", CATALOGUE)
    (node,) = explanation.nodes
    file = (tmp_path / "corrections.yaml").as_posix()
    told = (f"rename: Zetanet, to: ZNet ({file}, entry 1)", f"retype: Zetanet, type: Task ({file}, entry 2)")
    assert node.corrections == told
    assert f"  corrected: {told[0]}\n  corrected: {told[1]}\n" in as_text(explanation)
    assert as_data(explanation)["nodes"][0]["corrections"] == list(told)


def test_what_a_correction_kept_apart_was_told_apart_by_what_they_propose(tmp_path: Path) -> None:
    made = [record(key, entity("Zetanet")) for key in "pq"]
    built = read_built(written(tmp_path, made, "corrections:\n- keep apart: Zetanet\n  paper: p\n"))
    explanation = explain(built, "Zetanet", CATALOGUE)
    assert len(explanation.nodes) == 2
    for node in explanation.nodes:
        (refusal,) = node.refusals
        assert refusal.why == "not merged because the correction “keep apart: Zetanet, paper: p” tells them apart"
    assert why(explanation, "q") == "no other paper speaks of it"


def test_a_phrase_that_two_things_are_called_by_was_said_to_be_a_short_form(tmp_path: Path) -> None:
    made = [record("p", entity("zeta loss", METHOD, "zeta bound")), record("q", entity("zeta bounds"))]
    found = refused(explain(read_built(written(tmp_path, made, "corrections: []")), "zeta loss", CATALOGUE))
    assert (
        found["zeta bounds"]
        == "not merged because a paper says 'zeta bound' for 'zeta loss', too, which alone does not make them one"
    )


def test_a_spelling_with_a_maker_had_no_refusal(tmp_path: Path) -> None:
    made = [record("p", entity("Z700s", HARDWARE)), record("q", entity("Intel Z700", HARDWARE))]
    found = refused(explain(read_built(written(tmp_path, made, "corrections: []")), "Z700s", CATALOGUE))
    assert "the names differ in 'intel' alone" in found["Intel Z700"]


def test_a_known_thing_of_a_users_catalogue_is_told_with_its_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("type: Method\nthings:\n- {name: ZorbNet, aliases: [ZN9]}\n", encoding="utf-8")
    annotations = tmp_path / "in.jsonl"
    annotations.write_text(dumps(record("p", entity("ZN9", METHOD, catalogue="zorbnet"))) + "\n", encoding="utf-8")
    write_graph([annotations], tmp_path / "out", catalogue_files=[mine])
    explanation = explain(read_built(tmp_path / "out"), "ZorbNet", load(mine), files=known_in([mine]))
    assert why(explanation, "p") == f"catalogue entry 'ZorbNet' of {mine.as_posix()}; 'ZN9' is an alias of it"
    assert f"  catalogue entry of {mine.as_posix()}: ZorbNet" in as_text(explanation)
    without = explain(read_built(tmp_path / "out"), "ZorbNet", CATALOGUE)
    assert "a catalogue that the build had and that is not given here" in why(without, "p")
    shown = kg("explain", tmp_path / "out", "ZorbNet", "--catalogue", mine)
    assert f"catalogue entry of {mine.as_posix()}: ZorbNet" in shown.stdout


def test_an_iri_in_angle_brackets_is_taken(graph: Built) -> None:
    (node,) = explain(graph, "<https://w3id.org/paper-kg/entity/disco~url:u>", CATALOGUE).nodes
    assert node.thing.key == "disco~url:u"


def test_a_name_that_nobody_has_is_one_error_with_near_names(graph: Built) -> None:
    with pytest.raises(InputError, match="no paper speaks of 'ZetaNett'; near it are 'Zeta-Net'"):
        explain(graph, "ZetaNett", CATALOGUE)


def test_every_link_of_a_graph_is_explained(graph: Built) -> None:
    for thing in graph.things.values():
        explanation = explain(graph, thing.iri, CATALOGUE)
        told = {link.paper for node in explanation.nodes if node.thing == thing for link in node.links}
        assert told == thing.papers
        text = as_text(explanation, most=0)
        assert all(link.why in text for node in explanation.nodes for link in node.links)


def test_links_of_another_build_are_told(tmp_path: Path) -> None:
    out = written(tmp_path, RECORDS)
    lines = (out / "annotations.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (out / "annotations.jsonl").write_text("".join(line for line in lines if '"id": "p"' not in line), encoding="utf-8")
    with pytest.raises(InputError, match="are of different builds"):
        explain(read_built(out), "FA3", CATALOGUE)


def test_long_lists_are_cut_and_the_rest_counted(tmp_path: Path) -> None:
    made = [record(f"p{number:02}", entity("Zetanet")) for number in range(30)]
    out = written(tmp_path, made, "corrections: []")
    text = as_text(explain(read_built(out), "Zetanet", CATALOGUE))
    assert "… and 10 more; --all shows them" in text
    shown = kg("explain", out, "Zetanet", "--all")
    assert shown.stdout.count("“Zetanet”") == 30
    data = json.loads(kg("explain", out, "zeta-net", "--json").stdout)
    assert data == as_data(explain(read_built(out), "zeta-net", CATALOGUE))
    failed = kg("explain", out, "nothing like it")
    assert (failed.returncode, failed.stderr.count("\n")) == (1, 1)


def test_a_folder_without_links_is_one_error(tmp_path: Path) -> None:
    done = kg("explain", tmp_path, "X")
    assert done.returncode == 1
    assert "links.jsonl: cannot be read" in done.stderr
