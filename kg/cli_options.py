"""The options and arguments that several commands of `kg` have, and what checks their values."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from kg.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "BaseIri",
    "Catalogues",
    "Corrections",
    "Directory",
    "Format",
    "Inputs",
    "Jobs",
    "MinConfidence",
    "Output",
    "OutputForm",
    "Params",
    "Pipeline",
]


class Output(StrEnum):
    """How a table of answers is written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


def _format(name: str | None) -> str | None:
    """Check the name of a format; the readers are loaded only where a command needs them."""
    if name is None:
        return None
    from kg.readers.formats import FORMATS

    return _one_of(name, sorted(FORMATS), "--format")


def _pipeline(name: str | None) -> str | None:
    """Check the name of a pipeline; what annotates is loaded only where a command needs it."""
    if name is None:
        return None
    from kg.linking import PIPELINES

    return _one_of(name, PIPELINES, "--pipeline")


def _base_iri(given: str) -> str:
    """Check the IRI before any work is done for it."""
    from kg.rdf.iris import Iris

    try:
        return Iris(given or None).base
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--base-iri") from None


def _catalogues(files: list[Path] | None) -> list[Path] | None:
    """Refuse files that are no catalogue, and warn of what `kg catalogue check` finds in the others."""
    if files:
        from kg.catalogue import load
        from kg.catalogue.checking import check_files

        load(*files)
        for finding in check_files(files):
            if finding.fault:
                typer.echo(f"warning: {finding.place}: {finding.text}", err=True)
    return files


def _one_of(name: str, names: Iterable[str], option: str) -> str:
    if name not in names:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(names)}", param_hint=option)
    return name


Inputs = Annotated[
    list[str],
    Argument(metavar="INPUT...", help="Files or folders of papers, or `-` for standard input.", show_default=False),
]
Directory = Annotated[Path, Argument(metavar="DIR", help="A folder that `kg build` wrote.", show_default=False)]
Format = Annotated[
    str | None,
    Option(
        "--format",
        metavar="NAME",
        callback=_format,
        help="bibtex, jsonl, table, text, …: docs/formats.md lists them; told by content if not given.",
    ),
]
Catalogues = Annotated[
    list[Path] | None,
    Option(
        "--catalogue",
        metavar="FILE",
        callback=_catalogues,
        help="Known things of your own (YAML), beside those shipped. Repeatable.",
    ),
]
Corrections = Annotated[
    list[Path] | None,
    Option("--corrections", metavar="FILE", help="Your decisions (YAML): what is one thing, what is not. Repeatable."),
]
Jobs = Annotated[int, Option("--jobs", "-j", min=1, help="Processes that annotate. The result is the same.")]
Pipeline = Annotated[
    str | None,
    Option(
        "--pipeline",
        metavar="NAME",
        callback=_pipeline,
        help="accurate (default); fast: a smaller model, twice as quick; rules: no model, quicker still.",
    ),
]
MinConfidence = Annotated[
    float,
    Option("--min-confidence", min=0.0, max=1.0, help="Leave out mentions and roles that are less sure than this."),
]
BaseIri = Annotated[
    str,
    Option("--base-iri", callback=_base_iri, help="Under which IRI the papers and things of the graph live."),
]
Params = Annotated[
    list[str] | None, Option("--param", metavar="NAME=VALUE", help="A parameter of the query. Repeatable.")
]
OutputForm = Annotated[Output, Option("--output", "-o", help="How the answers are written.")]
