"""The jobs that the commands run: each takes values and paths, writes its outputs whole or not at all."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import catalogue, corrections, linking, records, resolution
from kg.confidence import at_least, check_confidence
from kg.errors import InputError, OutputError
from kg.outputs import staged_file, staged_folder
from kg.progress import Progress, Silent
from kg.rdf import write_files
from kg.rdf.iris import Iris
from kg.rdf.vocabulary import DEFAULT_BASE_IRI
from kg.readers import account, read
from kg.resolution.papers import one_record_per_paper
from kg.stores import build_sparql_store
from kg.version import __version__
from kg.view import write_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.corrections import Correction
    from kg.model import KnowledgeGraph, PaperRecord
    from kg.readers import Reading

__all__ = ["Outcome", "annotate", "build", "graph_of", "write_graph"]

ANNOTATIONS = "annotations.jsonl"


@dataclass(frozen=True)
class Outcome:
    """What a job did, in numbers, and what it read: the content of report.json."""

    report: dict[str, Any]
    reading: Reading | None = None

    @property
    def rejected(self) -> int:
        """How many records of the input were rejected."""
        return len(self.reading.rejections) if self.reading else 0

    def rejection_lines(self, limit: int) -> list[str]:
        """Up to `limit` lines that name a rejection's file, record and reason, and one that counts the others."""
        return account.rejection_lines(self.reading, limit) if self.reading else []

    def idle_corrections(self, limit: int) -> list[str]:
        """Up to `limit` lines that name a correction of which there is more to say, and one that counts the others.

        Such are those that matched nothing or are ambiguous, in whole or in a name.
        """
        idle = [
            one for one in self.report.get("corrections", ()) if one["outcome"] == "matched nothing" or "note" in one
        ]
        lines = [
            f"{one['outcome']}: {one['file']}, entry {one['entry']}: {one['correction']}"
            + (f" – {one['note']}" if "note" in one else "")
            for one in idle[:limit]
        ]
        return [*lines, f"… and {len(idle) - limit} more; report.json lists all"] if len(idle) > limit else lines

    def summary(self) -> str:
        """One line a person reads: what came of the input, with numbers that add up."""
        parts = [account.sentence(self.reading)] if self.reading else []
        if "graph" in self.report:
            numbers = self.report["graph"]
            parts.append(f"{numbers['nodes']} nodes, {numbers['assertions']} assertions")
        if "corrections" in self.report:
            done = Counter(one["outcome"] for one in self.report["corrections"])
            parts.append("corrections: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(done.items())))
        return "; ".join(parts)


def build(
    inputs: Sequence[str | Path],
    out: Path,
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    catalogue_files: Sequence[Path] = (),
    corrections_files: Sequence[Path] = (),
    base_iri: str = DEFAULT_BASE_IRI,
    jobs: int = 1,
    pipeline: str = linking.DEFAULT,
    min_confidence: float = 0.0,
    progress: Progress | None = None,
) -> Outcome:
    """Read every input, annotate, resolve, and write all outputs and the embedded store to `out`.

    Raises:
        KgError: nothing could be done, and why. Nothing of this run is then left in `out`.
    """
    progress = progress or Silent()
    check_confidence(min_confidence)
    decided = corrections.read(*corrections_files)
    clock = _Clock()
    with staged_folder(out) as stage:
        progress.step("Reading")
        reading = read(inputs, format=format)
        clock.lap("read")
        annotated = _annotated(reading, catalogue_files, jobs, pipeline, min_confidence, progress)
        found = _write_annotations(stage / ANNOTATIONS, annotated)
        clock.lap("annotate")
        account.write_rejects(stage / "rejects.jsonl", reading)
        report = _report(clock)
        _write_graph(stage, found, catalogue_files, decided, base_iri, progress=progress, report=report, clock=clock)
        account.write_report(stage / "report.json", report, reading)
    return Outcome(report, reading)


def annotate(
    inputs: Sequence[str | Path],
    out: Path,
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    catalogue_files: Sequence[Path] = (),
    jobs: int = 1,
    pipeline: str = linking.DEFAULT,
    min_confidence: float = 0.0,
    progress: Progress | None = None,
) -> Outcome:
    """Read every input and write the annotations alone to the file `out`.

    Raises:
        KgError: nothing could be done, and why. `out` is then as it was.
    """
    progress = progress or Silent()
    check_confidence(min_confidence)
    clock = _Clock()
    if any(given.exists() and out.exists() and given.samefile(out) for given in map(Path, inputs)):
        raise OutputError(f"{out}: is one of the inputs")
    with staged_file(out) as path:
        progress.step("Reading")
        reading = read(inputs, format=format)
        clock.lap("read")
        for _ in _written(path, _annotated(reading, catalogue_files, jobs, pipeline, min_confidence, progress)):
            pass
        clock.lap("annotate")
    return Outcome(_report(clock), reading)


def write_graph(
    annotations: Sequence[Path],
    out: Path,
    *,
    catalogue_files: Sequence[Path] = (),
    corrections_files: Sequence[Path] = (),
    base_iri: str = DEFAULT_BASE_IRI,
    min_confidence: float = 0.0,
    progress: Progress | None = None,
) -> Outcome:
    """Write all outputs from the PaperRecords of one or many annotation files.

    Records of one paper in several files count once; of two texts of one paper the longer abstract is kept.

    Raises:
        KgError: nothing could be done, and why. Nothing of this run is then left in `out`.
    """
    progress = progress or Silent()
    check_confidence(min_confidence)
    decided = corrections.read(*corrections_files)
    clock = _Clock()
    with staged_folder(out) as stage:
        progress.step("Reading annotations")
        given = one_record_per_paper(record for path in annotations for record in records.read_records(path))
        if not given:
            raise InputError(f"no records in {', '.join(path.as_posix() for path in annotations)}")
        found = [at_least(record, min_confidence) for record in given]
        _write_annotations(stage / ANNOTATIONS, found)
        clock.lap("read")
        report: dict[str, Any] = {"version": __version__, "papers": len(found)}
        _write_graph(stage, found, catalogue_files, decided, base_iri, progress=progress, report=report, clock=clock)
        account.write_report(stage / "report.json", report)
    return Outcome(report)


def graph_of(
    inputs: Sequence[str | Path],
    *,
    format: str | None = None,  # noqa: A002 - the option's name
    catalogue_files: Sequence[Path] = (),
    corrections_files: Sequence[Path] = (),
    jobs: int = 1,
    pipeline: str = linking.DEFAULT,
    min_confidence: float = 0.0,
) -> KnowledgeGraph:
    """Return the graph of the inputs without writing anything.

    Raises:
        KgError: nothing could be read, and why.
    """
    check_confidence(min_confidence)
    decided = corrections.read(*corrections_files)
    reading = read(inputs, format=format)
    found = _annotated(reading, catalogue_files, jobs, pipeline, min_confidence, Silent())
    return resolution.resolve(found, catalogue.load(*catalogue_files), decided)


def _annotated(
    reading: Reading,
    catalogue_files: Sequence[Path],
    jobs: int,
    pipeline: str,
    min_confidence: float,
    progress: Progress,
) -> Iterable[PaperRecord]:
    found = linking.annotate(reading.papers, catalogue_files=catalogue_files, jobs=jobs, pipeline=pipeline)
    sure = (at_least(record, min_confidence) for record in found)
    return progress.track(sure, "Annotating", len(reading.papers))


def _write_annotations(path: Path, found: Iterable[PaperRecord]) -> list[PaperRecord]:
    return list(_written(path, found))


def _written(path: Path, found: Iterable[PaperRecord]) -> Iterator[PaperRecord]:
    """Pass the records through, each written as a line when it passes."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in found:
            file.write(records.dumps(record) + "\n")
            yield record


def _write_graph(
    stage: Path,
    found: Sequence[PaperRecord],
    catalogue_files: Sequence[Path],
    decided: Sequence[Correction],
    base_iri: str,
    *,
    progress: Progress,
    report: dict[str, Any],
    clock: _Clock,
) -> None:
    progress.step("Resolving")
    graph, effects = resolution.resolve_corrected(found, catalogue.load(*catalogue_files), decided)
    clock.lap("resolve")
    with (stage / "links.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in _link_lines(graph, base_iri))
    progress.step("Writing the graph")
    write_files(graph, stage, base_iri)
    clock.lap("write")
    progress.step("Drawing graph.html")
    write_html(graph, stage / "graph.html")
    clock.lap("draw")
    progress.step("Filling the store")
    build_sparql_store(stage)
    clock.lap("store")
    report["graph"] = {
        "papers": len(graph.papers),
        "nodes": len(graph.nodes),
        "assertions": len(graph.assertions),
        "links": len(graph.links),
    }
    if decided:
        report["corrections"] = [effect.told() for effect in effects]
    report["seconds"] = clock.laps


def _link_lines(graph: KnowledgeGraph, base_iri: str) -> Iterator[str]:
    iris = Iris(base_iri)
    for link in graph.links:
        values = {"paper": link.paper, "entity": link.entity, "node": iris.node(link.node), "reason": link.reason}
        yield json.dumps(values, ensure_ascii=False)


def _report(clock: _Clock) -> dict[str, Any]:
    return {"version": __version__, "started": clock.started, "seconds": clock.laps}


class _Clock:
    """Seconds that the steps of a job take."""

    def __init__(self) -> None:
        self.started = datetime.now(UTC).isoformat(timespec="seconds")
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Note the time since the last lap."""
        now = time.perf_counter()
        self.laps[name] = round(now - self._last, 3)
        self._last = now
