"""The parts of a name: maker, family, version, size, variant, year, split."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from kg.names.normal import bare, normal

__all__ = ["MAKERS", "Name", "parse"]

MAKERS = frozenset({"nvidia", "amd", "intel", "google", "qualcomm", "apple", "huawei", "meta", "openai", "microsoft"})
_LINES = frozenset({"tesla", "geforce", "instinct", "gpu", "gpus", "cloud", "quadro"})
_KINDS = frozenset({"data", "dataset", "datasets", "benchmark", "benchmarks", "chip", "chips", "accelerator"})
_DIMENSIONS = frozenset({"2d", "3d", "4d"})
_SPLITS = frozenset({"train", "test", "dev", "val", "validation", "clean", "other", "minival", "testdev"})
_VARIANTS = frozenset({
    "base", "large", "small", "tiny", "mini", "nano", "micro", "huge", "giant", "medium", "xl", "xxl", "xs", "pro",
    "flash", "ultra", "turbo", "lite", "plus", "max", "instruct", "chat", "it", "sft", "preview", "exp",
    "experimental", "thinking", "think", "reasoning", "coder", "math", "vl", "audio", "omni", "next", "zero",
    "distill", "verified", "hard", "easy", "diamond", "extended", "full", "sonnet", "opus", "haiku",
    "b", "l", "s", "m", "h", "g", "n", "x", "t", "c", "r", "ti", "super", "sxm", "sxm4", "sxm5", "pcie", "nvl",
    "fp8", "fp16", "int8", "int4", "awq", "gptq", "gguf", "lora", "seg", "det", "cls", "pose", "mot", "curated",
    "wild", "human", "lt", "en", "zh",
})  # fmt: skip
_SIZE = re.compile(r"(?:\d+x)?\d+(?:\.\d+)?[bmt]|a\d+(?:\.\d+)?b|\d+(?:gb|gib|tb)", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_VERSION = re.compile(r"v?\d+(?:\.\d+)*[a-z]{0,2}|[bslhg]\d+|\d+(?:\.\d+)*k", re.IGNORECASE)
_ATTACHED = re.compile(
    r"(?P<head>[A-Za-z]+[A-UW-Za-uw-z]\+{0,2})(?P<version>[vV]?\d+(?:\.\d+)*)(?P<tail>[a-zA-Z]{0,2})"
)
_NO_VERSION_TAIL = frozenset({"d", "g", "vec", "kg"})
_WORD = re.compile(r"[^\s\-_/‐‑–—:,]+")


@dataclass(frozen=True, slots=True)
class Name:
    """A name and its parts, each as it is written; a part that the name lacks is empty.

    `family` is never empty for a name that is not blank: it is what stays when maker and details are gone.
    `size` counts parameters or memory (``7B``, ``8x7B``, ``80GB``); `variant` is every other detail.
    """

    text: str
    family: str
    maker: str = ""
    version: str = ""
    size: str = ""
    variant: str = ""
    year: str = ""
    split: str = ""

    @property
    def details(self) -> tuple[str, ...]:
        """The normal forms of version, size, variant, year and split, for comparing two names of one family."""
        version = normal(re.sub(r"^[vV](?=\d)", "", self.version))
        return (version, normal(self.size), normal(self.variant), self.year, normal(self.split))

    @property
    def is_version(self) -> bool:
        """Whether the name says more than its family."""
        return any(self.details)


@lru_cache(maxsize=65536)
def parse(name: str) -> Name:
    """Return the parts of a name.

    >>> parse("Qwen2.5-VL-7B-Instruct")
    Name(text='Qwen2.5-VL-7B-Instruct', family='Qwen', maker='', version='2.5', size='7B', variant='VL Instruct', \
year='', split='')
    >>> parse("NVIDIA A100 80GB").family, parse("PASCAL VOC 2012").year, parse("wav2vec 2.0").version
    ('A100', '2012', '2.0')
    """
    text = bare(name)
    words = [(found.group().strip("()[]{}.,;'\""), found.start(), found.end()) for found in _WORD.finditer(text)]
    words = [word for word in words if word[0]]
    maker, words = _maker(words)
    parts: dict[str, list[str]] = {"version": [], "size": [], "variant": [], "year": [], "split": []}
    family: list[tuple[int, int]] = []
    for position, (word, start, end) in enumerate(words):
        kind = _kind(word, detail_seen=any(parts.values())) if position else "family"
        if position and position == len(words) - 1 and word.lower() in _DIMENSIONS:
            kind = "variant"
        attached = _attached(word) if kind == "family" else None
        if attached is not None:
            head, version, tail = attached
            family.append((start, start + len(head)))
            parts["size" if _SIZE.fullmatch(version + tail) else "version"].append(version + tail)
        elif kind == "family":
            family.append((start, end))
        else:
            parts[kind].append(word)
    spelled = text[family[0][0] : family[-1][1]].strip("()[]{}.,;:'\"") if family else text
    return Name(text, spelled or text, maker, **{kind: " ".join(found) for kind, found in parts.items()})


def _maker(words: list[tuple[str, int, int]]) -> tuple[str, list[tuple[str, int, int]]]:
    """Split off the maker and the product line, unless nothing else is left of the name."""
    if not words or words[0][0].lower() not in MAKERS | _LINES or _is_prefix(words):
        if len(words) > 1 and words[-1][0].lower() in {"gpu", "gpus"}:
            return "", words[:-1]
        return "", words
    maker = words[0][0] if words[0][0].lower() in MAKERS else ""
    rest = [word for word in words if word[0].lower() not in MAKERS | _LINES]
    return (maker, rest) if any(word[0].lower() not in _KINDS for word in rest) else ("", words)


def _is_prefix(words: list[tuple[str, int, int]]) -> bool:
    """Whether a name begins with the prefix "meta" (``meta-RL``, "Meta Self-Training"), not with the maker's name."""
    joined = len(words) > 1 and words[0][2] + 1 == words[1][1]
    return words[0][0].lower() == "meta" and not (joined and any(char.isdigit() for word in words for char in word[0]))


def _kind(word: str, *, detail_seen: bool) -> str:
    lowered = word.lower()
    if _YEAR.fullmatch(word):
        return "year"
    if _SIZE.fullmatch(word):
        return "size"
    if lowered in _SPLITS:
        return "split"
    if _VERSION.fullmatch(word) and lowered not in _DIMENSIONS:
        return "version"
    if lowered in _VARIANTS or detail_seen:
        return "variant"
    return "family"


def _attached(word: str) -> tuple[str, str, str] | None:
    """Split ``Qwen2.5`` and ``YOLOv8m`` into family, version and tail; ``A100`` and ``Text2CT`` stay whole."""
    found = _ATTACHED.fullmatch(word)
    if found is None or found["tail"].lower() in _NO_VERSION_TAIL:
        return None
    marked = found["version"][0] in "vV" and len(found["head"]) > 2
    size = _SIZE.fullmatch(found["version"] + found["tail"]) is not None
    if not marked and not size and found["tail"] and not (len(found["tail"]) == 1 and found["tail"].islower()):
        return None
    return found["head"], found["version"], found["tail"]
