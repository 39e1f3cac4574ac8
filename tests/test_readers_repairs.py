"""What is mended in strings, what is left alone, and what is no paper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.readers import read
from kg.readers.kinds import reason_against
from kg.readers.language import is_english
from kg.readers.repairs import abstract, dehyphenated, line, mended
from kg.readers.values import RawPaper

LONG = "We propose a method that does what a method does, and we show that it does it well."


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("eﬃcient ﬁne-tuning of ﬂows", "efficient fine-tuning of flows"),
        ("Erd\u00c5\u0091s and M\u00c3\u00b6bius", "Erdős and Möbius"),
        ("360Â° video", "360° video"),
        ("R&amp;D at AT&amp;amp;T", "R&D at AT&T"),
        ("caf&eacute; &#8220;x&#x201D;", "café “x”"),
        ("a&nbsp;b", "a\u00a0b"),
        ("co\u00adoper\u200bation", "cooperation"),
        ("cafe\u0301", "café"),
        ("one\r two\r\nthree", "one\ntwo\nthree"),
        ("a\x00b\x0cc\x93d\x94", "a b c“d”"),
        (
            "<jats:sec><jats:title>Aim</jats:title><jats:p>To do <jats:italic>x</jats:italic>.</jats:p></jats:sec>",
            "Aim\nTo do x.",
        ),
        ("CO<sub>2</sub> and 10<sup>-6</sup> and x<sup>ab</sup>", "CO₂ and 10⁻⁶ and x^{ab}"),
        ("&lt;i&gt;E. coli&lt;/i&gt; grows", "E. coli grows"),
        (
            '<mml:math xmlns:mml="x"><mml:msup><mml:mi>n</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math> steps',
            "n² steps",
        ),
        (
            "<alternatives><tex-math>\\begin{document}$$\\sqrt{s}$$\\end{document}</tex-math><mml:math>"
            "<mml:mi>s</mml:mi></mml:math></alternatives> TeV",
            "$\\sqrt{s}$ TeV",
        ),
    ],
)
def test_what_was_broken_is_mended(broken: str, whole: str) -> None:
    assert mended(broken) == whole


@pytest.mark.parametrize(
    "text",
    [
        "if a<b and c>d then p < 0.05",
        "the <s> and </s> tokens, <EOS>, <img>, List<int>",
        "$\\alpha_{i} \\& x^{2}$ with 5\\% of {BERT}",
        "Ã is a letter; São Paulo, Āryabhaṭa, Ñandú",
        "AT&T; R&D; a&b;c",
        "100 % – “quoted” … naïve",
        "state-of-the-art pre- and post-training",
    ],
)
def test_what_is_whole_is_left_alone(text: str) -> None:
    assert mended(text) == text


def test_words_cut_by_line_ends() -> None:
    assert dehyphenated("the trans-\nformer and a transformer") == "the transformer and a transformer"
    assert dehyphenated("an evalu-\nation") == "an evaluation"
    assert dehyphenated("a multi-\nmodal model") == "a multi-modal model"
    assert dehyphenated("pre-\nand post-training") == "pre-\nand post-training"
    assert dehyphenated("on CIFAR-\n10") == "on CIFAR-\n10"
    assert dehyphenated("a dash -\nand more") == "a dash -\nand more"


@pytest.mark.parametrize(
    "text",
    [
        "Abstract unavailable",
        "No abstract available.",
        "[abstract not available]",
        "N/A",
        "none",
        "null",
        "NaN",
        "-",
        "TBA",
        "Abstract",
        "Abstract is missing.",
        "There is no abstract for this article",
        "No abstract provided",
        "To be announced",
    ],
)
def test_what_says_that_there_is_no_abstract_is_none(text: str) -> None:
    assert abstract(text) in {"", "-"}


@pytest.mark.parametrize("text", ["Abstract here", "We do it.", "No Abstract Syntax Tree is needed.", "No free lunch."])
def test_short_abstracts_stay(text: str) -> None:
    assert abstract(text) == text


@pytest.mark.parametrize("head", ["Abstract: ", "ABSTRACT\n", "Abstract. ", "Abstract—", "Summary:\n"])
def test_the_heading_of_an_abstract_goes(head: str) -> None:
    assert abstract(head + LONG) == LONG


def test_words_that_look_like_a_heading_stay() -> None:
    for text in ("Abstract Meaning Representation is hard.", "Abstract reasoning is hard.", "Summary statistics lie."):
        assert abstract(text) == text


@given(st.text())
def test_mending_is_done_once_and_gives_what_every_output_can_carry(text: str) -> None:
    once = mended(text)
    once.encode("utf-8")
    assert line(line(text)) == line(text) or "&" in text or "<" in text or not text.isascii()
    assert "\r" not in once
    assert "\0" not in once


@given(st.text(st.sampled_from("<>/&;abip mathsub=\"'\n-")))
def test_markup_of_any_kind_raises_nothing(text: str) -> None:
    mended(text)


def test_texts_of_gold_are_read_to_the_letter(shared: Path) -> None:
    for name in ("seed", "dev", "train"):
        path = shared / "gold" / f"{name}.jsonl"
        gold = {one["id"]: one for one in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
        for paper in read([path]).papers:
            assert (paper.title, paper.abstract) == (gold[paper.id]["title"], gold[paper.id]["abstract"])


def test_clean_texts_of_gold_need_no_repair(shared: Path) -> None:
    changed = 0
    for name in ("seed", "dev", "train"):
        for one in map(json.loads, (shared / "gold" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()):
            changed += (line(one["title"]), abstract(one["abstract"])) != (one["title"], one["abstract"])
            assert reason_against(RawPaper(1, title=one["title"], abstract=one["abstract"])) is None
    assert changed <= 4  # a ligature, the word "Abstract:" and the sign for ohm in place of omega


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (RawPaper(1, title="Conference on Learning Theory 2021: Post-conference Preface"), "preface"),
        (RawPaper(1, title="Front Matter"), "front matter"),
        (RawPaper(1, title="Guest Editors' Introduction to the Special Section on X"), "editorial"),
        (RawPaper(1, title="Erratum: On X"), "correction"),
        (RawPaper(1, title="Algorithms - ESA 2008, 16th Annual Symposium, Karlsruhe. Proceedings"), "proceedings"),
        (RawPaper(1, title="Proceedings of the 2nd Workshop on X"), "proceedings"),
        (RawPaper(1, title="2COOOL: 2nd Workshop on the Challenge Of X"), "workshop"),
        (RawPaper(1, title="On X", kind="webpage"), "web page"),
        (RawPaper(1, title="On X", kind="journal-issue"), "journal"),
        (
            RawPaper(1, title="On X", abstract="This paper has been withdrawn by the author due to an error."),
            "withdrawn",
        ),
        (RawPaper(1, title="[WITHDRAWN] On X"), ""),
        (RawPaper(1, title="WITHDRAWN: On X"), "withdrawn"),
    ],
)
def test_what_is_no_paper_is_told_apart(raw: RawPaper, reason: str) -> None:
    told = reason_against(raw)
    assert told is not None
    assert reason in told


@pytest.mark.parametrize(
    "title",
    [
        "4th Workshop on Maritime Computer Vision (MaCVi): Challenge Overview",
        "Disentangling Societal Inequality: Gender Inequality in Divorce Court Proceedings",
        "Editing Models with Task Arithmetic",
        "Error Correction of Speech",
        "Correcting Errors: a Corrigible Agent",
        "Preface-Guided Generation",
        "A Review of Book Recommendation",
        "Learning to Retract Claims",
        "Workshop Scheduling with Reinforcement Learning",
    ],
)
def test_titles_of_papers_are_not_refused(title: str) -> None:
    assert reason_against(RawPaper(1, title=title, abstract=LONG)) is None


@given(st.text(st.sampled_from("a: -proceedings of 1workshop"), max_size=3000))
def test_no_title_takes_long_to_judge(title: str) -> None:
    reason_against(RawPaper(1, title=title))


@pytest.mark.parametrize(
    ("text", "english"),
    [
        (LONG, True),
        ("BERT", True),
        ("", True),
        ("A Bregman–Kaczmarz method in Kärnten", True),
        ("发展数字经济被认为是推进共同富裕的重要途径", False),
        ("Метод наименьших квадратов", False),
        ("Die Entwicklung der Netze und das Lernen mit ihnen", False),
        ("Une méthode pour les réseaux et leur apprentissage", False),
        ("Redes de aprendizaje para el análisis de los datos", False),
    ],
)
def test_languages(text: str, english: bool) -> None:
    assert is_english(text) is english


def test_papers_in_other_languages_are_kept_and_counted(tmp_path: Path) -> None:
    chinese = {"title": "关于方法", "abstract": "发展数字经济被认为是推进共同富裕的重要途径"}
    lines = [{"title": "On X"}, chinese, {"title": "Fernwärmenetze", "language": "de"}]
    (tmp_path / "p.json").write_text(json.dumps(lines), encoding="utf-8")
    reading = read([tmp_path / "p.json"])
    assert (len(reading.papers), reading.not_english) == (3, 2)
