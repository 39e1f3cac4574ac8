"""PaperRecords as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import AnnotationsError
from kg.model import Entity, EntityType, Mention, Paper, PaperRecord, Role, RoleClaim
from kg.readers.decoding import clean
from kg.records import dumps, loads, read_records

TEXT = st.text(max_size=30).map(clean)
UNIT = st.integers(0, 1000).map(lambda n: n / 1000)


@st.composite
def paper_records(draw: st.DrawFn) -> PaperRecord:
    abstract = draw(st.text(min_size=1, max_size=40).map(clean))
    paper = Paper(
        key=draw(st.text(min_size=1, max_size=9).map(clean)),
        id=draw(TEXT),
        title=draw(TEXT),
        abstract=abstract,
        body=tuple(draw(st.lists(TEXT, max_size=2))),
        authors=tuple(draw(st.lists(TEXT, max_size=2))),
        venue=draw(st.none() | st.text(min_size=1, max_size=9).map(clean)),
        year=draw(st.none() | st.integers(1900, 2100)),
        identifiers=tuple(sorted(draw(st.dictionaries(TEXT, TEXT, max_size=2)).items())),
    )
    names = draw(st.lists(TEXT, min_size=1, max_size=3))
    kinds = st.sampled_from(EntityType)
    entities = tuple(
        Entity(f"e{i}", draw(kinds), name, tuple(draw(st.lists(TEXT, max_size=2))), draw(st.none() | st.just("known")))
        for i, name in enumerate(names)
    )
    ids = st.sampled_from([e.id for e in entities])
    mentions = []
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(abstract) - 1))
        end = draw(st.integers(start + 1, len(abstract)))
        mentions.append(Mention("abstract", start, end, draw(kinds), draw(ids), draw(UNIT)))
    points = st.lists(st.integers(0, len(mentions) - 1), max_size=2).map(tuple)
    roles = [RoleClaim(draw(st.sampled_from(Role)), draw(ids), draw(UNIT), draw(points)) for _ in range(2)]
    return PaperRecord(paper, tuple(mentions), entities, tuple(roles))


@given(paper_records())
def test_a_line_gives_back_the_record(record: PaperRecord) -> None:
    line = dumps(record)
    assert "\n" not in line
    assert loads(line) == record


VALID = dumps(
    PaperRecord(
        Paper(key="k", id="i", abstract="A b"),
        (Mention("abstract", 0, 1, EntityType.METHOD, "e1", 0.5),),
        (Entity("e1", EntityType.METHOD, "A"),),
        (RoleClaim(Role.PROPOSES, "e1", 0.5, (0,)),),
    )
)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda v: v.pop("key"), "lacks 'key'"),
        (lambda v: v.update(key=""), "the key is empty"),
        (lambda v: v.update(title=3), "is not a string"),
        (lambda v: v.update(title="\ud800"), "surrogate"),
        (lambda v: v["mentions"][0].update(end=9), "mention 0 lies outside the field 'abstract'"),
        (lambda v: v["mentions"][0].update(type="Person"), "'Person' is not a valid EntityType"),
        (lambda v: v["mentions"][0].update(confidence=float("nan")), "is not between 0 and 1"),
        (lambda v: v["roles"][0].update(entity="e9"), "no entity has the id 'e9'"),
        (lambda v: v["roles"][0].update(evidence=[4]), "points at no mention"),
        (lambda v: v["entities"].append(v["entities"][0]), "two entities have one id"),
    ],
)
def test_a_line_that_is_no_record_says_where_and_why(tmp_path: Path, change: object, reason: str) -> None:
    values = json.loads(VALID)
    change(values)  # type: ignore[operator]
    path = tmp_path / "annotations.jsonl"
    path.write_text(VALID + "\n\n" + json.dumps(values) + "\n", encoding="utf-8")
    with pytest.raises(AnnotationsError) as error:
        list(read_records(path))
    assert "line 3: " in str(error.value)
    assert reason in str(error.value)


@pytest.mark.parametrize("line", ["[]", "3", "{}", "{", "null", '"x"'])
def test_json_of_another_form_is_no_record(line: str) -> None:
    with pytest.raises(ValueError, match=r"lacks|not of the form|Expecting"):
        loads(line)


def test_a_file_that_is_not_there_or_not_text_says_so(tmp_path: Path) -> None:
    with pytest.raises(AnnotationsError, match="cannot be read: No such file"):
        list(read_records(tmp_path / "none.jsonl"))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AnnotationsError, match="not a text file in UTF-8"):
        list(read_records(tmp_path / "bytes"))
