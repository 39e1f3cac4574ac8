"""The commands that look a built graph over: `kg explain` and `kg duplicates`."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from kg import terminal

Directory = Annotated[Path, Argument(metavar="DIR", help="A folder that `kg build` wrote.", show_default=False)]
Catalogues = Annotated[
    list[Path] | None, Option("--catalogue", metavar="FILE", help="The known things of your own that the build had.")
]


def explain(
    directory: Directory,
    name: Annotated[str, Argument(metavar="NAME", help="A name, or the key or IRI of a node.", show_default=False)],
    catalogue: Catalogues = None,
    show_all: Annotated[bool, Option("--all", help="Show every link and refusal, not only the first 20.")] = False,
    json: Annotated[bool, Option("--json", help="Write JSON.")] = False,
) -> None:
    """Say why the things of a name are linked as they are: every link and every refusal, with its reason.

    Example: `kg explain out FlashAttention-3`
    """
    from kg.catalogue import load
    from kg.review import explain as explained
    from kg.review import known_in, read_built
    from kg.review.telling import as_data, as_text

    with terminal.bars() as progress:
        progress.step("Looking it up")
        files = catalogue or []
        found = explained(read_built(directory), name, load(*files), files=known_in(files))
    if json:
        typer.echo(json_module.dumps(as_data(found), ensure_ascii=False, indent=2))
    else:
        typer.echo(as_text(found, most=0 if show_all else 20))


def duplicates(
    directory: Directory,
    limit: Annotated[int, Option("--limit", min=0, help="Show the first so many; 0 for all.")] = 50,
    output: Annotated[
        str, Option("--output", "-o", metavar="table|csv|json|corrections", help="How the answers are written.")
    ] = "table",
    catalogue: Catalogues = None,
) -> None:
    """List things that are likely one and were not merged, best first, with the reason.

    With `--output corrections` they are a file for `--corrections` (docs/corrections.md), in which you uncomment what
    is one.

    Example: `kg duplicates out --output corrections > corrections.yaml`
    """
    from kg.catalogue import load
    from kg.review import duplicates as found_duplicates
    from kg.review import read_built
    from kg.review.suggesting import COLUMNS, as_corrections, as_rows
    from kg.stores import Table

    if output not in {"table", "csv", "json", "corrections"}:
        raise typer.BadParameter(f"{output!r} is not one of table, csv, json, corrections", param_hint="--output")
    with terminal.bars() as progress:
        progress.step("Comparing")
        built = read_built(directory)
        found = found_duplicates(built, catalogue=load(*catalogue or ()))
    found = found[:limit] if limit else found
    rows = tuple(as_rows(found, built))
    if output == "corrections":
        typer.echo(as_corrections(found, built), nl=False)
    elif output == "table":
        terminal.table(Table(COLUMNS[:-2], tuple(row[:-2] for row in rows)), output)
    else:
        terminal.table(Table(COLUMNS, rows), output)


def register(app: typer.Typer) -> None:
    """Add the commands to an app."""
    app.command()(explain)
    app.command()(duplicates)
