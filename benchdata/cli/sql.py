"""`benchdata sql`: one SELECT, or a named query, over validated rows."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchdata.cli.answers import FORMATS
from benchdata.cli.arguments import ContractName, MaybeFiles, NoCache, refuse_input
from benchdata.errors import BenchdataError, QueryRefused

if TYPE_CHECKING:
    import pyarrow as pa


class Format(StrEnum):
    """How an answer is printed."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(sql)


def sql(
    query: Annotated[
        str | None,
        typer.Argument(help="One SELECT over the view `rows`, or the name of a query."),
    ] = None,
    files: MaybeFiles = None,
    contract: ContractName = None,
    format: Annotated[  # noqa: A002 - the option's name
        Format | None, typer.Option(help="How to print; else by the ending of --output.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the answer here.", metavar="FILE")
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List the named queries, and with FILEs their views.")
    ] = False,
    _: NoCache = False,
) -> None:
    """Answer one question about the rows, in a child process that can reach nothing else."""
    if listing:
        _list([*([query] if query else []), *(files or [])], contract)
        return
    if not query or not files:
        raise BenchdataError('write `benchdata sql "select ..." FILE...`, or --list')
    wanted = format or _by_ending(output)
    if wanted is Format.parquet and output is None:
        raise BenchdataError("Parquet is no text: name the file with -o FILE")
    import benchdata
    from benchdata import queries
    from benchdata.engine import sandbox

    text = queries.text(query) if query.isidentifier() else query
    dataset = benchdata.open(files, contract)
    if output:
        refuse_input(dataset, output)
    limits = sandbox.FILE if output else sandbox.TERMINAL
    result = sandbox.run(text, queries.views_of(dataset), limits=limits)
    if result.truncated:
        typer.echo(f"note: {result.notice}", err=True)
    if output:
        _write(result.table, wanted, output)
    else:
        for part in FORMATS[wanted](result.table):
            typer.echo(part, nl=False)


def _by_ending(output: Path | None) -> Format:
    """Return the format that a file's name asks for."""
    ending = output.suffix.removeprefix(".").lower() if output else Format.table
    if ending not in set(Format):
        raise BenchdataError(f"{output}: cannot tell the format; add --format csv, json or parquet")
    return Format(ending)


def _write(table: pa.Table, wanted: Format, output: Path) -> None:
    from benchdata.rows.writing import whole_file

    with whole_file(output) as part:
        if wanted is Format.parquet:
            _write_parquet(table, part)
        else:
            with part.open("w", encoding="utf-8") as file:
                file.writelines(FORMATS[wanted](table))
    typer.echo(f"{table.num_rows:,} rows written to {output}", err=True)


def _write_parquet(table: pa.Table, file: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        pq.write_table(table, file, compression="zstd")
    except pa.ArrowNotImplementedError:
        message = "Parquet has no column for a kind of value in the answer: cast it to varchar"
        raise QueryRefused(message) from None


def _list(files: list[str], contract: str | None) -> None:
    import benchdata
    from benchdata import queries
    from benchdata.engine.connection import quoted

    for name in queries.names():
        typer.echo(f"{name:14} {queries.question(name)}")
    if files:
        dataset = benchdata.open(files, contract)
        for view in (view for view in dataset.views if not view.hidden):
            columns = dataset.sql(f"select * from {quoted(view.name)} limit 0").columns
            typer.echo(f"{view.name:14} {', '.join(columns)}")
