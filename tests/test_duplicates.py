"""What is likely one and was not merged."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import EntityType
from kg.review import Built, Thing, duplicates
from tests.commands import built, kg

METHOD, DATASET = EntityType.METHOD, EntityType.DATASET


def things(*given: Thing) -> Built:
    return Built(Path(), {thing.iri: thing for thing in sorted(given, key=lambda thing: thing.iri)}, ())


def thing(name: str, *aliases: str, type: EntityType = METHOD, papers: str = "p", **more: str) -> Thing:  # noqa: A002
    key = more.get("key", name.lower())
    return Thing(f"https://x.org/entity/{key}", key, type, name, aliases, more.get("family"), frozenset(papers.split()))


def pairs(built_things: Built) -> list[set[str]]:
    return [{pair.one.name, pair.other.name} for pair in duplicates(built_things)]


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        (thing("ZetaFormer"), thing("ZetaFormers Network", "ZetaFormer"), "both are called 'zetaformer'"),
        (thing("Zeta flow pruning"), thing("zeta pruning flow", papers="q"), "the same words"),
        (thing("Zetanet-Bridge"), thing("Zetannet-Bridge", papers="q"), "spelled alike"),
        (thing("ZETAF"), thing("zero entropy transport for alignment flows", papers="q"), "may stand for"),
        (thing("Zeta", key="zeta~p"), thing("Zeta", key="zeta~q", papers="q"), "told apart by what their papers say"),
        (
            thing("automatic zeta repair", "AZR"),
            thing("automated zeta repairing", "AZR", papers="q"),
            "long forms are alike",
        ),
    ],
)
def test_what_may_be_one_is_found_with_its_reason(one: Thing, other: Thing, reason: str) -> None:
    (pair,) = duplicates(things(one, other, thing("Something else")))
    assert {pair.one.iri, pair.other.iri} == {one.iri, other.iri}
    assert reason in pair.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (thing("FlashAttention-2"), thing("FlashAttention-3")),
        (thing("Zeta-X", family="https://x.org/entity/zeta"), thing("Zeta")),
        (thing("CIFAR-10", type=DATASET), thing("CIFAR-100", type=DATASET)),
        (thing("dynamic zeta programming", "DZP"), thing("differential zero privacy", "DZP")),
        (thing("Iranian Sign Language"), thing("Italian Sign Language")),
        (thing("FatFormer"), thing("SatFormer")),
    ],
)
def test_what_is_told_apart_for_good_is_no_duplicate(one: Thing, other: Thing) -> None:
    assert pairs(things(one, other)) == []


def test_what_one_paper_names_both_of_is_less_likely_one() -> None:
    apart = things(thing("Zetanet-Bridge", papers="p"), thing("Zetannet-Bridge", papers="q"))
    together = things(thing("Zetanet-Bridge", papers="p"), thing("Zetannet-Bridge", papers="p q"))
    (one,), (other,) = duplicates(apart), duplicates(together)
    assert one.score > other.score
    assert other.reason.endswith("though p names both")


def test_the_likeliest_of_most_papers_comes_first() -> None:
    found = duplicates(
        things(
            thing("Zetanet-Bridge", papers="p"),
            thing("Zetannet-Bridge", papers="q"),
            thing("Etaformer", "EtaNet Large", papers="r s"),
            thing("Etamodel", "EtaNet Large", papers="t u"),
        )
    )
    assert [pair.one.name for pair in found] == ["Etaformer", "Zetanet-Bridge"]


names = st.text("abcXYZ019 -&/sπ~", min_size=1, max_size=12).filter(str.strip)


@given(st.lists(st.tuples(names, st.lists(names, max_size=2)), max_size=8, unique_by=lambda one: one[0].lower()))
def test_any_names_give_sorted_pairs_whatever_the_order(made: list[tuple[str, list[str]]]) -> None:
    all_things = [thing(name, *aliases) for name, aliases in made]
    found = duplicates(things(*all_things))
    assert found == duplicates(Built(Path(), {one.iri: one for one in reversed(all_things)}, ()))
    assert [pair.score for pair in found] == sorted((pair.score for pair in found), reverse=True)
    assert all(0.5 <= pair.score <= 1 and pair.one.iri < pair.other.iri for pair in found)
    for pair in found:
        assert pair in duplicates(things(*all_things), of=pair.one)


def test_a_word_that_is_one_s_has_initials() -> None:
    assert pairs(things(thing("S s dataset", "a s b s"), thing("SSS"))) == []


def test_many_things_of_one_name_are_compared_in_bounded_time() -> None:
    crowd = [
        thing("Zeta network", "common name", key=f"zeta~{number:04}", papers=f"p{number}") for number in range(2000)
    ]
    assert len(duplicates(things(*crowd))) <= 40 * 39 / 2 * 4


def test_the_command_lists_them(tmp_path: Path) -> None:
    papers = tmp_path / "papers.txt"
    papers.write_text(
        "ZetaBridgeNet: a method\nWe propose ZetaBridgeNet.\n\nOn bridges\nWe compare with ZetaBridgNet on ImageNet.\n",
        encoding="utf-8",
    )
    out = tmp_path / "out"
    built("build", papers, "--out", out)
    listed = kg("duplicates", out, "--output", "csv")
    rows = list(csv.DictReader(StringIO(listed.stdout)))
    assert [(row["name"], row["other name"]) for row in rows] == [("ZetaBridgeNet", "ZetaBridgNet")]
    assert "spelled alike" in rows[0]["reason"]
    as_json = json.loads(kg("duplicates", out, "--output", "json", "--limit", "1").stdout)
    assert as_json[0]["node"].endswith("/entity/zetabridgenet")
    assert kg("duplicates", out, "--output", "xml").returncode == 2
    assert kg("duplicates", tmp_path / "none").returncode == 1
