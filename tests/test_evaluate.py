"""`kg evaluate` counts as the project's scorer does."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import InputError
from kg.evaluate import evaluate, gold_papers, score
from kg.evaluate_given import evaluate_given, given_names
from kg.linking import PIPELINES
from kg.linking.given import tell_roles_of
from kg.model import EntityType, Mention, PaperRecord
from kg.text import plain
from tests.commands import kg
from tests.test_records import paper_records

GOLD: dict[str, Any] = {
    "id": "1",
    "title": "",
    "abstract": "We propose A-1. It beats B on CIFAR-10/100, 8xH100, see https://x.org/B.",
    "entities": [
        {"type": "Method", "name": "A-1", "mentions": ["A-1"], "roles": ["proposes"]},
        {"type": "Method", "name": "B", "mentions": ["B"], "roles": ["comparesTo"], "alt": ["buildsOn"]},
        {"type": "Dataset", "name": "CIFAR-10/100", "mentions": ["CIFAR-10/100"], "roles": ["evaluatesOn"]},
        {"type": "Hardware", "name": "H100", "mentions": ["H100"], "roles": [], "optional": True},
    ],
}


def guess(*found: tuple[str, str, list[str]]) -> dict[str, Any]:
    text = str(GOLD["abstract"])
    mentions, entities, roles = [], [], []
    for number, (surface, kind, told) in enumerate(found):
        start = text.index(surface)
        where = {"field": "abstract", "start": start, "end": start + len(surface)}
        mentions.append(where | {"type": kind, "entity": f"e{number}"})
        entities.append({"id": f"e{number}", "type": kind, "name": surface})
        roles += [{"role": role, "entity": f"e{number}"} for role in told]
    return {"id": "1", "mentions": mentions, "entities": entities, "roles": roles}


def f1(level: str, name: str, *found: tuple[str, str, list[str]]) -> float:
    return score([GOLD], [guess(*found)]).rows()[level, name].f1


def test_all_right_is_one() -> None:
    right = [
        ("A-1", "Method", ["proposes"]),
        ("B", "Method", ["comparesTo"]),
        ("CIFAR-10/100", "Dataset", ["evaluatesOn"]),
    ]
    assert [f1(level, "core", *right) for level in ("mentions", "entities", "roles")] == [1, 1, 1]


def test_nothing_found_is_zero_and_all_missed() -> None:
    rows = score([GOLD], []).rows()
    assert (rows["entities", "core"].f1, rows["entities", "core"].fn) == (0, 3)


def test_what_may_be_left_out_counts_neither_way() -> None:
    rows = score([GOLD], [guess(("H100", "Hardware", ["runsOn"]), ("B", "Method", ["buildsOn"]))]).rows()
    assert (rows["mentions", "core"].tp, rows["mentions", "core"].fp) == (1, 0)
    assert (rows["roles", "core"].tp, rows["roles", "core"].fp) == (0, 0)


def test_parts_of_a_joined_name_are_that_name() -> None:
    assert f1("entities", "Dataset", ("CIFAR-10", "Dataset", [])) == 1


def test_the_wrong_type_is_wrong() -> None:
    rows = score([GOLD], [guess(("B", "Dataset", []))]).rows()
    assert rows["mentions", "Dataset"].fp == rows["entities", "Dataset"].fp == 1


def test_a_paper_that_the_gold_lacks_is_named(tmp_path: Path) -> None:
    gold, predicted = tmp_path / "gold", tmp_path / "predicted"
    gold.write_text(json.dumps(GOLD) + "\n", encoding="utf-8")
    predicted.write_text(json.dumps(guess() | {"id": "other"}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="other"):
        evaluate(gold, predicted)
    expected = r"line 1: an annotated paper, as .* with id, mentions, entities, roles was expected"
    with pytest.raises(InputError, match=expected):
        predicted.write_text("{}\n", encoding="utf-8")
        evaluate(gold, predicted)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"# A list of papers\n", "Expecting value"),
        (b"\x1f\x8b\x08\x00", "not text in UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b'"text"', "not of that form"),
    ],
)
def test_what_is_no_json_lines_is_told_with_the_line_and_what_was_expected(
    tmp_path: Path, content: bytes, said: str
) -> None:
    """It said "Expecting value: line 1 column 1", in whichever line that was."""
    file, good = tmp_path / "papers.md", tmp_path / "gold.jsonl"
    good.write_text(json.dumps(GOLD), encoding="utf-8")
    file.write_bytes(json.dumps(GOLD).encode() + b"\n\n" + content)
    with pytest.raises(InputError, match=rf"papers\.md: line 3: a gold paper with .* as one line of JSON: {said}"):
        evaluate(file, good)
    file.write_bytes(b"\n" + content)
    with pytest.raises(InputError, match=rf"papers\.md: line 2: an annotated paper, as .* with .* JSON: {said}"):
        evaluate(good, file)


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps(GOLD), encoding="utf-8-sig")
    assert gold_papers(gold) == [GOLD]


def test_a_gold_file_of_another_form_is_told_not_a_crash(tmp_path: Path) -> None:
    for wrong in ({"name": "B"}, {**GOLD["entities"][1], "type": "Person"}, "B"):
        gold = tmp_path / "gold.jsonl"
        gold.write_text(json.dumps({**GOLD, "entities": [wrong]}) + "\n", encoding="utf-8")
        with pytest.raises(InputError, match="line 1: a gold paper with id, abstract, entities"):
            evaluate_given(gold)


def test_given_names_are_all_and_only_the_golds() -> None:
    record = given_names({**GOLD, "title": "B and A-1"})
    surfaces = [record.paper.text(m.field)[m.start : m.end] for m in record.mentions]
    assert surfaces == ["B", "A-1", "A-1", "B", "CIFAR-10/100", "H100"]
    assert [e.name for e in record.entities] == ["A-1", "B", "CIFAR-10/100", "H100"]
    assert record.roles == ()


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_with_names_given_the_roles_alone_are_told(pipeline: str, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps(GOLD) + "\n", encoding="utf-8")
    rows = evaluate_given(gold, pipeline=pipeline).rows()
    assert rows["mentions", "all"].f1 == rows["entities", "all"].f1 == 1
    assert rows["roles", "proposes"].tp == rows["roles", "evaluatesOn"].tp == 1


def test_names_inside_markup_are_given_too() -> None:
    """Mentions count in the source, and the pipeline reads its plain text."""
    text = r"We propose \textbf{A-1}. It beats **B** on $\pi_0$ and C."
    entities = [
        {"type": "Method", "name": name, "mentions": [name], "roles": []} for name in ("A-1", "B", r"$\pi_0$", "C")
    ]
    (record,) = tell_roles_of([given_names({"id": "1", "abstract": text, "entities": entities})])
    told = {(claim.role.value, claim.entity): claim for claim in record.roles}
    assert {("proposes", "e1"), ("comparesTo", "e2")} <= set(told)
    assert {claim.entity for claim in record.roles} <= {"e1", "e2", "e3", "e4"}
    for (_, entity), claim in told.items():
        assert {record.mentions[index].entity for index in claim.evidence} == {entity}


def test_a_name_that_is_nowhere_to_be_read_has_no_role() -> None:
    text = "A model <!-- of B --> and <a href='x'>C</a>."
    gone = text.index("href")
    assert "href" not in plain(text).text
    record = given_names({"id": "1", "abstract": text, "entities": []})
    hidden = Mention("abstract", gone, gone + 4, EntityType.METHOD, "e1", 1.0)
    entity = given_names({**GOLD, "entities": GOLD["entities"][:1]}).entities[0]
    (told,) = tell_roles_of([PaperRecord(record.paper, (hidden,), (entity,))])
    assert (told.mentions, told.entities, told.roles) == ((hidden,), (entity,), ())


@settings(max_examples=25, deadline=None)
@given(st.lists(paper_records(), min_size=1, max_size=3), st.sampled_from(tuple(PIPELINES)))
def test_any_record_can_be_given(records: list[PaperRecord], pipeline: str) -> None:
    told = list(tell_roles_of(records, pipeline=pipeline))
    assert [(r.paper, r.mentions, r.entities) for r in told] == [(r.paper, r.mentions, r.entities) for r in records]
    for record in told:
        for claim in record.roles:
            assert {record.mentions[index].entity for index in claim.evidence} == {claim.entity}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((), "--gold-entities"),
        (("predicted.jsonl", "--gold-entities"), "--gold-entities"),
        (("predicted.jsonl", "--pipeline", "rules"), "--pipeline"),
        (("--gold-entities", "--pipeline", "nope"), "accurate, fast, rules"),
    ],
)
def test_what_cannot_be_meant_is_a_wrong_command_line(tmp_path: Path, arguments: tuple[str, ...], word: str) -> None:
    done = kg("evaluate", tmp_path / "gold.jsonl", *arguments)
    assert done.returncode == 2
    assert word in done.stderr


def test_a_stranger_measures_roles_with_names_given(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps(GOLD) + "\n", encoding="utf-8")
    done = kg("evaluate", gold, "--gold-entities", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["roles core"]["f1"] == evaluate_given(gold).rows()["roles", "core"].f1
    assert {name.split()[0] for name in told} == {"roles"}


def test_scores_of_what_is_given_are_not_shown_as_if_it_were_found(tmp_path: Path) -> None:
    """Fourteen rows of mentions and entities said 1.000, which is so by construction."""
    gold = tmp_path / "gold.jsonl"
    gone = {"type": "Method", "name": "Z", "mentions": ["Z"], "roles": ["proposes"]}
    gold.write_text(json.dumps({**GOLD, "entities": [*GOLD["entities"], gone]}) + "\n", encoding="utf-8")
    done = kg("evaluate", gold, "--gold-entities", "--pipeline", "rules", "--errors", "9")
    first, head, *rows = done.stdout.splitlines()
    assert first == f"roles of the names that {gold.as_posix()} gives; the names themselves are not scored"
    assert head.split() == ["P", "R", "F1", "tp", "fp", "fn"]
    assert {row.split()[0] for row in rows} == {"roles", "role-fn"}


def test_the_numbers_are_those_of_the_scorer(shared: Path, tmp_path: Path) -> None:
    chance = random.Random(7)
    golds = [json.loads(line) for line in (shared / "gold" / "dev.jsonl").read_text(encoding="utf-8").splitlines()]
    guesses = []
    for paper in golds:
        mentions, entities, roles = [], [], []
        for number, entity in enumerate(paper["entities"]):
            if chance.random() < 0.2:
                continue
            kind = entity["type"] if chance.random() < 0.9 else "Metric"
            entities.append({"id": f"e{number}", "type": kind, "name": chance.choice(entity["mentions"])})
            roles += [{"role": role, "entity": f"e{number}"} for role in [*entity["roles"], *entity.get("alt", [])]]
            for surface in entity["mentions"]:
                start = paper["abstract"].find(surface)
                if start >= 0:
                    end = start + len(surface) - (chance.random() < 0.1)
                    where = {"field": "abstract", "start": start, "end": end}
                    mentions.append(where | {"type": kind, "entity": f"e{chance.choice([number, 0])}"})
        guesses.append({"id": paper["id"], "mentions": mentions, "entities": entities, "roles": roles})
    predicted = tmp_path / "predicted.jsonl"
    predicted.write_text("".join(json.dumps(g) + "\n" for g in guesses), encoding="utf-8")
    command = [sys.executable, str(shared / "eval" / "score.py"), str(shared / "gold" / "dev.jsonl"), str(predicted)]
    theirs = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True, encoding="utf-8")
    ours = evaluate(shared / "gold" / "dev.jsonl", predicted)
    assert json.loads(ours.to_json()) == json.loads(theirs.stdout)
    table = subprocess.run([*command, "--errors", "3"], check=True, capture_output=True, text=True, encoding="utf-8")
    assert ours.to_text(errors=3).splitlines() == table.stdout.splitlines()
