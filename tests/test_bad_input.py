"""What goes wrong says what and why in one line, with the right exit status, and leaves nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kg.linking import DEFAULT, PIPELINES
from tests.commands import EXAMPLE, kg
from tests.conftest import require


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.txt", b"", "the file is empty"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00", "not a text file"),
        ("list.json", b'{"a": [1, 2', "not valid JSON"),
        (None, b"", "no such file or folder"),
    ],
)
@pytest.mark.parametrize("command", ["build", "annotate"])
def test_an_input_that_holds_nothing(
    tmp_path: Path, command: str, name: str | None, content: bytes, reason: str
) -> None:
    path = tmp_path / (name or "missing.txt")
    if name:
        path.write_bytes(content)
    done = kg(command, path, "--out", tmp_path / "out")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"kg: {path.as_posix()}: ")
    assert reason in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_without_papers(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x.bin").write_bytes(b"\0")
    done = kg("build", tmp_path / "folder", "--out", tmp_path / "out")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "x.bin: not a text file" in done.stderr


def test_rejected_records_are_said_and_the_rest_is_done(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"title": "On BERT"}\n{"id": "x"}\nnonsense\n', encoding="utf-8")
    done = kg("build", tmp_path / "p.jsonl", "--out", tmp_path / "out")
    assert done.returncode == 3
    assert "3 records: 1 papers, 0 duplicates, 2 rejected" in done.stdout
    assert "record 2: neither title nor abstract" in done.stderr
    assert "record 3: not valid JSON" in done.stderr
    assert (tmp_path / "out" / "graph.nt").stat().st_size > 0


def test_standard_input(tmp_path: Path) -> None:
    done = kg("build", "-", "--out", tmp_path / "out", stdin="We propose OneThing. It outperforms BERT.")
    assert done.returncode == 0, done.stderr
    empty = kg("build", "-", "--out", tmp_path / "out")
    assert (empty.returncode, empty.stderr) == (1, "kg: standard input: the file is empty\n")


def test_an_output_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    done = kg("build", EXAMPLE, "--out", tmp_path / "out")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "cannot be written" in done.stderr
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


def test_annotations_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 3}\n', encoding="utf-8")
    done = kg("graph", tmp_path / "a.jsonl", "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (1, f"kg: {(tmp_path / 'a.jsonl').as_posix()}: line 1: lacks 'key'\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", [("validate",), ("view", "--no-open"), ("sparql", "ASK {}"), ("query", "RETURN 1")])
def test_a_folder_that_no_build_wrote(tmp_path: Path, command: tuple[str, ...]) -> None:
    name, *rest = command
    done = kg(name, tmp_path / "none", *rest)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "none" in done.stderr
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("build", "x.txt"), "--out"),
        (("build",), "INPUT"),
        (("nonsense",), "nonsense"),
        (("sparql", ".", "ASK {}", "--param", "novalue"), "NAME=VALUE"),
        (("sparql", ".", "ASK {}", "--output", "nope"), "'table', 'csv', 'json'"),
        (("duplicates", ".", "--output", "nope"), "table, csv, json"),
        (("build", "x.txt", "--out", "y", "--format", "nope"), "acl-xml, arxiv-atom, bibtex, "),
        (("annotate", "x.txt", "--out", "y", "--pipeline", "nope"), ", ".join(PIPELINES)),
        (("graph", "x.jsonl", "--out", "y", "--base-iri", "nope"), "not a valid absolute IRI"),
    ],
)
def test_a_wrong_command_line_is_status_2(arguments: tuple[str, ...], word: str) -> None:
    done = kg(*arguments)
    assert done.returncode == 2
    assert word in done.stderr


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("sparql", "DIR", "nonsense"), "no query named 'nonsense'"),
        (("query", "DIR", "nonsense"), "no query named 'nonsense'"),
        (("sparql", "DIR", "baseline-users"), "needs name"),
        (("query", "DIR", "baseline-users"), "needs name"),
        (("sparql", "DIR", "counts", "--param", "name=BERT"), "knows no parameter name"),
        (("sparql", "DIR", "SELECT"), "not valid SPARQL"),
        (("load", "DIR", "--uri", "nope"), "'nope' is not an address"),
        (("load", "DIR", "--uri", "bolt://localhost:nope"), "is not an address"),
    ],
)
def test_a_query_or_an_address_that_is_none_is_a_wrong_command_line(
    small: Path, arguments: tuple[str, ...], word: str
) -> None:
    """They had status 1, as if the graph could not be asked; and the password was asked for first."""
    done = kg(*(one.replace("DIR", str(small)) for one in arguments))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert word in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [("sparql", "DIR", "nonsense"), ("query", "DIR", "nonsense"), ("sparql", "DIR", "SELECT"), ("load", "DIR")],
)
def test_a_folder_that_is_missing_is_told_before_the_query(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = kg(*(one.replace("DIR", str(tmp_path / "none")) for one in arguments))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "there is no graph in" in done.stderr


def test_help_teaches() -> None:
    assert "kg build papers.txt --out out" in kg("--help").stdout
    for command in ("build", "annotate", "graph", "query", "sparql", "load", "validate", "view", "evaluate"):
        done = kg(command, "--help")
        assert done.returncode == 0
        assert len(done.stdout) > 300
    assert all(name in kg("build", "--help").stdout for name in (*PIPELINES, f"{DEFAULT} (default)"))
    assert kg("--version").stdout.startswith("kg ")


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    """A file system of two pages where we may mount one, else a limit on the size of a file."""
    require(sys.platform == "linux", "a small file system can be made on Linux only")
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], capture_output=True, check=False
    )
    command = [sys.executable, "-m", "kg", "build", str(EXAMPLE), "--out", str(small / "out")]
    try:
        limit = [] if mounted.returncode == 0 else ["prlimit", "--fsize=20000"]
        done = subprocess.run([*limit, *command], capture_output=True, encoding="utf-8", check=False)
        left = list(small.iterdir())
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", str(small)], check=True)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "cannot be written" in done.stderr
    assert left == []


@pytest.mark.parametrize("command", ["annotate", "build"])
def test_what_stands_at_the_output_and_is_none_is_kept(tmp_path: Path, command: str) -> None:
    """A folder where a file goes, a file where a folder goes, a device, the input itself."""
    folder, file = tmp_path / "folder", tmp_path / "file.txt"
    (folder / "deep").mkdir(parents=True)
    file.write_text("We propose OneThing. It beats BERT.", encoding="utf-8")
    before = file.read_bytes()
    wrong = [file, folder, Path(os.devnull)] if command == "annotate" else [file]
    for out in wrong:
        done = kg(command, file, "--out", out)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert file.read_bytes() == before
    assert (folder / "deep").is_dir()
    assert not Path(os.devnull).is_file()


def test_nothing_is_written_to_the_home_folder(tmp_path: Path) -> None:
    """A library that reports its use keeps what it will send there."""
    (tmp_path / "home").mkdir()
    home = {name: str(tmp_path / "home") for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")}
    done = kg("build", EXAMPLE, "--out", tmp_path / "out", environment=home)
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "home").rglob("*")) == []


def test_swapped_files_of_an_evaluation_are_told(tmp_path: Path, shared: Path) -> None:
    gold = shared / "gold" / "seed.jsonl"
    kg("annotate", gold, "--out", tmp_path / "p.jsonl", "--pipeline", "rules")
    done = kg("evaluate", tmp_path / "p.jsonl", gold)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "p.jsonl: line 1: a gold paper with" in done.stderr


def test_a_full_standard_output_is_one_line() -> None:
    require(Path("/dev/full").is_char_device(), "needs /dev/full")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kg", "sparql", "."],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("kg: standard output: ")


@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM"])
def test_an_interrupt_in_the_middle_leaves_nothing(tmp_path: Path, sent: str) -> None:
    require(os.name == "posix", "needs the signals of POSIX")
    many = tmp_path / "many.txt"
    abstracts = EXAMPLE.read_text(encoding="utf-8").strip().split("\n\n")[1:]
    many.write_text("\n\n".join(f"{a} Run {n}." for n in range(60) for a in abstracts), encoding="utf-8")
    for jobs in ("1", "2"):
        running = subprocess.Popen(
            [sys.executable, "-m", "kg", "build", str(many), "--out", str(tmp_path / "out"), "--jobs", jobs],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            deadline = time.monotonic() + 120
            while not list(tmp_path.glob("out/.kg-unfinished-*/annotations.jsonl")):
                assert running.poll() is None, running.communicate()
                assert time.monotonic() < deadline
                time.sleep(0.05)
            if sent == "SIGINT":
                os.killpg(running.pid, signal.SIGINT)
            else:
                running.terminate()
            _, errors = running.communicate(timeout=60)
        finally:
            running.kill()
        assert running.returncode == 130
        assert errors == "kg: interrupted; nothing was left half-written\n"
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("build", "--help"),
        ("sparql", "DIR"),
        ("sparql", "DIR", "SELECT * WHERE { ?a ?b ?c }"),
        ("sparql", "DIR", "SELECT * WHERE { ?a ?b ?c }", "--output", "csv"),
        ("sparql", "DIR", "SELECT * WHERE { ?a ?b ?c }", "--output", "json"),
        ("explain", "DIR", "BERT", "--json"),
        ("validate", "DIR"),
        ("build", "DIR/papers.txt", "--out", "DIR/again", "--pipeline", "rules"),
    ],
)
def test_a_reader_who_leaves_ends_the_command_quietly(small: Path, arguments: tuple[str, ...]) -> None:
    """As in `kg … | head`: no traceback, no complaint, and the status that programs in a pipe have."""
    command = [one.replace("DIR", str(small)) for one in arguments]
    running = subprocess.Popen(
        [sys.executable, "-m", "kg", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    errors = running.stderr.read()
    running.stderr.close()
    assert (running.wait(), errors) == (141, "")
    assert (small / "again" / "graph.nt").is_file() == ((small / "again").exists())


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("small")
    text = "We propose OneThing. It outperforms BERT on GLUE with H100 GPUs."
    (out / "papers.txt").write_text(text, encoding="utf-8")
    done = kg("build", out / "papers.txt", "--out", out, "--pipeline", "rules")
    assert done.returncode == 0, done.stderr
    return out
