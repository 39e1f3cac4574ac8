"""What is installed works away from the checkout: the wheel carries schemas, queries and data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.commands import EXAMPLE

ROOT = Path(__file__).resolve().parents[1]


def test_the_wheel_builds_a_graph_without_the_checkout(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(site), str(ROOT)]
    subprocess.run(install, check=True)
    assert {"schemas", "queries", "py.typed", "catalogue"} <= {p.name for p in (site / "kg").iterdir()}
    code = (
        "import kg, sys; assert kg.__file__.startswith(sys.argv[1]), kg.__file__; "
        "from kg.cli import main; main(sys.argv[2:])"
    )
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONNOUSERSITE": "1"}
    for arguments in (
        ["build", str(EXAMPLE), "--out", "out"],
        ["validate", "out"],
        ["sparql", "out", "baseline-users", "--param", "name=BERT"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, str(site), *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert "RoBERTa" in done.stdout
