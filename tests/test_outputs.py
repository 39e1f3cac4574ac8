"""Outputs stand whole under their final names, or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kg.errors import OutputError
from kg.outputs import staged_file, staged_folder


def test_what_was_written_moves_in_and_what_was_there_stays(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with staged_folder(out) as stage:
        (stage / "a").write_text("1", encoding="utf-8")
        (stage / "store").mkdir()
        (stage / "store" / "old").touch()
    with staged_folder(out) as stage:
        (stage / "b").write_text("2", encoding="utf-8")
        (stage / "store").mkdir()
        (stage / "store" / "new").touch()
    assert sorted(p.relative_to(out).as_posix() for p in out.rglob("*")) == ["a", "b", "store", "store/new"]


def test_a_folder_that_cannot_be_replaced_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows refuses to move a folder in which something is open; it was half emptied, beside files of the new run."""

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Access is denied", str(self))

    def fill(content: str) -> None:
        with staged_folder(tmp_path / "out") as stage:
            (stage / "graph.nt").write_text(content, encoding="utf-8")
            (stage / "store").mkdir()
            (stage / "store" / "one").write_text(content, encoding="utf-8")
            (stage / "store" / content).touch()

    fill("old")
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OutputError, match="cannot be written: Access is denied"):
        fill("new")
    found = sorted(p for p in (tmp_path / "out").rglob("*") if p.is_file())
    assert [(p.name, p.read_text(encoding="utf-8")) for p in found] == [
        ("graph.nt", "old"),
        ("old", ""),
        ("one", "old"),
    ]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, OSError])
def test_a_failure_leaves_nothing_of_the_run(tmp_path: Path, error: type[BaseException]) -> None:
    def fail(out: Path) -> None:
        with staged_folder(out) as stage:
            (stage / "a").write_text("new", encoding="utf-8")
            raise error

    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a").write_text("old", encoding="utf-8")
    for out in (tmp_path / "new" / "deep", tmp_path / "there"):
        with pytest.raises((error, OutputError)):
            fail(out)
    assert [p.name for p in tmp_path.iterdir()] == ["there"]
    assert [(p.name, p.read_text(encoding="utf-8")) for p in (tmp_path / "there").iterdir()] == [("a", "old")]


def test_a_file_in_the_way_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="file: cannot be written"), staged_folder(tmp_path / "file"):
        raise AssertionError("not reached")
    with pytest.raises(OutputError, match="cannot be written"), staged_folder(tmp_path / "file" / "out"):
        raise AssertionError("not reached")


def test_one_file(tmp_path: Path) -> None:
    with staged_file(tmp_path / "x.jsonl") as path:
        path.write_text("whole", encoding="utf-8")
        assert not (tmp_path / "x.jsonl").exists()
    assert [p.name for p in tmp_path.iterdir()] == ["x.jsonl"]


def test_what_a_killed_process_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    writes = (
        "import sys, time; from pathlib import Path; from kg.outputs import staged_folder\n"
        "with staged_folder(Path(sys.argv[1])) as stage:\n"
        "    (stage / 'half').touch(); print(stage.name, flush=True); time.sleep(600)"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", writes, str(tmp_path)], stdout=subprocess.PIPE, encoding="utf-8")
        for _ in range(2)
    ]
    try:
        names = [one.stdout.readline().strip() for one in running if one.stdout]
        running[0].kill()
        running[0].wait()
        assert (tmp_path / names[0] / "half").is_file()
        with staged_file(tmp_path / "x") as path:
            path.write_text("whole", encoding="utf-8")
        assert {p.name for p in tmp_path.iterdir()} == {"x", names[1], f"{names[1]}.lock"}
        assert (tmp_path / names[1] / "half").is_file()
    finally:
        for one in running:
            one.kill()
            one.communicate()
    with staged_file(tmp_path / "x") as path:
        path.write_text("again", encoding="utf-8")
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_a_folder_of_such_a_name_without_a_lock_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".kg-unfinished-mine").mkdir()
    with staged_file(tmp_path / "x") as path:
        path.touch()
    assert {p.name for p in tmp_path.iterdir()} == {"x", ".kg-unfinished-mine"}
