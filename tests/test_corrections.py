"""A user's corrections: read with clear errors, and honoured by every build."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import kg as package
from kg.catalogue import load
from kg.corrections import Action, Correction, read
from kg.errors import CorrectionsError
from kg.model import EntityType, PaperRecord, Role
from kg.records import dumps
from kg.resolution import resolve, resolve_corrected
from tests.commands import built, kg
from tests.test_resolution import HARDWARE, METHOD, NAMES, entity, led, reason, record, records

CATALOGUE = load()
EXAMPLE = Path(__file__).resolve().parents[1] / "docs" / "corrections.example.yaml"
SCHEMA = Path(__file__).resolve().parents[1] / "kg" / "corrections" / "schema.json"


def written(folder: Path, text: str) -> Path:
    path = folder / "corrections.yaml"
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def one(action: Action, *names: str, **details: object) -> Correction:
    return Correction(action, names, **details)  # type: ignore[arg-type]


def test_two_names_are_merged_for_all_and_the_link_says_so() -> None:
    made = [record("p", entity("Zetanet")), record("q", entity("Z-Network")), record("r", entity("Etanet"))]
    graph, effects = resolve_corrected(made, CATALOGUE, [one(Action.MERGE, "Zetanet", "Z-Network")])
    assert led(graph) == {("p", "Zetanet"): "zetanet", ("q", "Z-Network"): "zetanet", ("r", "Etanet"): "etanet"}
    assert reason(graph, "q", "Z-Network") == "correction: merge: Zetanet = Z-Network"
    assert graph.node_of["zetanet"].name == "Zetanet"
    assert [(effect.matched, effect.changed, effect.outcome) for effect in effects] == [(2, 1, "took effect")]


def test_what_is_merged_with_a_known_thing_is_the_known_thing() -> None:
    made = [record("p", entity("Zeta attention three"))]
    graph = resolve(made, CATALOGUE, [one(Action.MERGE, "FlashAttention-3", "Zeta attention three")])
    assert set(led(graph).values()) == {"flashattention3"}
    assert graph.node_of["flashattention3"].introduced_by == "arxiv:2407.08608"


def test_a_merge_in_one_paper_leaves_the_others() -> None:
    made = [record(key, entity("Zetanet"), entity("Z-Network")) for key in "pq"]
    graph = resolve(made, CATALOGUE, [one(Action.MERGE, "Zetanet", "Z-Network", paper="p")])
    assert [led(graph)[key, "Z-Network"] for key in "pq"] == ["zetanet", "znetwork"]


def test_versions_of_a_merged_family_are_versions_of_what_it_is_merged_into() -> None:
    made = [record("p", entity("Zetanet-2"), entity("Zetanet")), record("q", entity("Z-Network"))]
    graph = resolve(made, CATALOGUE, [one(Action.MERGE, "Z-Network", "Zetanet")])
    assert graph.node_of["zetanet2"].family == "znetwork"
    assert {node.key for node in graph.nodes} == {"zetanet2", "znetwork"}


def test_merging_a_short_form_does_not_merge_all_that_is_abbreviated_so() -> None:
    made = [
        record("p", entity("ZGT")),
        record("q", entity("zero gradient training", EntityType.METHOD, "ZGT")),
        record("r", entity("zeta geometry transformer", EntityType.METHOD, "ZGT")),
    ]
    graph = resolve(made, CATALOGUE, [one(Action.MERGE, "zeta geometry transformer", "ZGT")])
    assert led(graph)["p", "ZGT"] == led(graph)["r", "zeta geometry transformer"] == "zetageometrytransformer"
    assert led(graph)["q", "zero gradient training"] == "zerogradienttraining"


def test_names_that_lead_to_one_node_are_kept_apart() -> None:
    made = [record("p", entity("ARGUZ")), record("q", entity("Arguz")), record("r", entity("VGGT"))]
    apart = [one(Action.KEEP_APART, "ARGUZ", "Arguz")]
    assert len(set(led(resolve(made[:2], CATALOGUE)).values())) == 1
    graph = resolve(made, CATALOGUE, apart)
    assert led(graph)["p", "ARGUZ"] == "arguz"
    assert led(graph)["q", "Arguz"] == "arguz~Arguz"
    assert reason(graph, "q", "Arguz") == "correction: keep apart: ARGUZ, Arguz"


def test_what_is_kept_apart_may_be_called_by_an_alias() -> None:
    made = [
        record("p", entity("NVIDIA A100", EntityType.HARDWARE)),
        record("q", entity("RTX 3090", EntityType.HARDWARE)),
    ]
    graph, (effect,) = resolve_corrected(made, CATALOGUE, [one(Action.KEEP_APART, "RTX 3090", "A100")])
    assert (effect.outcome, effect.note, effect.matched) == ("was so already", "", 2)
    assert led(graph) == led(resolve(made, CATALOGUE))


def test_a_name_of_one_paper_is_kept_apart_from_that_of_all_others() -> None:
    made = [record("p", entity("VGGT", catalogue="vggt")), record("q", entity("VGGT", catalogue="vggt"))]
    graph = resolve(made, CATALOGUE, [one(Action.KEEP_APART, "VGGT", paper="q")])
    assert led(graph) == {("p", "VGGT"): "vggt", ("q", "VGGT"): "vggt~url:q"}


def test_a_name_for_all_is_shown_and_the_old_one_is_an_alias() -> None:
    (node,) = resolve(
        [record("p", entity("Zetanet"))], CATALOGUE, [one(Action.RENAME, "zeta-net", to="ZetaNet²")]
    ).nodes
    assert (node.key, node.name, node.aliases) == ("zetanet", "ZetaNet²", ("Zetanet",))


def test_a_name_in_one_paper_leads_where_the_new_name_leads() -> None:
    made = [record("p", entity("FA", catalogue=None)), record("q", entity("FA"))]
    graph = resolve(made, CATALOGUE, [one(Action.RENAME, "FA", to="FlashAttention-3", paper="url:p")])
    assert led(graph)["p", "FA"] == "flashattention3"
    assert led(graph)["q", "FA"] != "flashattention3"


def test_a_type_for_all_stands_over_the_catalogue() -> None:
    made = [record("p", entity("MNIST", EntityType.DATASET, catalogue="mnist"))]
    (node,) = resolve(made, CATALOGUE, [one(Action.RETYPE, "MNIST", type=EntityType.TASK)]).nodes
    assert (node.type, node.types) == (EntityType.TASK, (EntityType.TASK,))


def test_what_is_no_entity_leaves_no_trace() -> None:
    made = [record("p", entity("Thing"), entity("Zetanet")), record("q", entity("Thing"))]
    graph, effects = resolve_corrected(made, CATALOGUE, [one(Action.NOT_AN_ENTITY, "Thing", paper="p")])
    assert led(graph) == {("p", "Zetanet"): "zetanet", ("q", "Thing"): "thing"}
    mentions = [each for each in graph.assertions if each.paper == "url:p"]
    assert {evidence.exact for each in mentions for evidence in each.evidence} == {"Zetanet"}
    assert effects[0].changed == 1


def test_a_role_is_taken_away_and_another_added() -> None:
    made = [record("p", entity("Zetanet")), record("q", entity("Zetanet"))]
    graph, effects = resolve_corrected(
        made,
        CATALOGUE,
        [
            one(Action.WRONG_ROLE, "Zetanet", role=Role.USES_METHOD),
            one(Action.ADD_ROLE, "Zetanet", role=Role.COMPARES_TO, paper="q"),
        ],
    )
    told = {(each.paper, each.role) for each in graph.assertions if each.role != Role.MENTIONS}
    assert told == {("url:q", Role.COMPARES_TO)}
    (added,) = [each for each in graph.assertions if each.role == Role.COMPARES_TO]
    assert (added.confidence, added.evidence[0].exact) == (1.0, "Zetanet")
    assert [effect.changed for effect in effects] == [2, 1]


def test_a_sense_is_named_by_its_key_or_its_iri() -> None:
    made = [record(key, entity("DISCO"), proposes=["DISCO"]) for key in "pq"]
    iri = "https://w3id.org/paper-kg/entity/disco~url:q"
    for name in ("disco~url:q", iri):
        graph = resolve(made, CATALOGUE, [one(Action.NOT_AN_ENTITY, name)])
        assert list(led(graph)) == [("p", "DISCO")]
    assert set(led(resolve(made, CATALOGUE, [one(Action.MERGE, "disco~url:p", iri)])).values()) == {"disco~url:p"}


def test_what_matched_nothing_and_what_was_so_already_is_told() -> None:
    made = [record("p", entity("Zetanet"))]
    _, effects = resolve_corrected(
        made,
        CATALOGUE,
        [
            one(Action.NOT_AN_ENTITY, "Etanet"),
            one(Action.RETYPE, "Zetanet", type=EntityType.METHOD, paper="p"),
            one(Action.MERGE, "Iota", "Kappa"),
            one(Action.NOT_AN_ENTITY, "Zetanet", paper="q"),
        ],
    )
    outcomes = [effect.outcome for effect in effects]
    assert outcomes == ["matched nothing", "was so already", "matched nothing", "matched nothing"]


def test_a_name_matched_only_what_papers_wrote_so_not_what_the_node_is_also_called() -> None:
    made = [
        record("p", entity("NVIDIA A100", HARDWARE, catalogue="nvidiaa100")),
        record("q", entity("Zeta cards", HARDWARE)),
    ]
    identity = {"p": "nvidiaa100", "q": "zetacard"}
    assert {paper: node for (paper, _), node in led(resolve(made, CATALOGUE)).items()} == identity
    graph, (effect,) = resolve_corrected(made, CATALOGUE, [one(Action.MERGE, "A100", "Zeta cards")])
    assert set(led(graph).values()) == {"nvidiaa100"}
    assert (effect.outcome, effect.nodes, effect.note) == ("took effect", ("nvidiaa100",), "")
    for correction in (
        one(Action.RENAME, "A100", to="Ampere A100"),
        one(Action.RETYPE, "A100", type=EntityType.METHOD),
        one(Action.NOT_AN_ENTITY, "A100"),
        one(Action.WRONG_ROLE, "A100", role=Role.USES_METHOD, paper="p"),
        one(Action.ADD_ROLE, "A100", role=Role.RUNS_ON),
    ):
        _, (effect,) = resolve_corrected(made, CATALOGUE, [correction])
        assert (effect.outcome, effect.matched) == ("took effect", 1), correction


def test_a_name_of_several_nodes_is_ambiguous_and_the_report_says_which() -> None:
    made = [record(key, entity("DISCO"), proposes=["DISCO"]) for key in "pq"] + [record("r", entity("Z-Network"))]
    for correction in (one(Action.MERGE, "Z-Network", "DISCO"), one(Action.RENAME, "DISCO", to="Disco")):
        graph, (effect,) = resolve_corrected(made, CATALOGUE, [correction])
        assert graph == resolve(made, CATALOGUE)
        assert effect.outcome == "ambiguous"
        assert "'DISCO' is the name of 2 nodes (disco~url:p, disco~url:q); write the one that is meant" in effect.note
    graph, (effect,) = resolve_corrected(made, CATALOGUE, [one(Action.NOT_AN_ENTITY, "DISCO")])
    assert set(led(graph).values()) == {"znetwork"}
    assert effect.note == "'DISCO' is the name of 2 nodes (disco~url:p, disco~url:q); it was done for all of these"


def test_a_merge_with_what_nobody_names_said_nothing_of_it() -> None:
    _, (effect,) = resolve_corrected(
        [record("p", entity("Zetanet"))], CATALOGUE, [one(Action.MERGE, "Zetanet", "Iota")]
    )
    assert (effect.outcome, effect.note) == ("was so already", "nothing is called 'Iota'")


def test_what_is_merged_by_keys_was_shown_as_the_key() -> None:
    made = [
        record("p", entity("NVIDIA A100", HARDWARE, catalogue="nvidiaa100"), entity("Zeta Net")),
        record("q", entity("Zorb", HARDWARE), entity("ZNetwork")),
        record("r", entity("ZNetwork")),
    ]
    base = "https://w3id.org/paper-kg/entity/"
    for merged in (("nvidiaa100", "zorb"), (f"{base}zorb", f"{base}nvidiaa100")):
        graph = resolve(made, CATALOGUE, [one(Action.MERGE, *merged)])
        assert led(graph)["q", "Zorb"] == "nvidiaa100"
        assert graph.node_of["nvidiaa100"].name == "NVIDIA A100"
    graph = resolve(made, CATALOGUE, [one(Action.MERGE, f"{base}zetanet", f"{base}znetwork")])
    assert graph.node_of["zetanet"].name == "ZNetwork"


names = st.sampled_from(NAMES)
some_corrections = st.lists(
    st.one_of(
        st.builds(lambda a, b: one(Action.MERGE, a, b), names, names),
        st.builds(lambda a, b: one(Action.KEEP_APART, a, b), names, names),
        st.builds(lambda a, p: one(Action.KEEP_APART, a, paper=p), names, st.sampled_from("abc")),
        st.builds(lambda a, b, p: one(Action.RENAME, a, to=b, paper=p), names, names, st.sampled_from([None, "a"])),
        st.builds(lambda a, t: one(Action.RETYPE, a, type=t), names, st.sampled_from(list(EntityType))),
        st.builds(lambda a, p: one(Action.NOT_AN_ENTITY, a, paper=p), names, st.sampled_from([None, "b"])),
        st.builds(lambda a: one(Action.ADD_ROLE, a, role=Role.TRAINS_ON), names),
        st.builds(lambda a: one(Action.WRONG_ROLE, a, role=Role.PROPOSES), names),
    ),
    max_size=4,
)


@given(records(), some_corrections, st.randoms(use_true_random=False))
def test_the_graph_is_a_function_of_the_set_of_records_and_the_corrections(
    made: list[PaperRecord], corrections: list[Correction], random: object
) -> None:
    shuffled = made + made[: len(made) // 2]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    graph, effects = resolve_corrected(made, CATALOGUE, corrections)
    assert (graph, effects) == resolve_corrected(shuffled, CATALOGUE, corrections)
    assert [effect.correction for effect in effects] == corrections
    keys = {node.key for node in graph.nodes}
    assert {link.node for link in graph.links} <= keys
    assert all(node.family is None or (node.family in keys and node.family != node.key) for node in graph.nodes)


@given(records())
def test_no_corrections_change_nothing(made: list[PaperRecord]) -> None:
    assert resolve_corrected(made, CATALOGUE, ()) == (resolve(made, CATALOGUE), ())


def test_the_example_is_read_as_its_schema_says_and_every_action_is_in_it() -> None:
    data = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    jsonschema.validate(data, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert {correction.action for correction in read(EXAMPLE)} == set(Action)


def test_every_correction_of_the_example_takes_effect(tmp_path: Path) -> None:
    """The example of docs/corrections.md, with papers that say what it is about."""
    made = [
        record("a", entity("SAM3D"), entity("MIMONet"), entity("flash attention"), entity("CARLA"), entity("Appendix")),
        record("b", entity("Segment Anything in 3D"), entity("MIMONets"), entity("SAM")),
        record("arxiv:2010.01412", entity("SAM", METHOD)),
        record("arxiv:2407.08608", entity("FA")),
        record("arxiv:1706.03762", entity("BERT")),
        record("doi:10.1000/example", entity("ImageNet")),
    ]
    annotations = tmp_path / "annotations.jsonl"
    lines = (dumps(_with_key(each)) for each in made)
    annotations.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    done = kg("graph", annotations, "--out", tmp_path / "out", "--corrections", EXAMPLE)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert {each["correction"]: each["outcome"] for each in report["corrections"]} == {
        str(correction): "took effect" for correction in read(EXAMPLE)
    }


def _with_key(made: PaperRecord) -> PaperRecord:
    claims = tuple(replace(claim, role=Role.COMPARES_TO) for claim in made.roles)
    return replace(made, paper=replace(made.paper, key=made.paper.id), roles=claims)


def test_a_build_a_graph_and_the_interface_of_python_honour_corrections_alike(tmp_path: Path) -> None:
    papers = tmp_path / "papers.txt"
    papers.write_text(
        "We propose ZetaFormer. It outperforms BERT and FlashAttention-2 on ImageNet with H100 GPUs.\n\n"
        "We present GridWorm, and compare with ZFormer on CIFAR-10.\n",
        encoding="utf-8",
    )
    built("build", papers, "--out", tmp_path / "out")
    corrections = written(
        tmp_path,
        "corrections:\n- merge: [ZetaFormer, ZFormer]\n- wrong role: BERT\n  role: comparesTo\n"
        "- rename: Nobody\n  to: X\n",
    )
    done = kg("graph", tmp_path / "out" / "annotations.jsonl", "--out", tmp_path / "new", "--corrections", corrections)
    assert done.returncode == 0, done.stderr
    assert "entry 3: rename: Nobody" in done.stderr
    assert "corrections: 1 matched nothing, 2 took effect" in done.stdout
    report = json.loads((tmp_path / "new" / "report.json").read_text(encoding="utf-8"))
    assert [each["outcome"] for each in report["corrections"]] == ["took effect", "took effect", "matched nothing"]
    graph = package.build([papers], corrections_files=[corrections])
    assert "zformer" not in graph.node_of
    assert kg("build", papers, "--out", tmp_path / "again", "--corrections", corrections).returncode == 0
    for name in ("graph.nt", "links.jsonl", "annotations.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "new" / name).read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- merge: [A, B]", "has no list `corrections`"),
        ("corrections: [", "is not YAML"),
        ("corrections: []\nmore: 1", "has an unknown key: more"),
        ("corrections: [{}]", "entry 1: must be a mapping with one of `merge`"),
        ("corrections: [A]", "entry 1: must be a mapping"),
        ("corrections: [{merge: [A, B], rename: C}]", "entry 1: must be a mapping with one of"),
        ("corrections: [{merge: A}]", r"entry 1 \(merge\): must be a list of two names or more"),
        ("corrections: [{merge: [A, A]}]", "must be a list of two names or more"),
        ("corrections: [{keep apart: A}]", "or one name and a `paper`"),
        ("corrections: [{rename: A}]", r"entry 1 \(rename\): lacks `to`"),
        ("corrections: [{rename: [A], to: B}]", "must be one name, not a list"),
        ("corrections: [{retype: A, type: Thing}]", "`type` must be one of Method, Dataset"),
        ("corrections: [{wrong role: A, role: mentions}]", "`role` must be one of proposes"),
        ("corrections: [{wrong role: A, role: proposes, because: x}]", "unknown key: because"),
        ("corrections: [{not an entity: 3}]", "must be a text, not 3"),
        ("corrections: [{not an entity: ' '}]", "must be one line"),
        ("corrections: [{not an entity: A, paper: [x]}]", "`paper` must be a text, not a list"),
        ("corrections: [{merge: [A, B]}, {keep apart: [b, a]}]", r"entry 2: keeps apart 'b' and 'a'.*\(entry 1 of"),
        (
            "corrections: [{merge: [A, B]}, {merge: [B, C]}, {keep apart: [a, C]}]",
            r"entry 3: keeps apart 'a' and 'C', which are merged \(entry 1 of .*, entry 2 of .*\)",
        ),
        ("corrections: [{rename: A, to: B}, {rename: B, to: A}]", r"entry 2: renames 'B' to 'A'.*back \(entry 1"),
        ("corrections: [{rename: A, to: B}, {rename: a, to: C}]", r"entry 2: renames 'a' to 'C'.*\(entry 1"),
        (
            "corrections: [{retype: A, type: Task}, {retype: A, type: Metric}]",
            r"entry 2: makes 'A' a Metric, which is made a Task \(entry 1",
        ),
        (
            "corrections: [{add role: A, role: trainsOn}, {wrong role: A, role: trainsOn}]",
            r"entry 2: the role trainsOn of 'A' is both added and wrong \(entry 1",
        ),
        ("corrections: [{not an entity: A}, {merge: [A, B]}]", r"entry 2: is about 'A'.*no entity \(entry 1"),
        ("corrections:\n- rename: A\n  to: B\n  to: C", "line 4: the key 'to' is given twice"),
        ("corrections: [!!python/object/apply:os.getcwd []]", "is not YAML"),
    ],
)
def test_a_bad_file_is_told_by_file_entry_and_reason(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(CorrectionsError, match=message) as raised:
        read(path)
    assert str(raised.value).startswith(f"{path.as_posix()}: ")
    assert "\n" not in str(raised.value)


def test_what_one_paper_is_an_exception_to_does_not_contradict(tmp_path: Path) -> None:
    text = "corrections: [{merge: [A, B]}, {keep apart: [A, B], paper: p}, {rename: A, to: B}, {rename: B, to: C}]"
    assert len(read(written(tmp_path, text))) == 4


def test_contradictions_of_two_files_are_told_with_both(tmp_path: Path) -> None:
    first = written(tmp_path, "corrections: [{merge: [A, B]}]")
    second = tmp_path / "second.yaml"
    second.write_text("corrections: [{keep apart: [A, B]}]", encoding="utf-8")
    with pytest.raises(CorrectionsError, match=r"second\.yaml: entry 1: .* \(entry 1 of .*corrections\.yaml\)"):
        read(first, second)


def test_a_missing_file_is_one_error_and_nothing_is_written(tmp_path: Path) -> None:
    papers = tmp_path / "papers.txt"
    papers.write_text("We propose Zetanet.", encoding="utf-8")
    done = kg("build", papers, "--out", tmp_path / "out", "--corrections", tmp_path / "none.yaml")
    assert done.returncode == 1
    assert "none.yaml: cannot be read" in done.stderr
    assert not (tmp_path / "out").exists()
