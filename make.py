#!/usr/bin/env python3
"""Set everything up in a virtual environment of this checkout, and run something there.

    python3 make.py demo     install, then build the graph of examples/papers.txt in out/
    python3 make.py test     install with what the tests need, then lint, type-check and test

Needs Python 3.11 or newer and nothing else. Further arguments of `test` go to pytest.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    if sys.version_info < (3, 11):
        print(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}", file=sys.stderr)
        return 1
    if arguments == ["demo"]:
        return demo()
    if arguments[:1] == ["test"]:
        return test(arguments[1:])
    print(__doc__, file=sys.stderr)
    return 2


def demo() -> int:
    """Install and run the main job on the example."""
    install(".")
    run(program("kg"), "build", "examples/papers.txt", "--out", "out")
    print(f"\nOpen {ROOT / 'out' / 'graph.html'} in a browser, or ask the graph:")
    print(f"  {program('kg')} sparql out baseline-users --param name=BERT")
    return 0


def test(arguments: list[str]) -> int:
    """Install with what the tests need; lint, type-check, test."""
    install("--editable", ".[cypher,dev]")
    if not os.environ.get("KG_TEST_CHROME") and not any(map(shutil.which, BROWSERS)):
        run(program("python"), "-m", "playwright", "install", "chromium")
    run(program("ruff"), "check", ".")
    run(program("ruff"), "format", "--check", ".")
    run(program("mypy"))
    run(program("python"), "-m", "pytest", *arguments)
    return 0


def install(*what: str) -> None:
    """Make the virtual environment where there is none, and install into it."""
    if not program("python").exists():
        venv.create(ENVIRONMENT, with_pip=True, upgrade_deps=True)
    run(program("python"), "-m", "pip", "install", "--quiet", *what)


def program(name: str) -> Path:
    """Return the path of a program of the virtual environment."""
    return ENVIRONMENT / (f"Scripts/{name}.exe" if os.name == "nt" else f"bin/{name}")


def run(command: Path, *arguments: str) -> None:
    """Run a program in the checkout; end with its status where it fails."""
    print("$", command.name, *arguments, flush=True)
    done = subprocess.run([str(command), *arguments], cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
