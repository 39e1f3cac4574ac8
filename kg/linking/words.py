"""What a single word's spelling says: whether it looks like a name, and where in it the name lies.

General rules of English technical prose. The lists hold words that look like names and are none, and affixes that
cling to names; no list holds names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

__all__ = [
    "NO_NAMES",
    "NO_NAME_PHRASES",
    "TIERS",
    "Word",
    "core",
    "is_capitalised",
    "is_name_shaped",
    "is_quantity",
    "words",
]

_WORD = re.compile(r"""[^\s()\[\]{}<>,;:"“”„«»‘`|—=→↑↓%!?…]+""")
_TRIM_LEFT = "-–.'’*/+&~#_"
_TRIM_RIGHT = "-–.'’/&~_!?"
_MULTIPLIER = re.compile(r"^\d{1,5}[x×](?=[A-Z])")
_POSSESSIVE = re.compile(r"['’]s?$")
_QUANTITY = re.compile(
    r"[<>~≈±+\-–]?\d[\d.,/]*(?:[–\-]\d[\d.,]*)?\s?(?:[x×]|[kKMBTG]|"
    r"[kKMGTP]i?[Bb](?:/s|ps)?|m?s|ms|us|μs|ns|min|h|px?|th|st|nd|rd|"
    r"[dD]|bits?|[kKMGT]?[Hh]z|m?[AVWJ]|k[Ww]h?|[nμmck]?m|[mk]?g|fps|FPS|dB|pp|USD|"
    r"C|[TGMP]?FLOPS?|[TGMP]FLOP/s|days?|pm|am)?"
    r"(?:\d*[x×]\d[\d.x×]*)?(?:-[A-Za-z][A-Za-z\-]*)?"
)
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]|[A-Z]{2,}[a-z]{2,}|[A-Z][a-z]*\d+[A-Z]|[A-Z][a-z]+[A-Z]")
_ACRONYM = re.compile(r"[A-Z][A-Z&]*[A-Z]s?|[A-Z]{2,}s?")
_HYPHENS = re.compile(r"[-–‐‑]")
_ROMAN = re.compile(r"(?=[IVX])(?:X{0,3})(?:IX|IV|V?I{0,3})")

_CLINGING = (
    "based style like driven guided aware free level powered generated trained "
    "tuned finetuned specific only enhanced "
    "augmented assisted accelerated derived inspired enabled optimized optimised "
    "native friendly side bound centric "
    "compatible equipped oriented type related induced supervised conditioned integrated informed initialized "
    "adapted agnostic distilled compliant hard complete backed coupled controlled "
    "class family grade only parameter "
    "pretrained predicted produced resident scale scored shot sized token tokens "
    "wise dependent sensitive intensive "
    "constrained limited rich theoretic style-based as enabled embedded formatted "
    "focused grounded annotated labeled "
    "synthesized written edited authored human days hours hour written loaded "
    "initiated mediated embeddings features"
)
_CLINGING_WORDS = frozenset(_CLINGING.split())
_LEADING = (
    "multi single non pre post cross inter intra human anti self large small "
    "modern vanilla standard state full open "
    "per early original recent existing various all other like both and or the"
)
_LEADING_WORDS = frozenset(_LEADING.split())
_GENERIC = (
    "AI ML DL NLP CV LLM GPU CPU NPU TPU SOTA "
    "SoTA SotA API SDK PDF HTML XML JSON CSV "
    "JSONL SQL UI GUI CLI IDE OS VM PC IoT UAV UGV USV AGI ASI AIGC GenAI HPC RAM "
    "VRAM DRAM SRAM SSD HDD DSP SoC ASIC "
    "RGB RGBD RGB-D sRGB YUV CMYK CIELAB 2D 3D 4D 1D 2.5D 6D 6DoF DoF HD HDR SDR "
    "LDR UHD 4K 8K RF IR UV NIR SAR LiDAR "
    "EEG ECG EKG EMG fMRI MRI CT PET CXR WSI OCT ICU EHR EMR HIV COVID COVID-19 "
    "DNA RNA mRNA tRNA GPS IMU GNSS VR XR MR "
    "US USA UK EU UN U.S U.K WHO IEEE ACM ACL NIST ISO ITU MIT NASA NATO FAIR GDPR "
    "HIPAA NeurIPS ICML ICLR CVPR ICCV "
    "ECCV EMNLP NAACL AAAI IJCAI MICCAI KDD SIGIR ID IDs URL URI IP TCP UDP HTTP "
    "HTTPS DNS PhD MSc BSc CEO STEM LGBTQ "
    "USD EUR GBP FAQ Q&A KPI ROI PII NaN N/A TODO README GitHub GitLab HuggingFace OpenAI DeepMind NVIDIA AMD IBM "
    "YouTube LinkedIn KV QK QKV IID OOD NP SGX TV CC BY-SA MB GB TB KB GiB MiB kB CI HR LR HQ LQ "
    "GT NN NNs ID KB SE WSIs ROI ROIs NPC NPCs PR PRs QoE SLO SLA "
    "RTL HDL RQ RQ1 RQ2 RQ3 CoRR FP TP "
    "FN TN BW TBs INT vs OOM SI App II III IV VI VII Ph.D B2B B2C Vol No Fig Eq CJK RTT FoV"
)
NO_NAMES: frozenset[str] = frozenset(_GENERIC.split())
"""Words in the shape of names that name no thing: classes, units, formats, organisations, venues.

A class that nearly all annotators who meet it take for a term of art (VLM, MLP) is not here.
"""

_PHRASES = (
    "large language model|language model|"
    "artificial intelligence|machine learning|deep learning|"
    "natural language processing|computer vision|generative ai|"
    "internet of things|neural network|foundation model|source code|open source|hugging face|"
    "united states|united kingdom|european union|new york|south korea|stack overflow|graphics processing unit"
)
NO_NAME_PHRASES: frozenset[str] = frozenset(form for phrase in _PHRASES.split("|") for form in (phrase, phrase + "s"))
"""Phrases, in lower case, that are capitalised or abbreviated like names and name no thing."""

_TIERS = (
    "Pro Flash Sonnet Opus Haiku Turbo Mini Nano Ultra Max Lite Instruct Chat "
    "Verified Hard Diamond Large Small Base "
    "Medium Tiny XL XXL Plus Preview Coder Thinking Distill Super Ti AGX NX Orin "
    "Xavier Full Extended Multimodal SXM5"
)
TIERS: frozenset[str] = frozenset(_TIERS.split())
"""Words that continue a name: tiers, sizes and variants."""


class Word(NamedTuple):
    """A word of the text: the part of it that could be a name, without what clings to it."""

    start: int
    end: int
    text: str


def words(text: str, begin: int, end: int) -> list[Word]:
    """Return the words of a stretch of text, cut at brackets, quotes, commas and colons, and trimmed."""
    found = []
    for match in _WORD.finditer(text, begin, end):
        start, stop = match.span()
        while start < stop and text[start] in _TRIM_LEFT:
            start += 1
        while stop > start and text[stop - 1] in _TRIM_RIGHT:
            stop -= 1
        if start < stop:
            found.append(Word(start, stop, text[start:stop]))
    return found


@lru_cache(maxsize=65536)
def core(word: str) -> tuple[int, int] | None:
    """Return where in a word a name lies, or None where its spelling shows none.

    >>> [word[slice(*core(word))] for word in ("CLIP-based", "8xH100", "FlashSSM-3D", "nuScenes", "SWE-bench's")]
    ['CLIP', 'H100', 'FlashSSM-3D', 'nuScenes', 'SWE-bench']
    >>> core("Real-Time"), core("LLM-driven"), core("7B"), core("256x256"), core("word")
    (None, None, None, None, None)
    """
    start, end = 0, len(word)
    if multiplier := _MULTIPLIER.match(word):
        start = multiplier.end()
    if possessive := _POSSESSIVE.search(word):
        end = possessive.start()
    while True:
        hyphen = max((word.rfind(sign, start, end) for sign in "-–‐‑"), default=-1)
        if hyphen < 0 or word[hyphen + 1 : end].casefold() not in _CLINGING_WORDS:
            break
        end = hyphen
    while (hyphen := word.find("-", start, end)) > 0 and word[start:hyphen].casefold() in _LEADING_WORDS:
        start = hyphen + 1
    name = word[start:end]
    return (start, end) if is_name_shaped(name) else None


@lru_cache(maxsize=65536)
def is_name_shaped(word: str) -> bool:
    """Say whether a word's spelling alone marks it as a name: inner capitals, an acronym, digits among letters."""
    if len(word) < 2 or len(word) > 48 or not any(char.isupper() for char in word):
        return False
    if word in NO_NAMES or (word.endswith("s") and word[:-1] in NO_NAMES) or is_quantity(word):
        return False
    pieces = [piece for piece in _HYPHENS.split(word) if piece]
    if len(pieces) == 1:
        return _is_marked(word)
    if all(piece in NO_NAMES or not _is_marked(piece) for piece in pieces):
        # “GPT-4” and “CIFAR-10” carry a number; “LLM-Guided” and “Vision-Language” are plain words.
        return len(pieces) == 2 and pieces[1][0].isdigit() and pieces[0][0].isupper() and pieces[0] not in NO_NAMES
    generic = sum(piece in NO_NAMES or piece.rstrip("s") in NO_NAMES for piece in pieces)
    return generic < sum(_is_marked(piece) or piece in NO_NAMES for piece in pieces)


def is_quantity(word: str) -> bool:
    """Say whether a word is a number with or without a unit, or a label such as T1.

    >>> [is_quantity(word) for word in ("7B", "3.5x", "16-bit", "256x256", "A100", "3DGS")]
    [True, True, True, True, False, False]
    """
    return _QUANTITY.fullmatch(word) is not None or (
        len(word) == 2 and word[0] in "TLQFRPCSNKMHW" and word[1].isdigit()
    )


def is_capitalised(word: str) -> bool:
    """Say whether a word begins with a capital, also after a hyphen (“Self-Attention”)."""
    return word[:1].isupper()


def _is_marked(piece: str) -> bool:
    letters = [char for char in piece if char.isalpha()]
    if not letters or _ROMAN.fullmatch(piece):
        return False
    if any(char.isdigit() for char in piece):
        return not is_quantity(piece) and any(char.isupper() for char in letters)
    return _ACRONYM.fullmatch(piece) is not None or _INNER_CAPITAL.search(piece) is not None
