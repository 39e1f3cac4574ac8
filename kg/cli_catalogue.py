"""The commands of `kg catalogue`."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - Typer reads the annotations
from typing import Annotated

import typer
from typer import Argument, Option

from kg.model import EntityType  # noqa: TC001 - Typer reads the annotations

FAILED = 1

app = typer.Typer(no_args_is_help=True, help="Known things of your own: import public listings, check files.")


@app.command("import")
def import_(
    listing: Annotated[Path, Argument(metavar="FILE", help="JSON, JSON Lines or CSV, gzipped or not.")],
    out: Annotated[Path, Option("--out", metavar="FILE", help="The catalogue file (YAML) to write.")],
    type: Annotated[  # noqa: A002 - the option's name
        EntityType | None, Option("--type", help="What all things of the listing are, over what its rows say.")
    ] = None,
) -> None:
    """Make a catalogue file of a public listing, for `--catalogue`.

    Reads Papers with Code's dumps and MLSO's, Epoch AI's hardware table, and listings of the Hugging Face hub.

    Example: `kg catalogue import ml_hardware.csv --out hardware.yaml`
    """
    from kg.catalogue import load
    from kg.catalogue.importing import as_yaml, import_listing
    from kg.outputs import staged_file

    imported = import_listing(listing, load(), type_=type)
    with staged_file(out) as stage:
        stage.write_text(as_yaml(imported, listing.name), encoding="utf-8", newline="\n")
    typer.echo(f"{out.as_posix()}: {imported}")
    for line in imported.skipped[:10]:
        typer.echo(f"skipped: {line}", err=True)
    if len(imported.skipped) > 10:
        typer.echo(f"… and {len(imported.skipped) - 10} more", err=True)


@app.command()
def check(
    files: Annotated[
        list[Path] | None, Argument(metavar="[FILE]...", help="Catalogue files; without one, what is shipped.")
    ] = None,
    notes: Annotated[bool, Option("--notes", help="Show also what may be meant so.")] = False,
) -> None:
    """Find clashes, duplicate aliases and circles of families.

    Files are checked together with the shipped catalogue. Exit status 1 where there is a fault.
    """
    from kg.catalogue.checking import check_files

    findings = check_files(files or ())
    faults = sum(finding.fault for finding in findings)
    for finding in findings:
        if finding.fault or notes:
            typer.echo(str(finding))
    names = ", ".join(file.as_posix() for file in files) if files else "the shipped catalogue"
    typer.echo(f"{names}: {faults} faults, {len(findings) - faults} notes")
    if faults:
        raise typer.Exit(FAILED)
