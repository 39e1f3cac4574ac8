"""What papers propose under names that known things have: a thing of their own, unless they introduced that one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.catalogue import Catalogue, KnownThing
from kg.model import Entity, EntityType, KnowledgeGraph, Mention, Paper, PaperRecord, Role, RoleClaim
from kg.resolution import resolve
from kg.resolution.proposals import coins, gloss
from tests.test_senses import OTHERS, ROUTING, corpus

METHOD = EntityType.METHOD
KNOWN = Catalogue(
    (
        KnownThing("zorb", METHOD, "ZORB", ("Zonal Ordered Ray Bundles",), introduced_by="arxiv:2101.00001"),
        KnownThing("plim", METHOD, "Plim", introduced_by="arxiv:2102.00002"),
        KnownThing("raybundle", METHOD, "ray bundle", ("RAB", "ray bundles"), introduced_by="arxiv:2103.00003"),
    )
)


def paper(key: str, text: str, *entities: Entity, title: str = "", proposes: float = 0.95) -> PaperRecord:
    """A record whose paper says this of its entities, the first of which it is said to propose, that surely."""
    mentions = [
        Mention(field, text_.index(name), text_.index(name) + len(name), one.type, one.id, 0.9)
        for field, text_ in (("title", title), ("abstract", text))
        for one in entities
        for name in (one.name, *one.aliases)
        if name in text_
    ]
    roles = (RoleClaim(Role.PROPOSES, entities[0].id, proposes, (0,)),) if proposes else ()
    return PaperRecord(Paper(key, key, title, text), tuple(mentions), entities, roles)


def known(name: str, *aliases: str) -> Entity:
    return Entity("e", METHOD, name, aliases, KNOWN.find(name)[0].key)


def nodes(graph: KnowledgeGraph) -> dict[str, str]:
    return {link.paper: link.node for link in graph.links if link.entity == "e"}


FIRST = paper("arxiv:2101.00001", f"We present ZORB. {OTHERS[0]}", known("ZORB"))
SECOND = paper("arxiv:2609.00001", f"We present ZORB, a router. {ROUTING}", known("ZORB"))


def test_the_paper_that_introduced_a_known_thing_is_not_thrown_out_of_its_node_by_those_of_a_namesake() -> None:
    users = [
        paper(f"arxiv:2609.0000{n}", f"We compare with ZORB. {ROUTING}", known("ZORB"), proposes=0) for n in (2, 3)
    ]
    found = nodes(resolve(corpus(FIRST, SECOND, *users), KNOWN))
    assert found["arxiv:2101.00001"] == "zorb"
    assert found["arxiv:2609.00001"] == "zorb~arxiv:2609.00001"
    assert found["arxiv:2609.00002"] == found["arxiv:2609.00003"] == "zorb~arxiv:2609.00001"


def test_two_papers_that_propose_a_known_name_are_not_one() -> None:
    third = paper("arxiv:2609.00009", f"We introduce ZORB, which buys. {OTHERS[4]}", known("ZORB"))
    found = nodes(resolve(corpus(SECOND, third), KNOWN))
    assert found == {one.paper.key: f"zorb~{one.paper.key}" for one in (SECOND, third)}


def test_two_papers_without_ids_that_propose_a_known_name_are_not_one_though_unlike_all_that_use_it() -> None:
    used = [paper(f"u{n}", f"We use ZORB. {OTHERS[0]}", known("ZORB"), proposes=0) for n in range(4)]
    made = [replace(one, paper=replace(one.paper, key=key)) for key, one in (("text:a", SECOND), ("text:b", SECOND))]
    made[1] = paper("text:b", f"We introduce ZORB, which buys. {OTHERS[4]}", known("ZORB"))
    found = {link.node for link in resolve(corpus(*made, *used), KNOWN).links if link.entity == "e"}
    assert found == {"zorb", "zorb~text:a", "zorb~text:b"}


@pytest.mark.parametrize(
    ("title", "text", "name"),
    [
        ("Plim: A Tracker of Snakes", "Snakes are tracked.", "Plim"),
        ("Snakes", "We propose PLIM, a tracker of snakes.", "PLIM"),
        ("Snakes", "This paper presents Plim: it tracks snakes.", "Plim"),
        ("Snakes", "A tracker of snakes, called Plim, is fast.", "Plim"),
        ("RAB: snakes", "Snakes are tracked.", "RAB"),
    ],
)
def test_what_another_paper_of_the_archive_calls_by_a_known_name_is_its_own(title: str, text: str, name: str) -> None:
    made = paper("arxiv:2609.00001", text, known(name), title=title)
    assert nodes(resolve([made], KNOWN)) == {"arxiv:2609.00001": f"{name.lower()}~arxiv:2609.00001"}


@pytest.mark.parametrize(
    ("key", "text", "sure"),
    [
        ("arxiv:2609.00001", "We propose a novel Plim for snakes.", 0.95),
        ("arxiv:2609.00001", "We propose Plim training of snakes.", 0.95),
        ("arxiv:2609.00001", "We propose to use Plim, a tracker.", 0.95),
        ("arxiv:2609.00001", "We propose Plim, a tracker.", 0.6),
        ("text:1", "We propose Plim, a tracker.", 0.95),
        ("doi:10.1/1", "We propose Plim, a tracker.", 0.95),
        ("arxiv:2102.00002", "We propose Plim, a tracker.", 0.95),
    ],
)
def test_a_claim_alone_that_a_paper_proposes_it_takes_no_known_thing_from_it(key: str, text: str, sure: float) -> None:
    assert nodes(resolve([paper(key, text, known("Plim"), proposes=sure)], KNOWN)) == {key: "plim"}


def test_a_title_that_spells_a_known_name_out_otherwise_is_of_another_thing_also_without_an_id() -> None:
    made = [
        paper("text:1", "ZORB routes.", known("ZORB"), title="ZORB: Zero-Overhead Routing Backbones"),
        paper("text:2", "ZORB traces.", known("ZORB"), title="ZORB: Zonal Ordered Ray Bundles for Scenes"),
        paper("text:3", "ZORB traces.", known("ZORB"), title="ZORB: Tracing Scenes Fast"),
    ]
    assert nodes(resolve(made, KNOWN)) == {"text:1": "zorb~text:1", "text:2": "zorb", "text:3": "zorb"}


def test_the_first_words_of_a_title_spell_out_what_its_paper_proposes() -> None:
    """Declaration-based Prompt Tuning, of which the paper's entity has the short form alone, was the DPT of vision."""
    made = [
        paper("text:1", "ZORB routes.", known("ZORB"), title="Zero-Overhead Routing of Backbones in Networks"),
        paper("text:2", "ZORB traces.", known("ZORB"), title="Zonal Ordered Ray Bundles in Networks"),
    ]
    assert nodes(resolve(made, KNOWN)) == {"text:1": "zorb~text:1", "text:2": "zorb"}


def test_a_known_technique_that_papers_develop_an_instance_of_is_one() -> None:
    """Four papers that develop an EM algorithm, or so it was read, each had an EM of their own."""
    used = Entity("e", METHOD, "ray bundle", ("RBU",))
    bare = Entity("e", METHOD, "RBU")
    made = [paper("u", f"The ray bundle (RBU) is old. {ROUTING}", used, proposes=0)]
    made += [paper(key, f"We develop an RBU algorithm. {ROUTING}", bare) for key in ("p", "q")]
    assert set(nodes(resolve(made, KNOWN)).values()) == {"raybundle"}
    own = paper("o", f"We propose RBU, a router of backlogs. {OTHERS[8]}", bare)
    assert nodes(resolve([*made, own], KNOWN))["o"] == "rbu~o"


def test_what_is_proposed_under_the_short_form_of_a_known_thing_has_its_key_from_its_own_name() -> None:
    used = Entity("e", METHOD, "ray bundle", ("RBU",))
    own = paper("o", f"We propose RBU, a router of backlogs. {OTHERS[8]}", Entity("e", METHOD, "RBU"))
    made = [paper("u", f"The ray bundle (RBU) is old. {ROUTING}", used, proposes=0), own]
    assert nodes(resolve(made, KNOWN)) == {"u": "raybundle", "o": "rbu~o"}


def test_a_long_form_that_capitals_within_words_make_is_not_the_known_thing() -> None:
    """DETR with Improved deNoising anchOr boxes was the DINO of self-distillation with no labels."""
    made = [
        paper("text:1", "We see ZORB.", known("ZORB", "RETRO with Zipped nORmal Baskets"), proposes=proposes)
        for proposes in (0, 0.95)
    ]
    assert {node for one in made for node in nodes(resolve([one], KNOWN)).values()}.isdisjoint({"zorb"})


def test_the_paper_that_introduced_a_known_thing_has_it_though_its_record_does_not_say_so() -> None:
    made = replace(FIRST, entities=(replace(FIRST.entities[0], catalogue=None),))
    assert nodes(resolve([made], KNOWN)) == {"arxiv:2101.00001": "zorb"}


@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from(["Plim", "ZORB", "RAB"]))
def test_any_text_names_a_thing_or_not(title: str, text: str, name: str) -> None:
    made = paper("arxiv:2609.00001", f"{text} {name} {text}", known(name), title=title)
    assert coins(made, made.entities[0]) in {True, False}
    spelled = gloss(made, made.entities[0])
    assert spelled is None or " ".join(title.split()).endswith(spelled) or spelled in " ".join(title.split())


@given(st.permutations([FIRST, SECOND, paper("arxiv:2609.00009", "We call it ZORB.", known("ZORB")), *corpus()]))
def test_proposals_are_a_function_of_the_set_of_records(made: list[PaperRecord]) -> None:
    assert resolve(made, KNOWN) == resolve(sorted(made, key=lambda one: one.paper.key), KNOWN)
