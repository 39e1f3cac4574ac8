# ruff: noqa: D103, S101
"""Tests of the published labels, of joining them with texts, of calibration and of scores; they need no PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calibration import error, fit
from join import join, unpacked
from make_gazetteer import marked
from publish import labels, packed
from score import markdown, scored

from kg.linking.tagger.labels import ROLES, ROLES_OF, TYPES
from kg.model import Paper

PUBLISHED = sorted((Path(__file__).parent / "labels").glob("*.jsonl.gz"))


def gold(number: int = 0) -> dict[str, Any]:
    return {
        "id": f"p{number}",
        "ref": f"arxiv:2601.0000{number}",
        "venue": "NowhereConf",
        "title": "FlashNet: fast",
        "abstract": f"We propose FlashNet (FN{number}). It beats ResNet-50 on ImageNet.",
        "entities": [
            {"type": "Method", "name": "FlashNet", "mentions": ["FlashNet", f"FN{number}"], "roles": ["proposes"]},
            {"type": "Method", "name": "ResNet-50", "mentions": ["ResNet-50"], "roles": [], "alt": ["comparesTo"]},
            {"type": "Dataset", "name": "ImageNet", "mentions": ["ImageNet"], "roles": ["evaluatesOn"]},
        ],
    }


def mine(key: str, text: dict[str, Any], **changed: str) -> Paper:
    return Paper(**{"key": key, "id": key, "title": text["title"], "abstract": text["abstract"], **changed})


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.name)
def test_published_labels_hold_labels_and_no_texts(path: Path) -> None:
    lines = unpacked(path)
    assert len({line["ref"] for line in lines}) == len(lines)
    for line in lines:
        assert set(line) == {"ref", "id", "text", "entities"}
        assert len(line["text"]) == 16
        for entity in line["entities"]:
            assert set(entity) <= {"type", "name", "mentions", "roles", "alt", "optional"}
            assert entity["type"] in TYPES
            assert entity["mentions"]
            assert set(entity["roles"]) <= set(ROLES_OF[entity["type"]])
            assert set(entity.get("alt", ())) <= {*ROLES, "mentions"}


def test_there_are_labels_to_train_and_to_check() -> None:
    assert [path.name for path in PUBLISHED] == ["dev.jsonl.gz", "train.jsonl.gz"]


def test_the_bytes_do_not_depend_on_the_order() -> None:
    assert packed([gold(1), gold(2)]) == packed([gold(2), gold(1)])


@pytest.mark.parametrize("key", ["text:0", "arxiv:2601.00001", "https://arxiv.org/abs/2601.00001v2", "p1"])
def test_a_paper_is_found_by_text_reference_address_or_id(key: str) -> None:
    paper = gold(1)
    joined = join([labels(paper)], [mine("text:9", gold(2)), mine(key, paper)]).papers
    assert joined == [{name: paper[name] for name in ("id", "ref", "title", "abstract", "entities")}]


def test_mentions_that_another_version_lacks_are_left_out() -> None:
    other = mine("arxiv:2601.00001", gold(1), abstract="We propose FlashNet. It beats ResNet-50, as PreImageNet does.")
    joined = join([labels(gold(1))], [other])
    assert [entity["mentions"] for entity in joined.papers[0]["entities"]] == [["FlashNet"], ["ResNet-50"]]
    assert joined.counts["with another text, taken"] == 1


def test_a_paper_with_little_in_common_is_left_out() -> None:
    other = mine("arxiv:2601.00001", gold(1), title="", abstract="ImageNet is old.")
    joined = join([labels(gold(1)), labels(gold(2))], [other])
    assert joined.papers == []
    assert joined.counts == {"found": 1, "missing": 1, "with another text, left out": 1}


def test_scores_of_one_paper_have_no_spread_and_those_of_several_do() -> None:
    perfect = {
        "id": "p1",
        "mentions": [{"field": "abstract", "start": 11, "end": 19, "type": "Method", "entity": "e1"}],
        "entities": [{"id": "e1", "type": "Method", "name": "FlashNet"}],
        "roles": [{"role": "proposes", "entity": "e1"}],
    }
    alone = scored([gold(1)], [perfect], draws=50)["roles", "proposes"]
    assert (alone.low, alone.row.f1, alone.high) == (1.0, 1.0, 1.0)
    both = scored([gold(1), gold(2)], [perfect], draws=50)["roles", "proposes"]
    assert (both.low, both.high) == (0.0, 1.0)
    assert both.row.f1 == pytest.approx(2 / 3)
    table = {("roles", "proposes"): both}
    line = "| roles proposes | 2 | 1.000 | 0.500 | 0.667 | 0.000–1.000 | 0.667 | 0.000–1.000 |"
    assert markdown({"accurate": table, "fast": table}).endswith(line)


def test_calibration_finds_the_line_and_bears_separable_outcomes() -> None:
    rng = np.random.default_rng(0)
    said = rng.uniform(0.01, 0.99, 20000)
    odds = np.log(said / (1 - said))
    came = rng.random(20000) < 1 / (1 + np.exp(-0.5 * odds - 0.7))
    line = fit(list(zip(said.tolist(), came.tolist(), strict=True)))
    assert line.scale == pytest.approx(0.5, abs=0.05)
    assert line.shift == pytest.approx(0.7, abs=0.05)
    clear = fit([(0.999999, True)] * 5 + [(0.000001, False)] * 5)
    assert 0 < clear(1e-9) < clear(1.0) < 1


def test_the_error_of_calibration_is_the_distance_of_what_was_said_from_what_came_true() -> None:
    assert error([(0.9, True)] * 5 + [(0.9, False)] * 5, 1) == pytest.approx(0.4)


def test_calibration_leaves_out_what_another_probability_explains() -> None:
    rng = np.random.default_rng(0)
    said, given = rng.uniform(0.01, 0.99, 20000), rng.uniform(0.3, 1, 20000)
    came = rng.random(20000) < said * given
    line = fit(list(zip(said.tolist(), came.tolist(), strict=True)), given.tolist())
    assert line.scale == pytest.approx(1, abs=0.05)
    assert line.shift == pytest.approx(0, abs=0.05)


def test_a_short_name_is_marked_if_annotators_mark_it_nearly_always() -> None:
    def of(text: str, *mentions: str) -> dict[str, object]:
        entities = [{"type": "Method", "name": m, "mentions": [m], "roles": [], "optional": True} for m in mentions]
        return {"title": "", "abstract": text, "entities": entities}

    often = [of("We use VLMs and an XYZ.", "VLMs") for _ in range(9)]
    seldom = [of("A VLM, an LLM and a VLM-based CNN.", "LLM", "CNN")]
    assert marked(often + seldom) == [("VLM", "Method", 9, 10)]
    assert marked(often[:7]) == []
    assert marked(often + [of("A VLM.")] * 3) == []
