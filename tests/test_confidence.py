"""`--min-confidence` leaves out what is less sure, and what is left is a record like any other."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import build, jobs
from kg.confidence import at_least
from kg.errors import UsageError
from kg.model import Entity, EntityType, Mention, Paper, PaperRecord, Role, RoleClaim
from kg.records import dumps, loads, read_records
from tests.commands import EXAMPLE, built, kg
from tests.test_records import paper_records

LEAST = st.integers(0, 1000).map(lambda n: n / 1000)


@given(paper_records(), LEAST)
def test_what_is_left_is_a_record_of_what_is_sure(record: PaperRecord, least: float) -> None:
    left = at_least(record, least)
    assert loads(dumps(left)) == left
    assert all(claim.confidence >= least for claim in left.roles)
    assert [m for m in record.mentions if m.confidence >= least] == list(left.mentions)
    said = [(c.role, c.entity, c.confidence, [record.mentions[i] for i in c.evidence]) for c in record.roles]
    for claim in left.roles:
        words = [left.mentions[i] for i in claim.evidence]
        before = (b for *what, b in said if what == [claim.role, claim.entity, claim.confidence])
        assert any(words == [m for m in b if m.confidence >= least] and bool(words) == bool(b) for b in before)


@given(paper_records(), LEAST, LEAST)
def test_one_threshold_after_another_is_the_higher_one(record: PaperRecord, one: float, other: float) -> None:
    assert at_least(at_least(record, one), other) == at_least(record, max(one, other))


@given(paper_records())
def test_none_asked_for_leaves_all(record: PaperRecord) -> None:
    assert at_least(record, 0) == record


def test_evidence_points_at_the_same_mentions_as_before() -> None:
    mentions = [
        Mention("abstract", i, i + 1, EntityType.METHOD, f"e{i % 2}", c) for i, c in enumerate((0.9, 0.2, 0.3, 0.8))
    ]
    entities = [Entity(f"e{i}", EntityType.METHOD, name) for i, name in enumerate("AB")]
    roles = [
        RoleClaim(Role.PROPOSES, "e0", 0.9, (2, 0)),
        RoleClaim(Role.USES_METHOD, "e1", 0.7, (3, 1)),
        RoleClaim(Role.COMPARES_TO, "e1", 0.7, (1,)),
    ]
    record = PaperRecord(Paper(key="k", id="i", abstract="ABAB"), tuple(mentions), tuple(entities), tuple(roles))
    left = at_least(record, 0.5)
    assert left.mentions == (mentions[0], mentions[3])
    assert [(c.role, c.evidence) for c in left.roles] == [(Role.PROPOSES, (0,)), (Role.USES_METHOD, (1,))]
    assert at_least(record, 0.85).entities == (entities[0],)


def test_the_commands_agree_on_what_is_left(tmp_path: Path) -> None:
    """Asked of the annotations, of the build or of the graph made of all annotations, it is the same."""
    fast = ("--pipeline", "rules")
    built("annotate", EXAMPLE, "--out", tmp_path / "all.jsonl", *fast)
    built("annotate", EXAMPLE, "--out", tmp_path / "zero.jsonl", *fast, "--min-confidence", "0")
    built("annotate", EXAMPLE, "--out", tmp_path / "sure.jsonl", *fast, "--min-confidence", "0.7")
    built("build", EXAMPLE, "--out", tmp_path / "built", *fast, "--min-confidence", "0.7")
    built("graph", tmp_path / "all.jsonl", "--out", tmp_path / "graph", "--min-confidence", "0.7")
    everything, sure = (tmp_path / "all.jsonl").read_bytes(), (tmp_path / "sure.jsonl").read_bytes()
    assert (tmp_path / "zero.jsonl").read_bytes() == everything
    assert (tmp_path / "built" / "annotations.jsonl").read_bytes() == sure
    assert (tmp_path / "graph" / "annotations.jsonl").read_bytes() == sure
    assert (tmp_path / "graph" / "graph.nt").read_bytes() == (tmp_path / "built" / "graph.nt").read_bytes()
    records = list(read_records(tmp_path / "all.jsonl"))
    assert list(read_records(tmp_path / "sure.jsonl")) == [at_least(record, 0.7) for record in records]
    assert sum(len(json.loads(line)["mentions"]) for line in sure.splitlines()) < sum(len(r.mentions) for r in records)


def test_a_confidence_that_is_none_is_a_wrong_command_line(tmp_path: Path) -> None:
    for wrong in ("1.5", "-0.1", "much", "nan"):
        done = kg("build", EXAMPLE, "--out", tmp_path / "out", "--min-confidence", wrong)
        assert (done.returncode, (tmp_path / "out").exists()) == (2, False)
        assert "--min-confidence" in done.stderr


@pytest.mark.parametrize("wrong", [math.nan, 1.5, -1])
def test_python_refuses_a_confidence_that_is_none_as_the_command_line_does(tmp_path: Path, wrong: float) -> None:
    """It left out all names, or none, without a word."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        build([EXAMPLE], min_confidence=wrong)
    for job, source in ((jobs.build, EXAMPLE), (jobs.annotate, EXAMPLE), (jobs.write_graph, tmp_path / "none.jsonl")):
        with pytest.raises(UsageError, match="between 0 and 1"):
            job([source], tmp_path / "out", min_confidence=wrong)
    with pytest.raises(UsageError, match="between 0 and 1"):
        at_least(PaperRecord(Paper(key="k", id="i", abstract="A")), wrong)
    assert not (tmp_path / "out").exists()


def test_python_refuses_other_options_that_are_none_in_the_same_way() -> None:
    for wrong in ({"format": "nope"}, {"pipeline": "nope"}, {"jobs": 0}):
        with pytest.raises(UsageError):
            build([EXAMPLE], **wrong)
