"""Write gold papers as labels without texts, to be published: what `join.py` reads.

    python training/publish.py GOLD.jsonl LABELS.jsonl.gz

A line has the paper's `ref` and `id`, the `text` (a digest of title and abstract, by which it is seen whether somebody
else's abstract is the one that was annotated) and the `entities`. The same papers give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from data import papers

KEPT = ("type", "name", "mentions", "roles", "alt", "optional")


def digest(title: str, abstract: str) -> str:
    """Return 64 bits of the SHA-256 of title and abstract, whatever the space between words.

    >>> digest("A title", "An  abstract.") == digest("A title ", "An abstract.")
    True
    """
    text = "\n".join(" ".join(part.split()) for part in (title, abstract))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def labels(paper: dict[str, Any]) -> dict[str, Any]:
    """Return what is published of a gold paper."""
    entities = [{key: entity[key] for key in KEPT if key in entity} for entity in paper["entities"]]
    text = digest(paper.get("title") or "", paper.get("abstract") or "")
    return {"ref": paper["ref"], "id": paper["id"], "text": text, "entities": entities}


def packed(known: list[dict[str, Any]]) -> bytes:
    """Return the bytes of a file of labels, papers in the order of their ids."""
    lines = [
        json.dumps(labels(paper), ensure_ascii=False, separators=(",", ":")) + "\n"
        for paper in sorted(known, key=lambda paper: str(paper["id"]))
    ]
    return gzip.compress("".join(lines).encode(), compresslevel=9, mtime=0)


def main() -> None:
    """Read the options and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("out", type=Path)
    a = parser.parse_args()
    a.out.write_bytes(packed(papers(a.gold)))


if __name__ == "__main__":
    main()
