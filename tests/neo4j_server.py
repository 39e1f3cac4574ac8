"""A real Neo4j server for the tests, of each version that is supported.

Where ``NEO4J_TEST_URI`` is set, the server there is used, with the password in ``NEO4J_TEST_PASSWORD`` (user
``neo4j``). Its database should be empty: whatever carries our labels is deleted. Else each version is started
here, from jars that Maven fetches once into ``.test-cache/``. Nothing of Neo4j is shipped.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import require

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = {"5.26.0": 17, "2026.08.1": 25}
"""Each version of Neo4j, and the version of Java that it runs on."""

_GIVEN = os.environ.get("NEO4J_TEST_URI")
_HERE = Path(__file__).resolve().parent / "neo4j"
_READY_WITHIN = 120.0
_JAVA_HOMES = (
    "/usr/lib/jvm/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "C:/Program Files/Java/*",
    "C:/Program Files/Eclipse Adoptium/*",
)
_OPENS = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.nio", "java.io", "sun.nio.ch")]


@dataclass(frozen=True)
class Server:
    """Where a server listens and how to get in."""

    uri: str
    user: str
    password: str = field(repr=False)
    version: str


@pytest.fixture(scope="session", params=["given"] if _GIVEN else VERSIONS)
def neo4j_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    if _GIVEN:
        yield Server(_GIVEN, "neo4j", os.environ.get("NEO4J_TEST_PASSWORD", ""), "given")
        return
    with started(request.param) as server:
        yield server


@contextmanager
def started(version: str) -> Iterator[Server]:
    """Run a server of that version on a free port of loopback, with a random password."""
    java = _java(VERSIONS[version])
    require(java, f"Neo4j {version} needs Java {VERSIONS[version]}: install a JDK and set JAVA_HOME or put it on PATH")
    jars = _jars(version)
    password, port = secrets.token_urlsafe(24), _free_port()
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(prefix="kg-neo4j-", ignore_cleanup_errors=True))
        command = [str(java), "-Xmx700m", *_OPENS, "-cp", f"{jars}{os.sep}*", str(_HERE / "Neo4jTestServer.java")]
        process = subprocess.Popen(
            [*command, home, str(port)],
            env={**os.environ, "NEO4J_TEST_PASSWORD": password},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        stack.callback(_stop, process)
        _wait(process, version)
        yield Server(f"bolt://127.0.0.1:{port}", "neo4j", password, version)


def _wait(process: subprocess.Popen[str], version: str) -> None:
    said: list[str] = []
    ready = threading.Event()

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if "Neo4jTestServer is ready" in line:
                ready.set()
        ready.set()

    threading.Thread(target=listen, daemon=True).start()
    ready.wait(_READY_WITHIN)
    if not any("Neo4jTestServer is ready" in line for line in said):
        pytest.fail(f"Neo4j {version} was not ready within {_READY_WITHIN:.0f} s. It said:\n{''.join(said)}")


def _stop(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _jars(version: str) -> Path:
    jars = ROOT / ".test-cache" / f"neo4j-{version}" / "lib"
    if jars.is_dir():
        return jars
    maven = shutil.which("mvn")
    require(maven, f"Neo4j {version} for the tests needs Maven (mvn) to fetch it once")
    jars.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=jars.parent) as scratch:
        fetched = subprocess.run(
            [
                *(str(maven), "-q", "-B", "-f", str(_HERE / "pom.xml"), f"-Dneo4j.version={version}"),
                *("dependency:copy-dependencies", f"-DoutputDirectory={scratch}/lib"),
            ],
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        require(fetched.returncode == 0, f"Maven could not fetch Neo4j {version}:\n{fetched.stdout}{fetched.stderr}")
        (Path(scratch) / "lib").rename(jars)
    return jars


def _java(wanted: int) -> Path | None:
    """Return a JDK's `java` of exactly that version: Neo4j 5 runs on 17 and 21, and the later ones on 21 and 25."""
    return next((java for java in _javas() if _version(java) == wanted), None)


def _javas() -> Iterable[Path]:
    name = "java.exe" if sys.platform == "win32" else "java"
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    for pattern in _JAVA_HOMES:
        root = Path(pattern.split("*")[0])
        homes += sorted(root.glob(pattern.removeprefix(root.as_posix()).lstrip("/"))) if root.is_dir() else []
    on_path = shutil.which(name)
    yield from (home / "bin" / name for home in homes if (home / "bin" / name).is_file())
    if on_path:
        yield Path(on_path)


def _version(java: Path) -> int | None:
    told = subprocess.run([str(java), "-version"], capture_output=True, text=True, timeout=60, check=False)
    match = re.search(r'version "(\d+)', told.stderr)
    return int(match[1]) if match else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
