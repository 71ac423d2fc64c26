"""`benchdata sql`: one SELECT, or a named query, over validated rows."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchdata.cli.arguments import ContractName
from benchdata.errors import BenchdataError

if TYPE_CHECKING:
    import polars as pl


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
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE...")] = None,
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
    import polars as pl

    import benchdata
    from benchdata import queries
    from benchdata.queries import sandbox

    dataset = benchdata.open(files, contract)
    text = queries.text(query) if query in queries.names() else query
    limits = sandbox.FILE if output else sandbox.TERMINAL
    result = sandbox.run(text, dataset.views, limits=limits)
    if result.truncated:
        typer.echo(f"note: {result.notice}", err=True)
    frame = pl.DataFrame(result.table)
    if output:
        _write(frame, wanted, output)
    else:
        typer.echo(_text(frame, wanted), nl=False)


def _by_ending(output: Path | None) -> Format:
    """Return the format that a file's name asks for."""
    ending = output.suffix.removeprefix(".") if output else Format.table
    if ending not in set(Format):
        raise BenchdataError(f"{output}: cannot tell the format; add --format csv, json or parquet")
    return Format(ending)


def _write(frame: pl.DataFrame, wanted: Format, output: Path) -> None:
    from benchdata.rows.writing import whole_file

    with whole_file(output) as part:
        if wanted is Format.parquet:
            frame.write_parquet(part)
        else:
            part.write_text(_text(frame, wanted), encoding="utf-8")
    typer.echo(f"{frame.height:,} rows written to {output}", err=True)


def _text(frame: pl.DataFrame, wanted: Format) -> str:
    import polars as pl

    if wanted is Format.json:
        return frame.write_json() + "\n"
    if wanted is Format.csv:
        nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
        flat = frame.with_columns(pl.col(nested).map_elements(str, return_dtype=pl.String))
        return flat.write_csv()
    with pl.Config(
        tbl_rows=-1,
        tbl_cols=-1,
        tbl_width_chars=10_000,
        fmt_str_lengths=200,
        tbl_hide_dataframe_shape=True,
        tbl_hide_column_data_types=True,
    ):
        return f"{frame}\n"


def _list(files: list[str], contract: str | None) -> None:
    import benchdata
    from benchdata import queries

    for name in queries.names():
        typer.echo(f"{name:14} {queries.question(name)}")
    if files:
        dataset = benchdata.open(files, contract)
        for view in dataset.views:
            columns = dataset.sql(f"select * from {queries.quoted(view.name)} limit 0").columns
            typer.echo(f"{view.name:14} {', '.join(columns)}")
