"""Telling the type of a thing: from what found it, from its name, and from the words around its mentions."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from kg.linking.patterns import DATASET_NAME
from kg.model import EntityType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.linking.contexts import Context
    from kg.linking.draft import Found

__all__ = ["LEARNED", "learned_type", "tell_type"]

LEARNED = "tagger"
"""The finder whose spans have their types from the learned tagger."""

_D, _M, _K, _T, _H = (
    EntityType.DATASET,
    EntityType.METHOD,
    EntityType.METRIC,
    EntityType.TASK,
    EntityType.HARDWARE,
)
_DATA = (
    r"(?:data\s?sets?|benchmarks?|corpora|corpus|test\s?sets?|testbeds?|"
    r"leaderboards?|challenges?|test suites?|benchmark suites?|collections?)"
)
_SUCH_AS = (
    r"(?:\s?[(:]|,?\s(?:such as|like|including|e\.g\.,?|namely|i\.e\.,?|include|"
    r"called|named))*(?:\s(?:the|both))?\s*$"
)

_BEFORE: tuple[tuple[re.Pattern[str], EntityType, float], ...] = (
    (re.compile(rf"\b{_DATA}{_SUCH_AS}", re.I), _D, 0.9),
    (
        re.compile(
            r"\b(?:experiments?|evaluat\w+|results?|performance|accuracy|tested|benchmarked|validat\w+|trained|"
            r"pre-?train\w*|points?|scores?|improve\w*|gains?|state-of-the-art|SOTA|"
            r"success rate|F1|mIoU|mAP)\s(?:\S+\s){0,4}?"
            r"on\s(?:the\s|both\s)?(?:\w+\s){0,2}$",
            re.I,
        ),
        _D,
        0.5,
    ),
    (re.compile(r"%\s(?:\w+\s)?(?:on|in)\s(?:the\s)?$"), _D, 0.6),
    (re.compile(r"\b(?:on|from|across)\s(?:the\s|both\s)?$", re.I), _D, 0.3),
    (re.compile(r"\b(?:on|using|with|to)\s(?:an?\s(?:single\s)?|one\s|\d+\s?[x×]?\s?)$"), _H, 0.2),
    (
        re.compile(
            rf"\b(?:models?|methods?|approaches|algorithms?|baselines?|backbones?|"
            rf"architectures?|LLMs|VLMs|MLLMs|techniques|systems|frameworks?|agents|"
            rf"optimizers?|networks?){_SUCH_AS}"
        ),
        _M,
        0.8,
    ),
    (
        re.compile(
            r"\b(?:outperform\w*|surpass\w*|than|unlike|via|using|with|based on|built on|"
            r"leverag\w+|extend\w*)\s(?:the\s)?$",
            re.I,
        ),
        _M,
        0.4,
    ),
    (re.compile(rf"\b(?:metrics?|measures?|scores?){_SUCH_AS}"), _K, 0.5),
    (re.compile(rf"\b(?:tasks?|problems?|applications?){_SUCH_AS}"), _T, 0.5),
)
_AFTER: tuple[tuple[re.Pattern[str], EntityType, float], ...] = (
    (re.compile(rf"\)?\s(?:\w+\s)?{_DATA}\b", re.I), _D, 0.8),
    (re.compile(rf"\)?\s?[,:—–]\s(?:an?|the(?:\sfirst)?)\s(?:[\w\-/]+\s){{0,6}}?{_DATA}\b", re.I), _D, 1.2),
    (
        re.compile(
            r"\)?\s(?:contains|comprises|consists of|includes|features|spans|"
            r"covers)\s(?:over\s|more than\s|approximately\s|about\s)?[\d~]",
            re.I,
        ),
        _D,
        1.0,
    ),
    (re.compile(r"\)?\s(?:train|test|val|validation|dev|split|subset|leaderboard|tasks|test-dev)\b"), _D, 0.5),
    (
        re.compile(
            r"\)?\s?[,:—–]\s(?:an?|the(?:\sfirst)?)\s(?:[\w\-/]+\s){0,6}?(?:framework|"
            r"method|model|approach|algorithm|system|architecture|pipeline|module|network|"
            r"strategy|technique|library|tool|agent|paradigm|mechanism)\b",
            re.I,
        ),
        _M,
        1.0,
    ),
    (
        re.compile(
            r"\)?(?:\s|-based\s|-style\s)(?:\w+\s)?(?:models?|algorithms?|frameworks?|"
            r"architectures?|methods?|modules?|agents?|loss|optimizer|backbones?|encoders?|"
            r"approach|pipeline|networks?|layers?|policy|policies|baselines?|training|"
            r"adapters?|prompting|attention|family)\b"
        ),
        _M,
        0.6,
    ),
    (re.compile(r"-(?:based|style|like|guided|driven|enhanced|augmented)\b"), _M, 0.4),
    (
        re.compile(
            r"\)?\s(?:achieves?|outperforms?|consistently|significantly|introduces|employs|"
            r"leverages|integrates|enables|improves|reduces|uses|learns|combines|adopts)\b"
        ),
        _M,
        0.5,
    ),
    (re.compile(r"\)?\s(?:GPUs?|NPUs?|accelerators?|CPUs?|FPGAs?|SoCs?|boards?)\b"), _H, 0.7),
    (re.compile(r"\)?\s(?:scores?|metric)\b"), _K, 0.4),
    (re.compile(r"\)?\s(?:tasks?|problems?)\b"), _T, 0.6),
)
_NAME: tuple[tuple[re.Pattern[str], EntityType, float], ...] = (
    (DATASET_NAME, _D, 1.0),
    (re.compile(r".*\d+(?:\.\d+)?[BM](?:-\w+)*"), _M, 1.2),
    (
        re.compile(
            r".*(?:Net|Former|GPT|BERT|LLaMA|Llama|SAM|CLIP|GAN|VAE|RAG|LLM|LM|VLM|VLA|PO|"
            r"RL|Agent|Diff|Mamba|NeRF|GS|LoRA|ViT|Flow|DETR|"
            r"YOLO\w*)s?(?:[-\s]?v?[\d.]+\w*)?"
        ),
        _M,
        0.4,
    ),
    (
        re.compile(
            r"(?:.*\s)?(?:[Dd]ataset|[Bb]enchmark|[Cc]orpus|[Cc]hallenge|[Tt]est [Ss]uite|"
            r"[Ll]eaderboard|Questions|Dataset and Benchmark)"
        ),
        _D,
        1.5,
    ),
    (
        re.compile(
            r"(?:.*[\s-])?(?:[Dd]etection|[Ss]egmentation|[Cc]lassification|[Rr]ecognition|"
            r"[Aa]nswering|[Ee]stimation|[Tt]ranslation|[Ss]ummari[sz]ation|[Cc]aptioning|"
            r"[Rr]econstruction|[Ff]orecasting|[Ll]ocalization|[Uu]nlearning|"
            r"[Rr]eidentification|[Rr]e-[Ii]dentification|[Pp]roblem|[Rr]etrieval|"
            r"[Vv]iew [Ss]ynthesis)"
        ),
        _T,
        0.9,
    ),
    (
        re.compile(
            r"[a-z][a-z\s-]*[\s-](?:clustering|tracking|generation|prediction|editing|"
            r"completion|serving|inference|reasoning|understanding|matching|extraction|"
            r"repair)"
        ),
        _T,
        0.9,
    ),
    (
        re.compile(
            r"(?:.*\s)?(?:[Ss]cores?|[Ee]rrors?|[Rr]ates?|[Ii]ndex|[Mm]etrics?|[Ll]atency|"
            r"[Aa]ccuracy|[Pp]recision|[Rr]ecall|[Rr]atios?|[Cc]oefficients?|"
            r"[Ss]imilarity Index|[Cc]orrelation)"
        ),
        _K,
        1.0,
    ),
    (
        re.compile(
            r"(?:.*[\s-])?(?:[Nn]etworks?|[Mm]odels?|[Ll]earning|[Oo]ptimization|"
            r"[Aa]ttention|[Tt]ransformers?|[Dd]istillation|[Tt]uning|[Ss]ampling|"
            r"[Dd]ecoding|[Aa]lgorithm|[Ff]ramework|[Mm]odule|[Ll]oss|[Dd]iffusion|"
            r"[Ss]earch|[Dd]escent|[Ss]platting|[Ee]ncoder|[Aa]utoencoders?|[Aa]daptation)"
        ),
        _M,
        0.8,
    ),
)


def learned_type(spans: Sequence[Found]) -> EntityType | None:
    """Return the type that the learned tagger gives a thing's spans, by their weights; None where it gave none."""
    votes: defaultdict[EntityType, float] = defaultdict(float)
    for span in spans:
        if span.finder == LEARNED and span.type is not None:
            votes[span.type] += span.weight
    order = list(EntityType)
    return max(votes, key=lambda kind: (round(votes[kind], 6), -order.index(kind)), default=None)


def tell_type(name: str, short: str, spans: Sequence[Found], around: Sequence[Context]) -> EntityType:
    """Return the type of a thing by a vote of its spans, its fullest name, its shortest, and its contexts."""
    votes: defaultdict[EntityType, float] = defaultdict(float)
    votes[EntityType.METHOD] = 0.5
    strongest: dict[EntityType, float] = {}
    for span in spans:
        if span.type is not None:
            say = 2.0 if span.finder in ("own", "gazetteer", "pattern") and span.weight > 0.6 else 1.1
            strongest[span.type] = max(strongest.get(span.type, 0.0), say)
    for kind, weight in strongest.items():
        votes[kind] += weight
    for text in {name, short}:
        for pattern, kind, weight in _NAME:
            if pattern.fullmatch(text):
                votes[kind] += weight
    said: dict[EntityType, list[float]] = {}
    for context in around:
        for kind, weight in _votes(context):
            said.setdefault(kind, []).append(weight)
    for kind, weights in said.items():
        # A second mention that says the same adds half of what it says.
        weights.sort(reverse=True)
        votes[kind] += weights[0] + 0.5 * sum(weights[1:3])
    order = list(EntityType)
    return max(votes, key=lambda kind: (round(votes[kind], 6), -order.index(kind)))


def _votes(context: Context) -> list[tuple[EntityType, float]]:
    said = [(kind, weight) for pattern, kind, weight in _BEFORE if pattern.search(context.before[-120:])]
    said += [(kind, weight) for pattern, kind, weight in _AFTER if pattern.match(context.own_after)]
    if context.after and context.after[:60] != context.own_after[:60]:
        said += [(kind, weight * 0.7) for pattern, kind, weight in _AFTER[:1] if pattern.match(context.after)]
    return said
