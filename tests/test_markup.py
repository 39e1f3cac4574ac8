"""Markup becomes plain text, and every span of it leads back into the source."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text import plain

PIECES = st.sampled_from(
    [
        "\\textbf{", "\\emph{", "}", "{", "$", "$$", "*", "**", "***", "_", "`", "``", "\\'e", '\\"{o}', "\\&", "\\",
        "~", "--", "''", "<b>", "</b>", "<p>", "<", "&amp;", "&", "[", "](x)", "^2", "_0", "\\pi", "\\cite{a}", " ",
        "\n", "FPRM", "a", "é", "9", ".", "\\href{", "&nbsp;", "\u00a0", "&fjlig;",
    ]
)  # fmt: skip
MARKED = st.lists(PIECES, max_size=40).map("".join)


def surface(source: str, words: str) -> str:
    """Return the source of `words` as they stand in the plain text."""
    read = plain(source)
    start = read.text.index(words)
    first, last = read.span(start, start + len(words))
    return source[first:last]


@given(st.one_of(st.text(), MARKED))
def test_offsets_are_monotone_and_lie_in_the_source(source: str) -> None:
    read = plain(source)
    assert len(read.offsets) == len(read.text) + 1
    assert len(read.ends) == len(read.text)
    assert all(0 <= place <= len(source) for place in (*read.offsets, *read.ends))
    assert list(read.offsets) == sorted(read.offsets)
    assert list(read.ends) == sorted(read.ends)


@given(MARKED, st.data())
def test_any_span_of_the_text_is_a_span_of_the_source(source: str, data: st.DataObject) -> None:
    read = plain(source)
    if read.text:
        start = data.draw(st.integers(0, len(read.text) - 1))
        end = data.draw(st.integers(start + 1, len(read.text)))
        first, last = read.span(start, end)
        assert 0 <= first < last <= len(source)
        assert first <= read.offsets[start]
        assert last >= read.ends[end - 1]


@given(
    st.lists(st.text(st.characters(categories=["L", "N"], include_characters=".,;:()!?/+'")).filter(bool)).map(" ".join)
)
def test_text_without_markup_is_unchanged(source: str) -> None:
    source = source.replace("''", "'")
    read = plain(source)
    assert read.text == source
    assert read.offsets == tuple(range(len(source) + 1))


@given(st.text())
def test_white_space_becomes_single_spaces(source: str) -> None:
    assert not any(
        a.isspace() and b.isspace() for a, b in zip(plain(source).text, plain(source).text[1:], strict=False)
    )


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\textbf{X} and \emph{y}", "X and y"),
        (r"$\pi_0$ and $\pi_{0.5}$", "π0 and π0.5"),
        (r"$\text{MoE}^2$", "MoE2"),
        (r"Schr\"odinger, M\"{o}bius, \v{S}koda, na\"{\i}ve, \c{c}a", "Schrödinger, Möbius, Škoda, naïve, ça"),
        (r"R\&D at 5\% and \$5", "R&D at 5% and $5"),
        ("RTX~5090 has ~10 GB", "RTX 5090 has ~10 GB"),
        ("Schwartz--Hearst", "Schwartz–Hearst"),
        ("**Compr**ession", "Compression"),
        ("***FPRM*** and *x*", "FPRM and x"),
        ("run `vLLM` now", "run vLLM now"),
        ("see [BERT](https://example.org/a) and [1]", "see BERT and [1]"),
        ("see \\href{https://example.org}{BERT}", "see BERT"),
        ("as shown \\cite{vaswani}.", "as shown ."),
        ("<b>X</b> &amp; H<sub>2</sub>O, <jats:italic>y</jats:italic>", "X & H2O, y"),
        ("<p>One.</p><p>Two.</p>", " One. Two. "),
        ("one\n  two\tthree", "one two three"),
        ("{BERT}: Pre-training", "BERT: Pre-training"),
    ],
)
def test_markup_is_read(source: str, text: str) -> None:
    assert plain(source).text == text


@pytest.mark.parametrize(
    "source",
    [
        "A*, D* and RRT* search", "it costs $5 and $10", "if a < b & c > d", "snake_case and o200k_base",
        "<think> tokens", "set {a", "f(x) = [0, 1)", "AT&T", "a ** b", "C:\\1",
    ],
)  # fmt: skip
def test_what_is_no_markup_stays(source: str) -> None:
    assert plain(source).text == source


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        ("the **FPRM** model", "FPRM", "FPRM"),
        ("the ***FPRM*** model", "FPRM", "FPRM"),
        (r"the \textbf{\emph{FPRM}} model", "FPRM", "FPRM"),
        (r"the $\pi_0$ model", "π0", r"\pi_0"),
        (r"the $\pi_{0}$ model", "π0", r"\pi_{0}"),
        (r"the $\text{MoE}^2$ model", "MoE2", r"\text{MoE}^2"),
        ("Context **Compr**ession", "Context Compression", "Context **Compr**ession"),
        ("**Compr**ession", "Compression", "**Compr**ession"),
        (r"\textbf{E}rror rate", "Error", r"\textbf{E}rror"),
        (r"PixArt-$\alpha$ is", "PixArt-α", r"PixArt-$\alpha$"),
        (r"$\alpha$-STOP is", "α-STOP", r"$\alpha$-STOP"),
        ("<b>X</b>yz", "Xyz", "<b>X</b>yz"),
        ("[BERT](https://example.org) is", "BERT", "BERT"),
        ("RTX~5090 is", "RTX 5090", "RTX~5090"),
    ],
)
def test_markup_around_a_name_stays_outside_its_span(source: str, words: str, expected: str) -> None:
    assert surface(source, words) == expected


def test_a_span_outside_the_text_is_refused() -> None:
    with pytest.raises(ValueError, match="no span"):
        plain("abc").span(2, 9)


@pytest.mark.parametrize(
    "unit", ["$", "*", "\\{", "{", "}", "[", "`", "_", "<", "&", "\\textbf{", "<b>", "[a](", "*a ", "~", "{}"]
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    # Quadratic time would need hours for a megabyte.
    began = time.process_time()
    plain(unit * (1_000_000 // len(unit)))
    assert time.process_time() - began < 20
