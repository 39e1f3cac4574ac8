"""The commands of `kg`: options, progress bars, tables and exit statuses; the work is done elsewhere.

Exit status: 0 all read and done; 3 some records were rejected, the rest is done; 1 nothing could be done, and
why; 2 the command line is wrong, or the query on it; 130 interrupted; 141 whoever read the output has left, as in
`kg … | head`.
"""

from __future__ import annotations

import os
import signal
import sys
import webbrowser
from pathlib import Path  # noqa: TC003 - Typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from kg import cli_catalogue, cli_review, terminal
from kg.cli_options import (
    BaseIri,
    Catalogues,
    Corrections,
    Directory,
    Format,
    Inputs,
    Jobs,
    MinConfidence,
    Output,
    OutputForm,
    Params,
    Pipeline,
)
from kg.errors import KgError, UsageError
from kg.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.jobs import Outcome

FAILED, WRONG_USAGE, REJECTED, INTERRUPTED = 1, 2, 3, 130

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Knowledge graphs of research papers: who proposes what, builds on what and compares with what.

    No language model, no network. Start with:

    `kg build papers.txt --out out` and then `kg view out`""",
)


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, Option("--version", help="Show the version and exit.", is_eager=True)] = False,
) -> None:
    """Say the version, or go on to the command."""
    if version:
        typer.echo(f"kg {__version__}")
        raise typer.Exit


@app.command()
def build(
    inputs: Inputs,
    out: Annotated[Path, Option("--out", metavar="DIR", help="Where to write; made if it is not there.")],
    format: Format = None,  # noqa: A002 - the option's name
    catalogue: Catalogues = None,
    corrections: Corrections = None,
    base_iri: BaseIri = "",
    jobs: Jobs = 1,
    pipeline: Pipeline = None,
    min_confidence: MinConfidence = 0.0,
) -> None:
    """Build the graph of a list of papers.

    Reads every INPUT and writes to DIR: annotations.jsonl (what was found in each paper), links.jsonl,
    graph.nt, graph.ttl and graph.jsonld (the graph as RDF), graph.html (to look at), report.json (what was
    read, rejected and counted) and the store that `kg sparql` and `kg query` ask.

    Example: `kg build neurips.txt more/*.jsonl --out out --jobs 4`
    """
    from kg import jobs as work
    from kg.linking import DEFAULT

    with terminal.bars() as progress:
        outcome = work.build(
            inputs,
            out,
            format=format,
            catalogue_files=catalogue or (),
            corrections_files=corrections or (),
            base_iri=base_iri,
            jobs=jobs,
            pipeline=pipeline or DEFAULT,
            min_confidence=min_confidence,
            progress=progress,
        )
    _finish(outcome, out)


@app.command()
def annotate(
    inputs: Inputs,
    out: Annotated[Path, Option("--out", metavar="FILE", help="The annotations file to write.")],
    format: Format = None,  # noqa: A002 - the option's name
    catalogue: Catalogues = None,
    jobs: Jobs = 1,
    pipeline: Pipeline = None,
    min_confidence: MinConfidence = 0.0,
) -> None:
    """Find names and roles, and write the annotations alone.

    One line of JSON a paper: its mentions with offsets, its entities, their roles with evidence. Files of
    several runs go into one graph with `kg graph`.
    """
    from kg import jobs as work
    from kg.linking import DEFAULT

    with terminal.bars() as progress:
        outcome = work.annotate(
            inputs,
            out,
            format=format,
            catalogue_files=catalogue or (),
            jobs=jobs,
            pipeline=pipeline or DEFAULT,
            min_confidence=min_confidence,
            progress=progress,
        )
    _finish(outcome, out)


@app.command()
def graph(
    annotations: Annotated[list[Path], Argument(metavar="ANNOTATIONS...", help="Files that `kg annotate` wrote.")],
    out: Annotated[Path, Option("--out", metavar="DIR", help="Where to write; made if it is not there.")],
    catalogue: Catalogues = None,
    corrections: Corrections = None,
    base_iri: BaseIri = "",
    min_confidence: MinConfidence = 0.0,
) -> None:
    """Make the graph of annotations: the second half of `kg build`."""
    from kg import jobs as work

    with terminal.bars() as progress:
        outcome = work.write_graph(
            annotations,
            out,
            catalogue_files=catalogue or (),
            corrections_files=corrections or (),
            base_iri=base_iri,
            min_confidence=min_confidence,
            progress=progress,
        )
    _finish(outcome, out)


@app.command()
def query(
    directory: Directory,
    cypher: Annotated[
        str | None, Argument(metavar="CYPHER-OR-NAME", help="A query, or the name of one that is shipped.")
    ] = None,
    param: Params = None,
    output: OutputForm = Output.TABLE,
) -> None:
    """Ask the graph in Cypher, without a server.

    Without a query, lists the named ones. The first query fills the store; it needs the extra `cypher`.

    Example: `kg query out baseline-users --param name=FlashAttention-2`
    """
    from kg import stores

    if cypher is None:
        terminal.named_queries(stores.named_queries("cypher").values())
        return
    with terminal.bars() as progress:
        progress.step("Asking")
        table = stores.query(directory, cypher, _parameters(param))
    terminal.table(table, output.value)


@app.command()
def sparql(
    directory: Directory,
    text: Annotated[
        str | None, Argument(metavar="SPARQL-OR-NAME", help="A query, or the name of one that is shipped.")
    ] = None,
    param: Params = None,
    output: OutputForm = Output.TABLE,
) -> None:
    """Ask the graph in SPARQL, without a server. Without a query, lists the named ones.

    Example: `kg sparql out hardware-by-paper --output csv`
    """
    from kg import stores

    if text is None:
        terminal.named_queries(stores.named_queries("sparql").values())
        return
    terminal.table(stores.sparql(directory, text, _parameters(param)), output.value)


@app.command()
def load(
    directory: Directory,
    uri: Annotated[str, Option("--uri", envvar="NEO4J_URI", help="Address of the server.")] = "bolt://localhost:7687",
    user: Annotated[str, Option("--user", envvar="NEO4J_USERNAME", help="Who logs in.")] = "neo4j",
) -> None:
    """Load the graph into Neo4j. Loading again changes only what is new.

    The password is taken from the environment variable NEO4J_PASSWORD, else asked for; it is never an argument.
    """
    from kg import stores

    # What would come to nothing anyhow is told before anybody types a password.
    stores.check_graph(directory)
    stores.check_address(uri)
    password = os.environ.get("NEO4J_PASSWORD")
    if password is None:
        password = typer.prompt(f"Password of {user} at {uri}", hide_input=True, err=True)
    with terminal.bars() as progress:
        done = stores.load(directory, uri, user, password, progress=progress.count("Loading"))
    typer.echo(f"{uri}: {done}")


@app.command()
def validate(directory: Directory) -> None:
    """Check the graph: strict parsing by two parsers, equal triples in all files, and the SHACL shapes."""
    from kg import rdf

    with terminal.bars() as progress:
        progress.step("Validating")
        report = rdf.validate(directory)
    for problem in report.problems:
        typer.echo(str(problem), err=True)
    if not report.conforms:
        typer.echo(f"{directory}: does not conform, {len(report.problems)} problems", err=True)
        raise typer.Exit(FAILED)
    typer.echo(f"{directory}: conforms, {report.triples} triples")


@app.command()
def view(
    directory: Directory,
    no_open: Annotated[bool, Option("--no-open", help="Only write the file.")] = False,
) -> None:
    """Write graph.html and open it in the browser."""
    from kg.outputs import staged_file
    from kg.rdf import read_graph
    from kg.view import write_html

    knowledge, _ = read_graph(directory / "graph.nt")
    path = directory / "graph.html"
    with staged_file(path) as stage:
        write_html(knowledge, stage)
    typer.echo(path.as_posix())
    if not no_open and not webbrowser.open(path.resolve().as_uri()):
        typer.echo("no browser could be opened; open the file yourself", err=True)


@app.command()
def evaluate(
    gold: Annotated[Path, Argument(metavar="GOLD", help="Annotated papers, one a line.")],
    predicted: Annotated[
        Path | None, Argument(metavar="PREDICTED", help="What `kg annotate GOLD` wrote.", show_default=False)
    ] = None,
    gold_entities: Annotated[
        bool, Option("--gold-entities", help="Give GOLD's names, in place of PREDICTED, and score the roles told.")
    ] = False,
    pipeline: Pipeline = None,
    errors: Annotated[int, Option("--errors", min=0, help="Show up to this many errors of each kind.")] = 0,
    json: Annotated[bool, Option("--json", help="Write JSON.")] = False,
) -> None:
    """Precision, recall and F1 of annotations against gold ones, for mentions, entities and roles.

    With `--gold-entities`, the texts of GOLD are annotated anew by the pipeline, but with GOLD's names: so one sees
    how well roles are told, apart from how well names are found.
    """
    from kg.evaluate import LEVELS
    from kg.evaluate import evaluate as score

    if gold_entities == (predicted is not None):
        raise typer.BadParameter("give either PREDICTED or --gold-entities", param_hint="PREDICTED")
    if pipeline and not gold_entities:
        raise typer.BadParameter("only --gold-entities runs a pipeline", param_hint="--pipeline")
    with terminal.bars() as progress:
        progress.step("Scoring")
        if predicted is None:
            from kg.evaluate_given import evaluate_given
            from kg.linking import DEFAULT

            scores = evaluate_given(gold, pipeline=pipeline or DEFAULT)
        else:
            scores = score(gold, predicted)
    levels = ("roles",) if gold_entities else LEVELS
    if gold_entities and not json:
        typer.echo(f"roles of the names that {gold.as_posix()} gives; the names themselves are not scored")
    typer.echo(scores.to_json(levels=levels) if json else scores.to_text(errors=errors, levels=levels))


cli_review.register(app)
app.add_typer(cli_catalogue.app, name="catalogue")


def _parameters(given: Sequence[str] | None) -> dict[str, str]:
    parameters = {}
    for one in given or ():
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"{one!r} is not of the form NAME=VALUE", param_hint="--param")
        parameters[name] = value
    return parameters


def _finish(outcome: Outcome, out: Path) -> None:
    typer.echo(f"{out.as_posix()}: {outcome.summary()}")
    for line in (*outcome.rejection_lines(10), *outcome.idle_corrections(10)):
        typer.echo(line, err=True)
    if outcome.rejected:
        raise typer.Exit(REJECTED)


def has_patterns(arguments: Sequence[str]) -> bool:
    """Tell whether what looks like a pattern of file names or a variable on a command line is one.

    The shells of Windows leave these to the program. In a query or a name they would be torn: ``$path``, ``*``.

    >>> has_patterns(["build", "*.txt", "--out", "out"]), has_patterns(["query", "out", "MATCH (n {key: $x}) RETURN n"])
    (True, False)
    """
    command = next((one for one in arguments if not one.startswith("-")), "")
    return command not in {"query", "sparql", "explain"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    terminal.prepare()
    # A request to end is obeyed like Ctrl-C: nothing is left half-written, and no process of ours goes on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        try:
            app(args=arguments, prog_name="kg", windows_expand_args=has_patterns(sys.argv[1:]))
        finally:
            sys.stdout.flush()
    except KgError as error:
        typer.echo("kg: " + " ".join(str(error).splitlines()), err=True)
        sys.exit(WRONG_USAGE if isinstance(error, UsageError) else FAILED)
    except OSError as error:
        typer.echo(f"kg: {error.filename or 'standard output'}: {error.strerror or error}", err=True)
        terminal.drop_output()
        sys.exit(FAILED)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            typer.echo("kg: interrupted; nothing was left half-written", err=True)
        raise


if __name__ == "__main__":
    main()
