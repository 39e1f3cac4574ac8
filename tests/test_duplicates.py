"""What is likely one and was not merged."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.corrections import read
from kg.model import EntityType
from kg.review import Built, Duplicate, Thing, duplicates, read_built
from kg.review.suggesting import as_corrections
from tests.commands import built, kg

METHOD, DATASET, HARDWARE = EntityType.METHOD, EntityType.DATASET, EntityType.HARDWARE


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
        (thing("ZetaFormer"), thing("a zeta flow net", "ZetaFormer", papers="q"), "papers call both 'ZetaFormer'"),
        (thing("Zeta flow pruning"), thing("zeta pruning flow", papers="q"), "the same words in another order"),
        (thing("Zetanet-Bridge"), thing("Zetannet-Bridge", papers="q"), "differ in one letter"),
        (thing("ZETAFO"), thing("zero entropy transport for all flow operators", papers="q"), "may be short for"),
        (thing("zeta", papers="p q"), thing("Zeta", key="zeta~q", papers="r"), "one name, but"),
        (
            thing("automatic zeta repair", "AZR"),
            thing("automated zeta repairing", "AZR", papers="q"),
            "'AZR' is short for both",
        ),
    ],
)
def test_what_may_be_one_is_found_with_its_reason(one: Thing, other: Thing, reason: str) -> None:
    titles = {"p": "Bridges of zeta flow", "q": "Bridges of zeta flow", "r": "Bridges of zeta flow"}
    made = things(one, other, thing("Something else"))
    (pair,) = duplicates(replace(made, titles=titles))
    assert {pair.one.iri, pair.other.iri} == {one.iri, other.iri}
    assert reason in pair.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (thing("FlashAttention-2"), thing("FlashAttention-3", papers="q")),
        (thing("Zeta-X", family="https://x.org/entity/zeta"), thing("Zeta", papers="q")),
        (thing("CIFAR-10", type=DATASET), thing("CIFAR-100", type=DATASET, papers="q")),
        (thing("dynamic zeta programming", "DZP"), thing("differential zero privacy", "DZP", papers="q")),
        (thing("Iranian Sign Language"), thing("Italian Sign Language", papers="q")),
        (thing("FatFormer"), thing("SatFormer", papers="q")),
        (thing("STAR"), thing("STARS", papers="q")),
        (thing("OLMo"), thing("OLMoE", papers="q")),
        (thing("Zeta++"), thing("Zetas", papers="q")),
        (thing("text-to-speech synthesis"), thing("speech-to-text synthesis", papers="q")),
        (thing("Zetanet-Bridge"), thing("Zetanet-Fridge", papers="q")),
    ],
)
def test_what_is_told_apart_for_good_is_no_duplicate(one: Thing, other: Thing) -> None:
    assert pairs(things(one, other)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            thing("coarse-to-fine grained classification", "fine-grained classification", "text classification"),
            thing("fine-grained classification", papers="q"),
        ),
        (
            thing("coarse-to-fine grained classification", "fine-grained classification", "text classification"),
            thing("text classification", papers="q"),
        ),
        (thing("PAC learning", papers="q"), thing("PAC Learning of Quantum Measurement Classes", "PAC learning")),
        (thing("federated learning", papers="q r"), thing("personalized federated learning", "federated learning")),
        (thing("regret", "regret bound"), thing("regret bounds", papers="q")),
    ],
)
def test_a_phrase_that_two_things_are_called_by_was_a_likely_duplicate(one: Thing, other: Thing) -> None:
    assert pairs(things(one, other)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (thing("ZorbNet-2"), thing("ZorbNet v2", papers="q")),
        (thing("Zeta ranking with LLMs"), thing("zeta ranking with large language models", papers="q")),
        (thing("zetabased models"), thing("Zetabased", papers="q")),
        (
            thing("ZorbNet-2", family="https://x.org/entity/zorbnet"),
            thing("ZorbNet v2", papers="q", family="https://x.org/entity/zorbnet"),
        ),
        (thing("NVIDIA A100", type=HARDWARE), thing("A100s", type=HARDWARE, papers="q")),
        (thing("Amazon Trainium2", type=HARDWARE), thing("Trainium2 chips", type=HARDWARE, papers="q")),
        (thing("Expectation-Maximisation"), thing("expectation maximization", papers="q")),
    ],
)
def test_names_that_say_the_same_were_not_compared(one: Thing, other: Thing) -> None:
    assert pairs(things(one, other)) == [{one.name, other.name}]


def test_a_duplicate_in_name_comes_before_one_that_a_paper_calls_so() -> None:
    found = pairs(
        things(
            thing("Expectation-Maximisation", papers="p"),
            thing("expectation maximization", papers="q"),
            thing("machine zeta translation", "NZT", papers="r"),
            thing("neural machine zeta translation", "NZT", "neural zeta translation", papers="s"),
        )
    )
    assert found[0] == {"Expectation-Maximisation", "expectation maximization"}


def test_what_one_paper_names_both_of_is_one_only_where_endings_differ() -> None:
    assert pairs(things(thing("ZetaBridgeNet", papers="p"), thing("ZetaBridgNet", papers="p q"))) == []
    apart = things(thing("zeta relational learning", papers="p"), thing("Zeta Relation Learning", papers="q"))
    together = things(thing("zeta relations learning", papers="p"), thing("Zeta Relation Learn", papers="p q"))
    (one,), (other,) = duplicates(apart), duplicates(together)
    assert one.score > other.score
    assert other.reason.endswith("but p names both")


def test_the_likeliest_of_most_papers_comes_first() -> None:
    found = duplicates(
        things(
            thing("zeta probes", papers="p"),
            thing("zeta probing", papers="q"),
            thing("eta probes", papers="r s"),
            thing("eta probing", papers="t u"),
        )
    )
    assert [pair.one.name for pair in found] == ["eta probes", "zeta probes"]


def test_two_known_things_are_no_duplicates_unless_their_names_say_the_same() -> None:
    assert pairs(things(thing("ResNet"), thing("ResNeXt", papers="q"))) == []


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
        thing(f"Zeta network {number}", "CommonName", key=f"zeta~{number:04}", papers=f"p{number}")
        for number in range(2000)
    ]
    assert len(duplicates(things(*crowd))) <= 40 * 39 / 2 * 4


any_text = st.text(min_size=1, max_size=30).filter(str.strip)


@given(st.lists(st.tuples(any_text, any_text, any_text), min_size=1, max_size=4))
def test_no_name_and_no_title_breaks_out_of_a_corrections_file(told: list[tuple[str, str, str]]) -> None:
    made, found = [], []
    for number, (name, other, title) in enumerate(told):
        one = thing(name, key=f"a{number}", papers=f"p{number}")
        two = thing(other, key=f"b{number}", papers=f"q{number}")
        made += [one, two]
        found.append(Duplicate(0.9, one, two, f"both are called {title!r}{title}"))
    titles = {f"p{number}": title for number, (*_, title) in enumerate(told)}
    text = as_corrections(found, replace(things(*made), titles=titles))
    assert yaml.safe_load(text) == {"corrections": None}
    taken = re.sub(r"(?m)^# - merge", "- merge", text)
    entries = yaml.safe_load(taken)["corrections"]
    assert len(entries) == len(found)
    for entry, pair in zip(entries, found, strict=True):
        sayable = {name for thing in (pair.one, pair.other) for name in (thing.name, thing.iri)}
        assert list(entry) == ["merge"]
        assert len(entry["merge"]) == 2
        assert set(entry["merge"]) <= sayable


SCHEMA = Path(__file__).resolve().parents[1] / "kg" / "corrections" / "schema.json"


def test_the_command_lists_them(tmp_path: Path) -> None:
    papers = tmp_path / "papers.txt"
    papers.write_text("We propose ZetaBridgeNet.\n\nWe compare with ZetaBridgNet on ImageNet.\n", encoding="utf-8")
    out = tmp_path / "out"
    built("build", papers, "--out", out)
    listed = kg("duplicates", out, "--output", "csv")
    rows = list(csv.DictReader(StringIO(listed.stdout)))
    assert [(row["name"], row["other name"]) for row in rows] == [("ZetaBridgNet", "ZetaBridgeNet")]
    assert "differ in one letter" in rows[0]["reason"]
    assert rows[0]["other in"] == "“ZetaBridgeNet”"
    as_json = json.loads(kg("duplicates", out, "--output", "json", "--limit", "1").stdout)
    assert as_json[0]["other node"].endswith("/entity/zetabridgenet")
    assert kg("duplicates", out, "--output", "xml").returncode == 2
    assert kg("duplicates", tmp_path / "none").returncode == 1


def test_duplicates_could_not_be_pasted_into_a_corrections_file(tmp_path: Path) -> None:
    papers = tmp_path / "papers.txt"
    papers.write_text(
        "ZetaBridgeNet: a method\nWe propose ZetaBridgeNet.\n\nOn bridges\nWe compare with ZetaBridgNet on ImageNet.\n",
        encoding="utf-8",
    )
    out, file = tmp_path / "out", tmp_path / "corrections.yaml"
    built("build", papers, "--out", out)
    text = kg("duplicates", out, "--output", "corrections").stdout
    file.write_text(text, encoding="utf-8")
    assert read(file) == ()
    jsonschema.validate(yaml.safe_load(text), json.loads(SCHEMA.read_text(encoding="utf-8")))
    file.write_text(text.replace("# - merge", "- merge"), encoding="utf-8")
    done = kg("graph", out / "annotations.jsonl", "--out", tmp_path / "new", "--corrections", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "corrections: 1 took effect" in done.stdout
    assert duplicates(read_built(tmp_path / "new")) == []
