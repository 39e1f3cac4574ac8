"""Running `kg` as a user does: another process, its exit status, what it prints."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "papers.txt"
SAME_BYTES = ("annotations.jsonl", "links.jsonl", "graph.nt", "graph.ttl", "graph.jsonld", "graph.html")


def kg(
    *arguments: str | Path, stdin: str = "", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `kg`; return its status and output."""
    return subprocess.run(
        [sys.executable, "-m", "kg", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "200", **(environment or {})},
        check=False,
    )


def built(*arguments: str | Path, environment: dict[str, str] | None = None) -> None:
    """Run `kg` and demand that all went well."""
    done = kg(*arguments, environment=environment)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
