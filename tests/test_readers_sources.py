"""Where records come from: compressed files, archives, encodings, and what is wrong with them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import InputError
from kg.readers import compression, read
from kg.readers.decoding import decoder
from kg.readers.inputs import sources

ABSTRACT = "We propose X, a method that does what a method does, and we show on Y that it does it well."
LINES = "".join(json.dumps({"id": f"p{n}", "title": f"On the method number {n}"}) + "\n" for n in range(50)).encode()


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def tarred(*members: tarfile.TarInfo, **files: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in files.items():
            one = tarfile.TarInfo(name)
            one.size = len(data)
            archive.addfile(one, io.BytesIO(data))
        for member in members:
            archive.addfile(member)
    return buffer.getvalue()


def tar_member(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
    "zip": lambda data: zipped(**{"in/side.jsonl": data}),
    "tar": lambda data: tarred(**{"in/side.jsonl": data}),
    "tgz": lambda data: gzip.compress(tarred(**{"./in/side.jsonl": data})),
    "tar.xz": lambda data: lzma.compress(tarred(**{"in/side.jsonl": data})),
}


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("name", ["papers.jsonl.{}", "papers"])
def test_compression_is_told_by_content(tmp_path: Path, suffix: str, name: str) -> None:
    path = tmp_path / name.format(suffix)
    path.write_bytes(COMPRESS[suffix](LINES))
    reading = read([path])
    assert (len(reading.papers), reading.records) == (50, 50)
    assert dict(reading.formats) == {"jsonl": 50}


@pytest.mark.parametrize("suffix", ["gz", "bz2", "xz", "zst"])
def test_what_stands_before_the_damage_is_read(tmp_path: Path, suffix: str) -> None:
    lines = b"".join(json.dumps({"title": f"{n} {os.urandom(3000).hex()}"}).encode() + b"\n" for n in range(600))
    path = tmp_path / f"papers.jsonl.{suffix}"
    data = COMPRESS[suffix](lines)
    path.write_bytes(data[: -len(data) // 10])
    reading = read([path])
    assert 0 < len(reading.papers) < 600
    last = reading.rejections[0]
    assert last.record == 0
    assert "the compressed data are damaged" in last.reason
    assert "read as far as record" in last.reason


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "_MAX_UNTOLD_BYTES", 1024 * 1024)
    path = tmp_path / "bomb.txt.gz"
    path.write_bytes(gzip.compress(b"word " * 4_000_000, 9))
    with pytest.raises(InputError, match="grow by more than 200 times"):
        read([path])


def test_two_compressions_and_a_zip_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    path.write_bytes(zipped(**{"a.zip": zipped(**{"b/c.jsonl.gz": gzip.compress(LINES)}), "__MACOSX/._x": b"\0"}))
    reading = read([path])
    assert len(reading.papers) == 50
    assert {source.file for source in reading.papers[0].sources} == {f"{path.as_posix()}/a.zip/b/c.jsonl.gz"}


def test_a_tar_file_is_read_as_a_zip_file_is(tmp_path: Path) -> None:
    """It was taken for a text in no known format."""
    inner = zipped(**{"c.jsonl.gz": gzip.compress(LINES)})
    path = tmp_path / "all.tar.gz"
    path.write_bytes(gzip.compress(tarred(**{"./b/a.zip": inner, "b/._a.zip": b"\0", ".hidden/x": b"\0"})))
    reading = read([path])
    assert (len(reading.papers), len(reading.rejections)) == (50, 0)
    assert {source.file for source in reading.papers[0].sources} == {f"{path.as_posix()}/b/a.zip/c.jsonl.gz"}


def test_of_a_name_that_comes_twice_in_a_tar_file_the_last_counts(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(
        tarred(**{"a.jsonl": LINES})[: 512 * (1 + -(-len(LINES) // 512))]
        + tarred(**{"a.jsonl": b'{"title": "On X"}\n'})
    )
    assert [paper.title for paper in read([tmp_path / "a.tar"]).papers] == ["On X"]


def test_links_and_devices_in_a_tar_file_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text('{"title": "A secret"}\n', encoding="utf-8")
    data = tarred(
        tar_member("soft.jsonl", tarfile.SYMTYPE, "../secret.jsonl"),
        tar_member("hard.jsonl", tarfile.LNKTYPE, str(tmp_path / "secret.jsonl")),
        tar_member("zero", tarfile.CHRTYPE),
        tar_member("pipe", tarfile.FIFOTYPE),
        **{"../../out.jsonl": b'{"title": "On X"}\n', "/abs.jsonl": b'{"title": "On Y"}\n'},
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.tar").write_bytes(data)
    reading = read([tmp_path / "in" / "a.tar"])
    assert {paper.title for paper in reading.papers} == {"On X", "On Y"}
    assert {p.name for p in tmp_path.rglob("*")} == {"in", "a.tar", "secret.jsonl"}


@pytest.mark.parametrize("cut", ["header", "data", "size", "sparse"])
def test_what_stands_before_the_damage_of_a_tar_file_is_read(tmp_path: Path, cut: str) -> None:
    """The library ends quietly at what is no header, and goes round for ever at a size below zero."""
    good = tarred(**{"a.jsonl": LINES})
    data = bytearray(tarred(**{"a.jsonl": LINES, "b.jsonl": LINES.replace(b"method", b"theory")}))
    second = data.index(b"b.jsonl")
    if cut == "header":
        data[second : second + 200] = b"?" * 200
    elif cut == "data":
        data = data[: second + 1000]
    else:
        at, value = (124, b"\xff" * 12) if cut == "size" else (156, tarfile.GNUTYPE_SPARSE)
        data[second + at : second + at + len(value)] = value
        data[second + 148 : second + 156] = b" " * 8  # which is how the sum of a header counts itself
        data[second + 148 : second + 156] = b"%06o\0 " % sum(data[second : second + 512])
    assert good[:512] == data[:512]
    (tmp_path / "a.tar").write_bytes(data)
    reading = read([tmp_path / "a.tar"])
    assert len(reading.papers) == 50
    assert all("method" in paper.title for paper in reading.papers)
    reasons = " ".join(rejection.reason for rejection in reading.rejections)
    assert ("a sparse file" if cut == "sparse" else "the archive is damaged") in reasons


def test_an_archive_that_is_cut_off_does_not_stop_the_others(tmp_path: Path) -> None:
    """An archive within damaged compression ended the whole reading."""
    big = zipped(**{f"{n}.jsonl": os.urandom(50_000) for n in range(9)})
    (tmp_path / "a.zip.gz").write_bytes(gzip.compress(big)[:-100_000])
    (tmp_path / "b.jsonl").write_bytes(LINES)
    reading = read([tmp_path])
    assert len(reading.papers) == 50
    (rejection,) = reading.rejections
    assert rejection.file.endswith("a.zip.gz")
    assert "the compressed data are damaged" in rejection.reason


def test_archives_nested_without_end_are_refused(tmp_path: Path) -> None:
    data = LINES
    for _ in range(6):
        data = zipped(inner=data)
    (tmp_path / "deep.zip").write_bytes(data)
    with pytest.raises(InputError, match="nested more than 3 deep"):
        read([tmp_path / "deep.zip"])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (zipped(), "the archive holds no files"),
        (tarred(), "the file is empty|of no other format|the archive holds no files"),
        (tarred(tar_member("x", tarfile.SYMTYPE, "y")), "the archive holds no files"),
        (zipped(a=LINES)[:200], "not a zip archive"),
        (
            zipped(**{"[Content_Types].xml": b"<a/>", "word/document.xml": b"<a/>"}),
            "of no other format|not a spreadsheet",
        ),
    ],
)
def test_archives_without_papers_say_why(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(InputError, match=reason):
        read([tmp_path / "a.zip"])


def test_a_member_that_cannot_be_unpacked_does_not_stop_the_others(tmp_path: Path) -> None:
    data = bytearray(zipped(**{"a.jsonl": LINES, "b.jsonl": LINES.replace(b"method", b"theory")}))
    at = data.index(b"a.jsonl") + len("a.jsonl") + 5
    data[at : at + 40] = bytes(40)
    (tmp_path / "a.zip").write_bytes(data)
    reading = read([tmp_path / "a.zip"])
    assert len([paper for paper in reading.papers if "theory" in paper.title]) == 50
    assert any("damaged" in one.reason for one in reading.rejections)


def test_standard_input_may_be_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Standard:
        buffer = io.BytesIO(gzip.compress(LINES))

    monkeypatch.setattr(sys, "stdin", Standard())
    reading = read(["-"])
    assert len(reading.papers) == 50
    assert reading.papers[0].sources[0].file == "standard input"


TEXTS = {
    "utf-8": "Naïve “Bayes” 方法 Ω and so on and so forth.",
    "utf-8-sig": "Naïve “Bayes” 方法 Ω and so on and so forth.",
    "utf-16": "Naïve “Bayes” 方法 Ω and so on and so forth.",
    "utf-16-le": "Naïve “Bayes” 方法 Ω and so on and so forth.",
    "utf-16-be": "Naïve “Bayes” 方法 Ω and so on and so forth.",
    "utf-32": "Naïve “Bayes” 方法 Ω and so on and so forth.",
    "cp1252": "Naïve “Bayes” – œuvre, €5 and so on and so forth.",
    "latin-1": "Naïve Bayes, für Käse and so on and so forth.",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_encodings(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.txt").write_bytes(f"{TEXTS[encoding]}\r\n\r\n{ABSTRACT}\r{ABSTRACT}\n".encode(encoding))
    abstracts = {paper.abstract for paper in read([tmp_path / "a.txt"]).papers}
    assert abstracts == {TEXTS[encoding], f"{ABSTRACT} {ABSTRACT}"}


def test_one_bad_byte_spoils_nothing_but_itself(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("方法 Ω “x” naïve ".encode() + "é".encode("latin-1") + " and so on.".encode())
    assert read([tmp_path / "a.txt"]).papers[0].abstract == "方法 Ω “x” naïve é and so on."


def test_a_character_cut_by_the_end_of_the_head_is_whole(tmp_path: Path) -> None:
    text = "a" * 65535 + "é and more of it."
    (tmp_path / "a.txt").write_bytes(text.encode())
    assert read([tmp_path / "a.txt"]).papers[0].abstract == text


@given(st.text(st.characters(codec="utf-8", exclude_characters="\ufeff"), min_size=1))
def test_utf8_is_never_taken_for_anything_else(text: str) -> None:
    data = text.encode()
    encoding, errors = decoder(data)
    if "\0" not in text:
        assert data.decode(encoding, errors) == text


def test_a_file_name_that_is_no_unicode_can_be_told() -> None:
    (source,) = sources([os.fsdecode(b"no/\xff.jsonl") if os.name != "nt" else "no/\udcff.jsonl"])
    assert source.name == "no/\ufffd.jsonl"


def test_a_source_is_the_same_however_often_it_is_opened(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped(a=gzip.compress(LINES), b=LINES))
    for source in sources([tmp_path]):
        for _ in range(3):
            with source.open_binary() as stream:
                assert stream.read() == LINES
            assert source.text() == LINES.decode()
            with source.on_disk() as path:
                assert path.read_bytes() == LINES


def test_a_member_whose_name_leads_out_of_the_archive_is_read_and_written_nowhere(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("../../out.jsonl", '{"title": "On X"}\n')
    reading = read([tmp_path / "a.zip"])
    assert [p.title for p in reading.papers] == ["On X"]
    assert [p.name for p in tmp_path.iterdir()] == ["a.zip"]
