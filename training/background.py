"""Count in how many annotated papers words and names stand: `kg/resolution/background.tsv`, which weighs contexts.

    python training/background.py GOLD.jsonl [--out FILE]

GOLD has one paper a line with its title, abstract and annotated entities. The file has the number of papers in its
first line, then one line a word or name that stands in three papers or more: how many, a tab, the word or name.
Nothing of a text is kept but that.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from kg.resolution.contexts import words_of_name, words_of_text

OUT = Path(__file__).parents[1] / "kg" / "resolution" / "background.tsv"
FEWEST = 3


def main() -> None:
    """Read the gold file and write the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    papers = 0
    for line in args.gold.read_text(encoding="utf-8").splitlines():
        paper = json.loads(line)
        words = words_of_text(f"{paper.get('title') or ''}\n{paper.get('abstract') or ''}")
        names = {word for one in paper["entities"] for word in words_of_name(one["name"]) if word.startswith("=")}
        counts.update(words | names)
        papers += 1
    often = sorted((word for word in counts if counts[word] >= FEWEST), key=lambda word: (-counts[word], word))
    lines = [f"{papers}\t", *(f"{counts[word]}\t{word}" for word in often)]
    args.out.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
