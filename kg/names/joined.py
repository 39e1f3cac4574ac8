"""Names that stand for several: ``CIFAR-10/100``, ``Qwen2.5-7B and 72B``, ``A100/H100``."""

from __future__ import annotations

import re

__all__ = ["continuation", "joined"]

_NUMBER = r"v?\d+(?:\.\d+)*(?:[BMKTbmk]\b)?"
_BETWEEN = r"(?:\s*/\s*|\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+|\s*&\s*)"
_LIST = re.compile(rf"(?P<first>{_NUMBER})(?P<others>(?:{_BETWEEN}-?{_NUMBER})+)")
_ONE = re.compile(_NUMBER)
_SLASHED = re.compile(r"[^\W\d_][\w.-]*\d[\w.]*(?:/[^\W\d_][\w.-]*\d[\w.]*)+")
_SHORTENED = re.compile(
    r"(?P<stem>.*?[^\W\d_][\s\-]?)(?P<lead>[^\W\d_]{1,2})(?P<first>\d[\w.]*)(?P<others>(?:/(?P=lead)\d[\w.]*)+)"
)
_MORE = re.compile(rf"(?:{_BETWEEN}-?{_NUMBER})+(?![\w%]|[-.]\w)")
_COUNTS = re.compile(r"\s*(?:%|×|[a-z]|[GMT]B\b|[GCT]PU|FPS|Hz)")
_SHAPE = {"year": r"(?:19|20)\d\d", "size": r"\d+(?:\.\d+)?[BMKTbmk]", "version": r"v\d+(?:\.\d+)*"}


def joined(name: str) -> tuple[str, ...]:
    """Return the names that a joined name stands for; none where it is one name.

    >>> joined("CIFAR-10/100"), joined("Qwen2.5-7B and 72B"), joined("ISIC 2018, 2019 and 2020")
    (('CIFAR-10', 'CIFAR-100'), ('Qwen2.5-7B', 'Qwen2.5-72B'), ('ISIC 2018', 'ISIC 2019', 'ISIC 2020'))
    >>> joined("A100/H100"), joined("SQuAD 2.0"), joined("TCP/IP"), joined("24/7")
    (('A100', 'H100'), (), (), ())
    >>> joined("YOLOv5/v8"), joined("ETTh1/h2"), joined("TPU v4/v5e")
    (('YOLOv5', 'YOLOv8'), ('ETTh1', 'ETTh2'), ('TPU v4', 'TPU v5e'))
    """
    if (shortened := _SHORTENED.fullmatch(name)) is not None:
        first = shortened["lead"] + shortened["first"]
        return tuple(shortened["stem"] + part for part in (first, *shortened["others"][1:].split("/")))
    if _SLASHED.fullmatch(name):
        return tuple(name.split("/"))
    for found in _LIST.finditer(name):
        stem = name[: found.start()]
        numbers = [found["first"], *_ONE.findall(found["others"])]
        if found.end() == len(name) and any(map(str.isalpha, stem)) and _alike(numbers):
            return tuple(stem + number for number in numbers)
    return ()


def continuation(text: str, start: int, end: int) -> int:
    """Return where a name ends that goes on with other versions, years or sizes of itself, else `end`.

    >>> text = "We test Qwen2.5-7B and 72B, ISIC 2018 and 2019 and CIFAR-10 and 5 others."
    >>> [text[start : continuation(text, start, end)] for start, end in ((8, 18), (28, 37), (51, 59))]
    ['Qwen2.5-7B and 72B', 'ISIC 2018 and 2019', 'CIFAR-10']
    """
    more = _MORE.match(text, end)
    if more is None or (
        _COUNTS.match(text, more.end()) and not re.match(r"\s+(?:and|or|with|on|in)\b", text[more.end() :])
    ):
        return end
    closed = re.search(r"/|&|\band\b|\bor\b", more.group()) is not None
    return more.end() if closed and joined(text[start : more.end()]) else end


def _alike(numbers: list[str]) -> bool:
    """Whether numbers are all years, all sizes, all marked versions, or all plain numbers."""
    kinds = {
        next((kind for kind, shape in _SHAPE.items() if re.fullmatch(shape, number)), "plain") for number in numbers
    }
    return len(kinds) == 1 and len(set(numbers)) == len(numbers)
