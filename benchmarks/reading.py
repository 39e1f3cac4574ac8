"""How fast and in how much memory long lists are read, against a loop that only decodes the same JSON.

    python benchmarks/reading.py [MEGABYTES] [--annotate]

Makes a list of papers of that size (200 MB unless said), with every tenth paper twice, and reads it in a process
of its own for each size: the peak of memory must not grow with the list.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

TEXT = (
    "we propose a method that learns representations of graphs and images with attention for large scale models on "
    "several benchmarks which shows better accuracy than strong baselines while using less memory and time"
)
WORDS = TEXT.split()

#: On Linux the count of `resource` starts with what the parent had, so the kernel's own count is read.
PEAK = """
import json, re, resource, sys, time
from pathlib import Path
def measured(start, papers):
    status = Path("/proc/self/status")
    if status.exists():
        peak = int(re.search(r"VmHWM:\\s*(\\d+)", status.read_text()).group(1)) * 1024
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": time.perf_counter() - start, "papers": papers, "peak": peak / 1e6}))
"""
DECODE = """
start = time.perf_counter()
count = 0
with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        json.loads(line)
        count += 1
measured(start, count)
"""
READ = """
from kg.readers import read
start = time.perf_counter()
reading = read([sys.argv[1]])
count = sum(1 for _ in reading.papers)
assert reading.records == len(reading.papers) + reading.duplicates + len(reading.rejections)
measured(start, count)
"""
ANNOTATE = """
from kg import jobs
start = time.perf_counter()
outcome = jobs.annotate([sys.argv[1]], Path(sys.argv[1]).with_suffix(".out"))
measured(start, len(outcome.reading.papers))
"""


def write_list(path: Path, megabytes: float) -> None:
    """Write that many megabytes of made-up papers as JSON Lines; every tenth one is written twice."""
    chance = random.Random(1)
    size = 0
    number = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        while size < megabytes * 1e6:
            number += 1
            title = " ".join(chance.choices(WORDS, k=9)).capitalize()
            abstract = ". ".join(" ".join(chance.choices(WORDS, k=20)).capitalize() for _ in range(9)) + "."
            authors = [f"A{chance.randrange(10**6)} B{chance.randrange(10**6)}" for _ in range(4)]
            paper = {"id": f"p{number}", "title": title, "abstract": abstract, "authors": authors, "year": 2026}
            line = json.dumps(paper)
            for _ in range(1 + (number % 10 == 0)):
                size += file.write(line + "\n")


def run(code: str, path: Path) -> dict[str, float]:
    """Run a piece of code in a process of its own and return what it measured."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK + code, str(path)], check=True, capture_output=True, encoding="utf-8"
    )
    return dict(json.loads(done.stdout))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("megabytes", nargs="?", type=float, default=200)
    parser.add_argument("--annotate", action="store_true", help="annotate as well; takes long")
    options = parser.parse_args()
    print("size      json.loads loop          kg.readers.read            ratio  peak memory")
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in (options.megabytes / 10, options.megabytes):
            path = Path(folder, f"papers-{megabytes:g}.jsonl")
            write_list(path, megabytes)
            peer, ours = run(DECODE, path), run(READ, path)
            print(
                f"{megabytes:5g} MB {peer['papers']:8.0f} in {peer['seconds']:6.1f} s   "
                f"{ours['papers']:8.0f} in {ours['seconds']:6.1f} s   {ours['seconds'] / peer['seconds']:8.1f}  "
                f"{ours['peak']:.0f} MB (loop: {peer['peak']:.0f} MB)"
            )
            if options.annotate:
                whole = run(ANNOTATE, path)
                print(f"{'':8} annotate: {whole['seconds']:.1f} s, peak {whole['peak']:.0f} MB")


if __name__ == "__main__":
    main()
