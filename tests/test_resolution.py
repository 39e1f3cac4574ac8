"""From PaperRecords to one graph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.catalogue import Catalogue, KnownThing, load
from kg.model import Assertion, Entity, EntityType, KnowledgeGraph, Mention, Paper, PaperRecord, Role, RoleClaim, Source
from kg.names import compare
from kg.resolution import REASONS, resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

CATALOGUE = load()
METHOD, DATASET, HARDWARE, TASK = EntityType.METHOD, EntityType.DATASET, EntityType.HARDWARE, EntityType.TASK


def entity(name: str, type_: EntityType = METHOD, *aliases: str, catalogue: str | None = None) -> Entity:
    return Entity(f"e-{name}", type_, name, aliases, catalogue)


def record(
    key: str, *entities: Entity, proposes: Sequence[str] = (), abstract: str | None = None, title: str = ""
) -> PaperRecord:
    """A record whose abstract says `We see X.` of each entity's name in turn."""
    text, mentions = "", []
    for number, one in enumerate(entities):
        start = len(text) + len("We see ")
        mentions.append(Mention("abstract", start, start + len(one.name), one.type, one.id, 0.9 - number / 100))
        text += f"We see {one.name}. "
    roles = tuple(
        RoleClaim(Role.PROPOSES if one.name in proposes else Role.USES_METHOD, one.id, 0.8, (number,))
        for number, one in enumerate(entities)
    )
    paper = Paper(key=f"url:{key}", id=key, title=title, abstract=text if abstract is None else abstract)
    return PaperRecord(paper, tuple(mentions), entities, roles)


def led(graph: KnowledgeGraph) -> dict[tuple[str, str], str]:
    return {(link.paper, link.entity.removeprefix("e-")): link.node for link in graph.links}


def reason(graph: KnowledgeGraph, paper: str, name: str) -> str:
    (link,) = [one for one in graph.links if one.paper == paper and one.entity == f"e-{name}"]
    return link.reason


NAMES = [
    *("DISCO", "Flexformer", "Flexformer-2", "CL", "VGGT", "GLUE", "Qwen2.5-7B", "Qwen 2.5", "AIME 2024", "Zeta"),
    *("distribution control", "discrete co-occurrence", "Zero-shot Eta", "A100-80GB", "flow matching", "π0"),
]


@st.composite
def records(draw: st.DrawFn) -> list[PaperRecord]:
    made = []
    for key in draw(st.lists(st.sampled_from("abcdefg"), max_size=7)):
        names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4))
        entities = [
            entity(name, draw(st.sampled_from(list(EntityType))), *draw(st.lists(st.sampled_from(NAMES), max_size=2)))
            for name in names
        ]
        proposes = draw(st.lists(st.sampled_from(names), max_size=2)) if names else []
        made.append(record(key, *entities, proposes=proposes))
    return made


@given(records(), st.randoms(use_true_random=False))
def test_the_graph_is_a_function_of_the_set_of_records(made: list[PaperRecord], random: object) -> None:
    shuffled = made + made[: len(made) // 2]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve(shuffled, CATALOGUE) == resolve(made, CATALOGUE)


@given(records(), records())
def test_the_graph_of_a_union_does_not_depend_on_how_it_is_made(a: list[PaperRecord], b: list[PaperRecord]) -> None:
    assert resolve(a + b, CATALOGUE) == resolve(b + a, CATALOGUE) == resolve(iter([*b, *a, *b]), CATALOGUE)


@given(records())
def test_the_graph_is_whole(made: list[PaperRecord]) -> None:
    graph = resolve(made, CATALOGUE)
    keys = {node.key for node in graph.nodes}
    spoken = {one.node for one in graph.assertions if one.role == Role.MENTIONS}
    assert len(keys) == len(graph.nodes)
    assert all(node.family is None or (node.family in keys and node.family != node.key) for node in graph.nodes)
    assert {one.node for one in graph.assertions} == spoken == {link.node for link in graph.links} <= keys
    assert keys - spoken <= {node.family for node in graph.nodes}
    assert [node.key for node in graph.nodes] == sorted(keys)
    order = [(one.paper, one.role, one.node) for one in graph.assertions]
    assert order == sorted(set(order))
    assert {link.reason.split(":")[0] for link in graph.links} <= set(REASONS)
    assert [key for key, _ in graph.titles] == [paper.key for paper in graph.papers]
    assert all(title.strip() for _, title in graph.titles)


def test_spellings_are_one_node() -> None:
    graph = resolve([record("p", entity("Flex-Former 3")), record("q", entity("FlexFormer-3"))], CATALOGUE)
    assert set(led(graph).values()) == {"flexformer3"}
    assert reason(graph, "p", "Flex-Former 3") == "spelling"
    node = graph.node_of["flexformer3"]
    assert {node.name, *node.aliases} == {"Flex-Former 3", "FlexFormer-3"}


def test_versions_are_nodes_of_a_family_that_is_always_there() -> None:
    graph = resolve([record("p", entity("Zetanet-2"), entity("Zetanet-3"))], CATALOGUE)
    assert {node.key: node.family for node in graph.nodes} == {
        "zetanet": None,
        "zetanet2": "zetanet",
        "zetanet3": "zetanet",
    }
    assert graph.node_of["zetanet"].name == "Zetanet"
    assert graph.node_of["zetanet"].types == ()


def test_the_plain_name_is_the_family() -> None:
    graph = resolve([record("p", entity("Zetanet-2")), record("q", entity("ZetaNet"))], CATALOGUE)
    assert graph.node_of["zetanet2"].family == led(graph)["q", "ZetaNet"] == "zetanet"


def test_a_family_known_by_an_alias_is_the_known_thing() -> None:
    graph = resolve([record("p", entity("COCO-Zeta 2", DATASET), entity("COCO", DATASET))], CATALOGUE)
    assert led(graph)["p", "COCO"] == "mscoco"


def test_known_things_bring_names_and_links() -> None:
    graph = resolve([record("p", entity("FA3", catalogue="flashattention3"))], CATALOGUE)
    node = graph.node_of["flashattention3"]
    assert (node.name, node.introduced_by, node.family) == ("FlashAttention-3", "arxiv:2407.08608", "flashattention")
    assert "FA3" in node.aliases
    assert graph.node_of["flashattention"].introduced_by == "arxiv:2205.14135"
    assert reason(graph, "p", "FA3") == "catalogue"


def test_type_does_not_keep_things_apart() -> None:
    graph = resolve(
        [record("p", entity("Zeta sim", METHOD)), record("q", entity("Zeta sim", DATASET)),
         record("r", entity("Zeta sims", DATASET))],
        CATALOGUE,
    )  # fmt: skip
    (node,) = graph.nodes
    assert (node.type, node.types) == (DATASET, (METHOD, DATASET))


def test_a_tie_of_types_goes_to_the_first() -> None:
    graph = resolve([record("p", entity("Zeta sim", TASK)), record("q", entity("Zeta sim", METHOD))], CATALOGUE)
    assert graph.nodes[0].type == METHOD


def test_a_short_form_that_all_spell_out_alike_joins_its_long_form() -> None:
    graph = resolve(
        [record("p", entity("Zeta Geometry Transformer", METHOD, "ZGT")), record("q", entity("ZGT")),
         record("r", entity("zeta geometry transformers"))],
        CATALOGUE,
    )  # fmt: skip
    assert set(led(graph).values()) == {"zetageometrytransformer"}
    assert reason(graph, "q", "ZGT") == "abbreviation: 'Zeta Geometry Transformer', as url:p spells it out"


def test_a_short_form_with_two_long_forms_joins_neither() -> None:
    graph = resolve(
        [record("p", entity("zeta geometry transformer", METHOD, "ZGT")),
         record("q", entity("zero gradient training", METHOD, "ZGT")), record("r", entity("ZGT"))],
        CATALOGUE,
    )  # fmt: skip
    assert led(graph) == {
        ("p", "zeta geometry transformer"): "zetageometrytransformer",
        ("q", "zero gradient training"): "zerogradienttraining",
        ("r", "ZGT"): "zgt",
    }


def test_two_proposals_of_one_name_are_two_nodes_and_the_plain_name_a_third() -> None:
    graph = resolve(
        [
            record("p", entity("DISCO", METHOD, "distribution control"), proposes=["DISCO"]),
            record("q", entity("DISCO", METHOD, "discrete co-occurrence"), proposes=["DISCO"]),
            record("r", entity("DISCO")),
            record("s", entity("DISCO", METHOD, "Distribution Control")),
            record("t", entity("distribution control")),
        ],
        CATALOGUE,
    )
    assert led(graph) == {
        ("p", "DISCO"): "disco~url:p",
        ("q", "DISCO"): "disco~url:q",
        ("r", "DISCO"): "disco",
        ("s", "DISCO"): "disco~url:p",
        ("t", "distribution control"): "disco~url:p",
    }
    assert reason(graph, "s", "DISCO") == "sense: proposed by url:p"


def test_long_forms_that_differ_in_a_word_do_not_make_a_short_form_ambiguous() -> None:
    graph = resolve(
        [
            record("p", entity("EMZ", METHOD, "exponential moving zeta")),
            record("q", entity("exponential moving zeta model", METHOD, "EMZ")),
            record("r", entity("EMZ")),
        ],
        CATALOGUE,
    )
    assert set(led(graph).values()) == {"exponentialmovingzeta"}


def test_a_proposal_without_a_long_form_is_not_another_papers_long_form() -> None:
    graph = resolve(
        [
            record("p", entity("ZOOST", METHOD, "zeta-optimised scalable training"), proposes=["ZOOST"]),
            record("q", entity("ZOOST"), proposes=["ZOOST"]),
            record("r", entity("ZOOST")),
        ],
        CATALOGUE,
    )
    assert set(led(graph).values()) == {"zoost~url:p", "zoost~url:q", "zoost"}


@pytest.mark.parametrize(
    "name", ["Visual Reasoning Network", "stage 2", "Cognitive Topological Reasoning Framework", "Recall@10"]
)
def test_words_that_describe_have_no_family(name: str) -> None:
    (node,) = resolve([record("p", entity(name))], CATALOGUE).nodes
    assert node.family is None


@pytest.mark.parametrize("name", ["Text2CT", "Sa2VA", "OPV2V", "MERG3R", "CO2", "9B/27B", "3.8 M"])
def test_a_number_within_a_name_makes_no_family(name: str) -> None:
    (node,) = resolve([record("p", entity(name))], CATALOGUE).nodes
    assert node.family is None


def test_a_common_word_before_a_number_is_no_family_but_a_name_is() -> None:
    made = [record("p", entity("Book100", DATASET), entity("Zetaphi2"), entity("Zetaphi-X3"))]
    made += [record(key, abstract="Every book is a book.") for key in "qr"]
    families = {node.name: node.family for node in resolve(made, CATALOGUE).nodes}
    assert families["Book100"] is None
    assert families["Zetaphi2"] == "zetaphi"


def test_a_common_word_of_several_versions_is_a_family() -> None:
    made = [record("p", entity("Book100", DATASET), entity("Book200", DATASET))]
    made += [record(key, abstract="Every book is a book.") for key in "qr"]
    assert resolve(made, CATALOGUE).node_of["book100"].family == "book"


def test_what_one_paper_proposes_is_known_to_all() -> None:
    graph = resolve([record("p", entity("Zetaformer")), record("q", entity("ZetaFormer"), proposes=["ZetaFormer"])],
                    CATALOGUE)  # fmt: skip
    assert set(led(graph).values()) == {"zetaformer"}
    assert graph.nodes[0].name == "ZetaFormer"


def test_words_that_describe_are_one_node_though_two_papers_propose_them() -> None:
    made = [record(key, entity("Zeta flow pruning"), proposes=["Zeta flow pruning"]) for key in "pq"]
    assert set(led(resolve(made, CATALOGUE)).values()) == {"zetaflowpruning"}


def test_a_proposal_under_a_known_name_that_is_written_or_typed_otherwise_is_not_the_known_thing() -> None:
    made = [
        record("p", entity("Vggt"), proposes=["Vggt"]),
        record("q", entity("VGGT", catalogue="vggt")),
        record("r", entity("VGGT", DATASET), proposes=["VGGT"]),
        record("s", entity("VGGT"), proposes=["VGGT"]),
    ]
    assert led(resolve(made, CATALOGUE)) == {
        ("p", "Vggt"): "vggt~url:p",
        ("q", "VGGT"): "vggt",
        ("r", "VGGT"): "vggt~url:r",
        ("s", "VGGT"): "vggt",
    }


def test_a_long_form_overrules_a_link_by_the_short_form() -> None:
    dp = entity("DP", METHOD, "dynamic programming", catalogue="differentialprivacy")
    graph = resolve([record("p", dp), record("q", entity("DP", catalogue="differentialprivacy"))], CATALOGUE)
    assert led(graph) == {("p", "DP"): "dynamicprogramming", ("q", "DP"): "differentialprivacy"}


def test_the_type_picks_the_sense_of_a_known_short_form() -> None:
    graph = resolve([record("p", entity("ASR", TASK)), record("q", entity("ASR", EntityType.METRIC))], CATALOGUE)
    assert led(graph) == {("p", "ASR"): "automaticspeechrecognition", ("q", "ASR"): "attacksuccessrate"}


def test_a_size_is_an_alias_unless_its_paper_tells_sizes_apart() -> None:
    graph = resolve(
        [record("p", entity("Zeta-7B")), record("q", entity("Zeta-7B"), entity("Zeta-70B")),
         record("r", entity("A100-80GB", HARDWARE))],
        CATALOGUE,
    )  # fmt: skip
    assert led(graph) == {
        ("p", "Zeta-7B"): "zeta",
        ("q", "Zeta-7B"): "zeta7b",
        ("q", "Zeta-70B"): "zeta70b",
        ("r", "A100-80GB"): "nvidiaa100",
    }
    assert graph.node_of["zeta7b"].family == "zeta"
    assert reason(graph, "p", "Zeta-7B") == "size"


def test_evidence_of_two_entities_of_one_node_merges() -> None:
    one, other = entity("Zeta-X"), entity("ZetaX")
    made = record("p", one, other)
    sure = replace(made.roles[1], confidence=0.95, evidence=(1, 0))
    graph = resolve([replace(made, roles=(made.roles[0], sure))], CATALOGUE)
    uses = next(each for each in graph.assertions if each.role == Role.USES_METHOD)
    mentions = next(each for each in graph.assertions if each.role == Role.MENTIONS)
    assert isinstance(uses, Assertion)
    assert (uses.confidence, [each.exact for each in uses.evidence]) == (0.95, ["ZetaX", "Zeta-X"])
    assert (mentions.confidence, [each.exact for each in mentions.evidence]) == (0.9, ["Zeta-X", "ZetaX"])
    assert [each.sentence for each in uses.evidence] == ["We see ZetaX.", "We see Zeta-X."]


def test_of_two_records_of_one_paper_the_longer_abstract_counts() -> None:
    short = record("p", entity("Zeta"))
    long = record("p", entity("Zeta"), entity("Eta"))
    short = replace(short, paper=replace(short.paper, sources=(Source("b", 1),)))
    long = replace(long, paper=replace(long.paper, sources=(Source("a", 1),)))
    graph = resolve([short, long], CATALOGUE)
    assert len(graph.nodes) == 2
    assert graph.papers[0].sources == (Source("a", 1), Source("b", 1))


@pytest.mark.parametrize(
    ("made", "title"),
    [
        (record("p", title=r"On \textbf{Zeta}  and $\pi_0$"), "On Zeta and π0"),
        (record("p", entity("Eta"), entity("Zeta"), proposes=["Zeta"]), "Zeta"),
        (record("p", entity("zeta flow"), entity("Zeta"), proposes=["zeta flow", "Zeta"]), "Zeta"),
        (record("p", entity("k-means", catalogue="kmean"), proposes=["k-means"]), "k-means"),
        (record("p", abstract="One two three."), "One two three."),
        (record("p", abstract="a b c d e f g h i, j k"), "a b c d e f g h i, j…"),
        (record("p", abstract="x" * 300), "x" * 120 + "…"),
        (record("p", abstract=""), "url:p"),
    ],
)
def test_every_paper_has_a_readable_title(made: PaperRecord, title: str) -> None:
    assert resolve([made], CATALOGUE).titles == (("url:p", title),)


def test_a_catalogue_whose_families_go_in_a_circle_gives_no_circle() -> None:
    things = (KnownThing("zag", METHOD, "Zag", family="Zig"), KnownThing("zig", METHOD, "Zig", family="Zag"))
    graph = resolve([record("p", entity("Zig"), entity("Zag"))], Catalogue(things))
    assert [node.family for node in graph.nodes] == [None, None]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ZorbNet v2", "ZorbNet-2"),
        ("QuxBench 2.0", "QuxBench v2"),
        ("domain generalisation of zorbs", "domain generalization of zorbs"),
        ("Mixtures of zorbs", "mixture of zorbs"),
        ("zorb-of-distribution (ZOD) detection", "zorb-of-distribution detection"),
    ],
)
def test_what_is_written_in_another_way_is_the_node_that_most_papers_lead_to(one: str, other: str) -> None:
    graph = resolve([record("a", entity(other)), record("b", entity(other)), record("c", entity(one))], CATALOGUE)
    assert len({link.node for link in graph.links}) == 1
    assert [link.reason for link in graph.links if link.paper == "c"] == [f"spelling: {other!r}"]


def test_the_plural_of_hardware_is_that_hardware_and_the_size_of_a_model_is_no_plural() -> None:
    names = [("A100s", HARDWARE), ("NVIDIA A100", HARDWARE), ("U-Nets", METHOD), ("U-Net", METHOD)]
    graph = resolve([record(name, entity(name, type_)) for name, type_ in names], CATALOGUE)
    assert {link.node for link in graph.links} == {CATALOGUE.find("A100")[0].key, CATALOGUE.find("U-Net")[0].key}
    assert compare("YOLOv8s", "YOLOv8") == "version"


def test_a_word_of_a_title_does_not_make_two_nodes_of_one_name() -> None:
    titled = record("a", entity("Lidar localisation", TASK, "Lidar"), title="Lidar")
    graph = resolve([titled, record("b", entity("Lidar localisation", TASK))], CATALOGUE)
    assert len({link.node for link in graph.links}) == 1


def test_what_extends_a_name_by_plus_signs_is_a_version_of_it() -> None:
    graph = resolve([record("a", entity("ZorbFormer++"), entity("ZorbFormer"), entity("C++"))], CATALOGUE)
    families = {node.name: node.family for node in graph.nodes}
    assert families == {"ZorbFormer++": "zorbformer", "ZorbFormer": None, "C++": None}


def test_what_is_spelled_out_in_several_ways_does_not_meet_by_its_letters() -> None:
    names = ["ZQE (zonal quick error)", "ZQE (zonal quick error)", "ZQE", "ZQE (zeta quiet encoder)"]
    graph = resolve([record(f"p{number}", entity(name)) for number, name in enumerate(names)], CATALOGUE)
    nodes = [link.node for link in graph.links]
    assert nodes[0] == nodes[1] != nodes[3]
