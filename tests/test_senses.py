"""Which of the things that share a name a paper means: told by context, and by nothing else than the set of records."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.catalogue import load
from kg.model import EntityType
from kg.resolution import resolve
from kg.resolution.forms import Forms, alike
from kg.resolution.known import linked_thing
from tests.gold import gold_records
from tests.test_resolution import entity, led, reason, record

if TYPE_CHECKING:
    from pathlib import Path

    from kg.model import Entity, PaperRecord

METHOD, DATASET, TASK = EntityType.METHOD, EntityType.DATASET, EntityType.TASK
CATALOGUE = load()

ROUTING = "Wireless routing queues packets over multi-hop networks; throughput and delay of the backlog are bounded."
LEARNING = (
    "Gradient learning of neural networks propagates errors backward through layers; synaptic plasticity is local."
)
OTHERS = [
    "Protein structures are predicted from sequences of amino acids with templates and alignments.",
    "Quantum circuits are compiled for superconducting hardware under noise and limited connectivity.",
    "Translation between languages of few resources profits from parallel corpora and back-translated text.",
    "Autonomous vehicles plan trajectories among pedestrians with lidar and cameras in crowded streets.",
    "Auctions with budgets elicit truthful bids from strategic agents under uncertainty of valuations.",
    "Galaxies in telescope surveys are classified by morphology with photometric redshifts and spectra.",
    "Patients in intensive care are monitored; mortality is predicted from vital signs and laboratory tests.",
    "Music is generated from symbolic scores with harmony, rhythm and melody that listeners prefer.",
    "Crops in satellite images are segmented by season, rainfall and soil for food security.",
    "Compilers schedule loops, tile memory and vectorise kernels for processors with deep hierarchies.",
]


def about(key: str, text: str, *entities: Entity, proposes: tuple[str, ...] = ()) -> PaperRecord:
    """A record of these entities whose abstract goes on with a text."""
    made = record(key, *entities, proposes=proposes)
    return replace(made, paper=replace(made.paper, abstract=f"{made.paper.abstract} {text}"))


def corpus(*own: PaperRecord) -> list[PaperRecord]:
    return [*own, *(about(f"other{number}", text, entity(f"Other-{number}x")) for number, text in enumerate(OTHERS))]


SPELLED = [
    about("r1", ROUTING, entity("back pressure", METHOD, "BP")),
    about("r2", ROUTING, entity("back pressure", METHOD, "BP")),
    about("l1", LEARNING, entity("belief projection", METHOD, "BP")),
    about("l2", LEARNING, entity("belief projection", METHOD, "BP")),
]


def test_a_bare_name_goes_to_the_thing_that_its_context_fits() -> None:
    graph = resolve(corpus(*SPELLED, about("a", ROUTING, entity("BP")), about("b", LEARNING, entity("BP"))), CATALOGUE)
    assert led(graph)["a", "BP"] == "backpressure"
    assert led(graph)["b", "BP"] == "beliefprojection"
    assert reason(graph, "a", "BP").startswith("context: backpressure (")


def test_names_that_stand_for_other_things_too_do_not_name_a_node() -> None:
    bare = [about(str(number), ROUTING, entity("BP")) for number in range(5)]
    node = resolve(corpus(*SPELLED, *bare), CATALOGUE).node_of["backpressure"]
    assert (node.name, node.aliases) == ("back pressure", ("BP",))


def test_a_bare_name_that_fits_neither_stays_by_itself() -> None:
    graph = resolve(corpus(*SPELLED, about("c", OTHERS[0], entity("BP"))), CATALOGUE)
    assert led(graph)["c", "BP"] == "bp"
    assert reason(graph, "c", "BP").startswith("unlike: ")


def test_the_only_long_form_is_not_that_of_a_paper_on_something_else() -> None:
    spelled = about("r1", ROUTING, entity("back pressure", METHOD, "BP"))
    graph = resolve(corpus(spelled, about("a", ROUTING, entity("BP")), about("c", OTHERS[3], entity("BP"))), CATALOGUE)
    assert (led(graph)["a", "BP"], led(graph)["c", "BP"]) == ("backpressure", "bp")


def test_in_a_paper_too_short_to_compare_the_only_long_form_is_taken() -> None:
    spelled = about("r1", ROUTING, entity("back pressure", METHOD, "BP"))
    graph = resolve([spelled, about("c", "Trajectories are planned.", entity("BP"))], CATALOGUE)
    assert led(graph)["c", "BP"] == "backpressure"


def test_in_a_list_of_two_papers_the_only_long_form_is_not_that_of_one_on_something_else() -> None:
    spelled = about("r1", ROUTING, entity("back pressure", METHOD, "BP"))
    graph = resolve([spelled, about("a", ROUTING, entity("BP")), about("c", OTHERS[3], entity("BP"))], CATALOGUE)
    assert (led(graph)["a", "BP"], led(graph)["c", "BP"]) == ("backpressure", "bp")


def test_a_narrower_thing_is_not_what_a_general_short_form_means_in_other_papers() -> None:
    """LMs were contextual language models, and DNNs temporal-coded deep spiking ones."""
    narrow = about("p", ROUTING, entity("queueing backlog processes", METHOD, "BP"))
    plain = about("p", ROUTING, entity("backlog processes", METHOD, "BP"))
    near = f"Networks with delay. {' '.join(OTHERS[:5])}"
    for one, node in ((narrow, "bp"), (plain, "backlogprocess")):
        found = led(resolve([one, about("a", near, entity("BP")), about("b", "It is fast.", entity("BP"))], CATALOGUE))
        assert found["a", "BP"] == found["b", "BP"] == node


def test_what_most_papers_spell_a_short_form_out_as_is_meant_by_a_paper_that_is_like_any() -> None:
    spelled = [about(f"p{n}", OTHERS[n], entity("back pressure", METHOD, "BP")) for n in range(6)]
    odd = about("q", OTHERS[8], entity("belief projection", METHOD, "BP"))
    neutral = f"Models are trained from data between languages under noise; they improve under uncertainty. {OTHERS[7]}"
    graph = resolve([*spelled, odd, about("a", neutral, entity("BP"))], CATALOGUE)
    assert led(graph)["a", "BP"] == "backpressure"


def test_in_a_short_list_a_known_thing_gives_way_to_what_other_papers_spell_out() -> None:
    """SGD on dialogues was stochastic gradient descent, though two of six papers spell Schema-Guided Dialogue out."""
    known = entity("SAM", METHOD, catalogue="sam")
    made = [
        about("p", ROUTING, entity("scheduled access multiplexing", DATASET, "SAM")),
        about("q", ROUTING, entity("scheduled access multiplexing", DATASET, "SAM")),
        *(about(key, text, known) for key, text in (("a", ROUTING), ("b", OTHERS[8]), ("c", OTHERS[0]))),
    ]
    graph = resolve(made, CATALOGUE)
    found = led(graph)
    assert found["a", "SAM"] == "scheduledaccessmultiplexing"
    assert found["b", "SAM"] == found["c", "SAM"] == "sam"
    assert graph.node_of["scheduledaccessmultiplexing"].types == (DATASET,)


def test_reasons_name_all_that_was_weighed() -> None:
    known = entity("SAM", METHOD, catalogue="sam")
    made = [
        about("p", ROUTING, entity("scheduled access multiplexing", METHOD, "SAM")),
        about("q", LEARNING, entity("synaptic activity model", METHOD, "SAM")),
        *(about(key, text, known) for key, text in (("a", ROUTING), ("b", OTHERS[8]), ("c", OTHERS[0]))),
        about("d", ROUTING, entity("BP")),
        about("e", ROUTING, entity("back pressure", METHOD, "BP")),
    ]
    graph = resolve(made, CATALOGUE)
    other, third = r"synapticactivitymodel: \d\.\d\d", r"scheduledaccessmultiplexing"
    assert re.fullmatch(rf"context: {third} \(\d+\.\d\d; (sam: \d\.\d\d; )?{other}.*\)", reason(graph, "a", "SAM"))
    assert re.fullmatch(rf"catalogue: sam \(\d\.\d\d; .*{third}: \d\.\d\d.*\)", reason(graph, "b", "SAM"))
    assert re.fullmatch(r"abbreviation: 'back pressure', as url:e spells it out", reason(graph, "d", "BP"))
    refused = reason(resolve([*SPELLED, about("c", OTHERS[0], entity("BP"))], CATALOGUE), "c", "BP")
    assert re.fullmatch(r"unlike: \w+ \(\d\.\d\d; \w+: \d\.\d\d\)", refused)
    assert "backpressure" in refused
    assert "beliefprojection" in refused


def test_in_a_short_list_of_two_proposals_clear_uses_are_told_apart() -> None:
    made = [
        about("p", ROUTING, entity("Zephyrine"), proposes=("Zephyrine",)),
        about("q", OTHERS[8], entity("Zephyrine"), proposes=("Zephyrine",)),
        *(about(key, text, entity("Zephyrine")) for key, text in (("a", ROUTING), ("b", OTHERS[8]), ("c", OTHERS[4]))),
    ]
    found = led(resolve(made, CATALOGUE))
    assert found["a", "Zephyrine"] == "zephyrine~url:p"
    assert found["b", "Zephyrine"] == "zephyrine~url:q"
    assert found["c", "Zephyrine"] == "zephyrine"


def test_papers_that_mean_another_thing_do_not_say_what_a_known_one_is_like() -> None:
    """Five papers on flat minima had made Segment Anything a thing of flat minima, and stayed with it."""
    known = entity("SAM", METHOD, catalogue="sam")
    made = [about("p", ROUTING, entity("scheduled access multiplexing", METHOD, "SAM"))]
    made += [about(f"b{n}", OTHERS[8], known) for n in range(2)]
    words = ROUTING.rstrip(".").split()
    made += [about(f"a{n}", " ".join(words[n:] + words[: n + 1]), known) for n in range(5)]
    found = led(resolve(made, CATALOGUE))
    assert {found[f"a{n}", "SAM"] for n in range(5)} == {"scheduledaccessmultiplexing"}
    assert {found[f"b{n}", "SAM"] for n in range(2)} == {"sam"}


def test_the_names_of_a_known_thing_say_what_it_is_like() -> None:
    """The paper that proposes a known thing, given without an id, was none of its own users' kind."""
    known = entity("SAM", METHOD, catalogue="sam")
    text = "We propose SAM, a model that can segment anything from prompts, and a data engine of masks and images."
    own = replace(about("p", text, known, proposes=("SAM",)))
    made = [own, about("a", ROUTING, known), about("b", OTHERS[0], known)]
    assert led(resolve(made, CATALOGUE))["p", "SAM"] == "sam"


def test_a_known_thing_gives_way_to_what_the_context_clearly_is() -> None:
    known = entity("SAM", METHOD, catalogue="sam")
    routed = [about(f"r{n}", ROUTING, entity("scheduled access multiplexing", METHOD, "SAM")) for n in range(3)]
    seen = [about(f"s{n}", OTHERS[8], known) for n in range(3)]
    graph = resolve(corpus(*routed, *seen, about("a", ROUTING, known), about("b", OTHERS[8], known)), CATALOGUE)
    assert led(graph)["a", "SAM"] == "scheduledaccessmultiplexing"
    assert led(graph)["b", "SAM"] == "sam"


def test_a_dataset_of_the_name_of_a_proposed_method_on_something_else_is_another_thing() -> None:
    proposed = about("p", ROUTING, entity("SEEDZ"), proposes=("SEEDZ",))
    graph = resolve(corpus(proposed, about("a", OTHERS[6], entity("SEEDZ", DATASET))), CATALOGUE)
    assert (led(graph)["p", "SEEDZ"], led(graph)["a", "SEEDZ"]) == ("seedz", "seedz~other")


def test_what_one_paper_proposes_is_known_to_all_whatever_these_are_about() -> None:
    proposed = about("p", ROUTING, entity("SEEDZ"), proposes=("SEEDZ",))
    graph = resolve(corpus(proposed, *(about(str(n), OTHERS[n], entity("SEEDZ")) for n in range(4))), CATALOGUE)
    assert {node for (_, name), node in led(graph).items() if name == "SEEDZ"} == {"seedz"}


def test_a_proposal_that_is_spelled_out_is_not_a_known_thing_of_which_no_long_form_is_known() -> None:
    """The emotion corpus MELD was every other MELD."""
    meld = entity("MELD", METHOD, "Multi-Task Equilibrated Learning Detector", catalogue="meld")
    graph = resolve([record("p", meld, proposes=["MELD"])], CATALOGUE)
    assert "meld" not in graph.node_of


def test_words_that_a_paper_proposes_are_not_a_known_name() -> None:
    """Fixed-parameter universal transformers that simulate any transformer are not the model of 2018."""
    name = "universal transformers"
    made = [
        record("p", entity(name, METHOD, catalogue="universaltransformer"), proposes=[name]),
        record("q", entity("Universal Transformers", METHOD, catalogue="universaltransformer")),
        record("r", entity(name, METHOD, catalogue="universaltransformer")),
    ]
    graph = resolve(made, CATALOGUE)
    assert led(graph)["p", name] == "universaltransformer~url:p"
    assert led(graph)["q", "Universal Transformers"] == led(graph)["r", name] == "universaltransformer"


def test_the_paper_that_introduced_a_known_thing_proposes_that() -> None:
    mamba = entity("MELD", DATASET, "Multimodal EmotionLines Dataset", catalogue="meld")
    made = record("p", mamba, proposes=["MELD"])
    thing = CATALOGUE.get("meld")
    assert thing is not None
    assert thing.introduced_by is not None
    made = replace(made, paper=replace(made.paper, key=thing.introduced_by))
    assert linked_thing(mamba, CATALOGUE, made) == thing


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Automated Program Repair", "automatic program repair", True),
        ("Text-guided Image Editing", "text-based image editing", True),
        ("back propagation of error algorithm", "backpropagation", True),
        ("vision foundation models", "Visual Foundation Model", True),
        ("Multi-level Mask Generation", "Multimodal Generalization", False),
        ("Multi-Scale Deformable Aggregation", "multi-scale deformable attention", False),
        ("Contrastive World Model", "Counterfactual World Model", False),
        ("reinforcement fine-tuning", "rejection fine-tuning", False),
    ],
)
def test_long_forms_that_say_the_same(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same
    assert alike(other, one) is same


def test_alike_long_forms_are_one_though_the_short_form_has_others() -> None:
    told = [
        ("p", entity("automated program repair", METHOD, "APR")),
        ("q", entity("automatic program repair", METHOD, "APR")),
        ("r", entity("aesthetic photo reconstruction", METHOD, "APR")),
    ]
    forms = Forms(told)
    assert {long.papers for long in forms.long_forms("apr")} == {frozenset("r"), frozenset("pq")}
    assert forms.canonical("automatedprogramrepair") == forms.canonical("automaticprogramrepair")
    assert "apr" in forms.ambiguous
    assert forms.canonical("apr") == "apr"


names = st.sampled_from(["BP", "back pressure", "belief projection", "SAM", "ZQ"])
some_records = st.lists(
    st.tuples(
        st.integers(0, 40),
        st.sampled_from([ROUTING, LEARNING, *OTHERS]),
        st.lists(st.tuples(names, st.sampled_from([METHOD, DATASET, TASK]), st.lists(names, max_size=1)), max_size=2),
        st.booleans(),
    ),
    max_size=16,
)


@given(some_records, st.randoms(use_true_random=False))
def test_senses_are_a_function_of_the_set_of_records(
    drawn: list[tuple[int, str, list[tuple[str, EntityType, list[str]]], bool]], random: object
) -> None:
    made = []
    for key, text, told, proposed in drawn:
        entities = {name: entity(name, type_, *aliases) for name, type_, aliases in told}
        made.append(about(str(key), text, *entities.values(), proposes=tuple(entities)[:1] if proposed else ()))
    shuffled = made + made[:5]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve(shuffled, CATALOGUE) == resolve(made, CATALOGUE)


@pytest.mark.parametrize(
    ("name", "alias", "node"),
    [
        ("ZQR understanding", "ZQR", "zqr"),
        ("ZQR-based", "ZQR", "zqr"),
        ("ZQR", "ZQR pipelines", "zqr"),
        ("ZQR-Med2D", "ZQR", "zqrmed2d"),
        ("obstructive zeta quick repair", "ZQR", "zetaquickrepair"),
    ],
)
def test_a_name_that_only_adds_words_is_what_it_adds_them_to(name: str, alias: str, node: str) -> None:
    spelled = [record(key, entity("zeta quick repair", METHOD)) for key in "pq"] if name.endswith("repair") else []
    graph = resolve([record("a", entity(name, METHOD, alias)), record("b", entity("ZQR")), *spelled], CATALOGUE)
    assert led(graph)["a", name] == node


def test_what_a_paper_proposes_is_not_what_its_name_adds_words_to() -> None:
    graph = resolve([record("a", entity("ZQR tracking", METHOD, "ZQR"), proposes=["ZQR tracking"])], CATALOGUE)
    assert led(graph)["a", "ZQR tracking"] == "zqrtracking"


def test_a_short_form_says_which_known_thing_a_name_is() -> None:
    graph = resolve([record("a", entity("vision-language models", METHOD, "LVLMs"))], CATALOGUE)
    assert set(led(graph).values()) == {"largevisionlanguagemodel"}


def test_a_version_that_its_paper_calls_by_the_plain_name_is_not_what_others_mean_by_that() -> None:
    known = entity("SAM", METHOD, catalogue="sam")
    made = [about(f"v{n}", ROUTING, entity("SAM 2", METHOD, "SAM", catalogue="sam2")) for n in range(3)]
    made += [about("a", ROUTING, known), about("b", OTHERS[8], known)]
    found = led(resolve(made, CATALOGUE))
    assert found["a", "SAM"] == found["b", "SAM"] == "sam"


def test_a_narrower_thing_is_not_the_known_one_whose_short_form_its_paper_uses_for_it() -> None:
    name = "temporal-coded deep spiking neural network"
    graph = resolve([record("p", entity(name, METHOD, "DNN"))], CATALOGUE)
    assert led(graph)["p", name] != "deepneuralnetwork"


def test_a_short_form_used_as_another_type_is_the_known_thing_only_where_that_is_like_it() -> None:
    """SR, a success rate, was super-resolution."""
    made = [about(f"p{n}", OTHERS[8], entity("support vector machine", METHOD, "SVM")) for n in range(2)]
    made += [about("a", ROUTING, entity("SVM", EntityType.HARDWARE)), about("b", OTHERS[8], entity("SVM"))]
    made += [about("q", OTHERS[4], entity("second venue market", METHOD, "SVM"))]
    found = led(resolve(made, CATALOGUE))
    assert (found["a", "SVM"], found["b", "SVM"]) == ("svm~other", "supportvectormachine")


def test_senses_of_the_annotated_papers(shared: Path) -> None:
    """Resolution alone, on mentions that are all right; benchmarks/linking.py counts what a whole build does."""
    made = [one for name in ("train", "dev") for one in gold_records(shared / "gold" / f"{name}.jsonl", CATALOGUE)]
    nodes = {(link.paper, link.entity): link.node for link in resolve(made, CATALOGUE).links}
    found = {}
    for one in made:
        fields = dict(one.paper.fields())
        for mention in one.mentions:
            surface = fields[mention.field][mention.start : mention.end]
            found[one.paper.id, surface] = nodes[one.paper.id, mention.entity]
    same, together = Counter[bool](), Counter[bool]()
    for line in (shared / "gold" / "senses.jsonl").read_text(encoding="utf-8").splitlines():
        block = json.loads(line)
        for a, b in combinations(block["occurrences"], 2):
            left, right = found.get((a["paper"], block["name"])), found.get((b["paper"], block["name"]))
            if left is not None and right is not None:
                (same if a["sense"] == b["sense"] else together)[left == right] += 1
    precision = same[True] / (same[True] + together[True])
    recall = same[True] / same.total()
    apart = together[False] / together.total()
    assert precision >= 0.93, precision
    assert recall >= 0.88, recall
    assert apart >= 0.85, apart
