"""Answers can be read on a terminal of any width: nothing is cut off, and no column is too narrow for its words."""

from __future__ import annotations

import pytest

from kg import terminal
from kg.stores import Table

SENTENCE = "On long sequences, FlashAttention-3 outperforms FlashAttention-2 by 1.5 to 2.0 times on H100 GPUs."
IRI = "https://w3id.org/paper-kg/w/_3wnxmxmmebnavhjn_abstract_621-633"
ANSWERS = Table(
    ("paper", "name", "confidence", "sentence", "also"),
    ((IRI, "FlashAttention-3", 0.93, SENTENCE, (SENTENCE, "b")), (IRI, None, 1, "", ())),
)


def shown(answers: Table, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setenv("COLUMNS", str(width))
    terminal.table(answers, "table")
    return capsys.readouterr().out


@pytest.mark.parametrize("width", [80, 100, 140, 200, 400])
def test_no_word_is_cut_off_or_broken(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(ANSWERS, width, monkeypatch, capsys)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    words = text.split()
    for word in (*ANSWERS.columns, *SENTENCE.split(), IRI, "FlashAttention-3", "0.93", "2"):
        assert word in words, word


def test_where_columns_would_be_too_narrow_each_row_is_a_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    narrow, wide = (shown(ANSWERS, width, monkeypatch, capsys).splitlines() for width in (80, 240))
    assert [line.split()[0] for line in narrow if line.startswith(("1 ─", "2 ─"))] == ["1", "2"]
    assert f"sentence    {SENTENCE[:60].rpartition(' ')[0]}" in "\n".join(narrow)
    assert sum("confidence" in line for line in narrow) == 2
    assert sum("confidence" in line for line in wide) == 1


def test_a_narrow_table_stays_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(("name", "papers"), (("BERT", 3), ("ResNet", 2)))
    lines = [line.split() for line in shown(table, 40, monkeypatch, capsys).splitlines()]
    assert [line for line in lines if line and "─" not in line[0]] == [
        ["name", "papers"],
        ["BERT", "3"],
        ["ResNet", "2"],
        ["2", "rows"],
    ]


def test_no_rows_show_the_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(Table(("name", "papers"), ()), 10, monkeypatch, capsys)
    assert text.endswith("0 rows\n")


def test_what_a_paper_says_is_no_markup(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = Table(("[red]a", "b"), (("[bold]x[/]", "[blue]yyyy"),))
    for width in (20, 80):
        text = shown(answers, width, monkeypatch, capsys)
        assert all(one in text for one in ("[red]a", "[bold]x[/]", "[blue]yyyy"))
