"""`benchdata freeze` and `benchdata export`: validated rows as Parquet, trusted when read again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchdata.cli.arguments import AcceptRejects, ContractName, Files, NoCache
from benchdata.errors import BenchdataError, counted

if TYPE_CHECKING:
    from benchdata.dataset import Dataset


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(freeze)
    app.command()(export)


def freeze(
    files: Files,
    into: Annotated[Path, typer.Option(help="The lake's folder, made when it is not there.")],
    contract: ContractName = None,
    accept_rejects: AcceptRejects = 0,
    _: NoCache = False,
) -> None:
    """Append validated rows to a lake: Parquet by contract and month, each row once."""
    import benchdata
    from benchdata.rows import lake

    dataset = benchdata.open(files, contract)
    _ask_about_rejects(dataset, accept_rejects)
    appended, there = lake.freeze(dataset.tables, into)
    typer.echo(f"{appended:,} rows appended to {into}, {there:,} were there already")


def export(
    files: Files,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The Parquet file to write.", metavar="FILE")
    ],
    contract: ContractName = None,
    accept_rejects: AcceptRejects = 0,
    _: NoCache = False,
) -> None:
    """Write validated rows of one contract to a Parquet file, with a note that vouches for it."""
    import polars as pl

    import benchdata
    from benchdata.rows import parquet

    if output.suffix != ".parquet":
        raise BenchdataError(f"{output}: exports are Parquet; name the file with .parquet")
    dataset = benchdata.open(files, contract)
    _ask_about_rejects(dataset, accept_rejects)
    rows = pl.concat([table.scan() for table in dataset.tables])
    note = parquet.write(rows, output, dataset.contract, dataset.tables)
    typer.echo(f"{note.rows:,} rows written to {output}")


def _ask_about_rejects(dataset: Dataset, accepted: int) -> None:
    """Refuse rows that others were set aside from: in Parquet nobody could see that any more."""
    if dataset.set_aside != accepted:
        raise BenchdataError(
            f"{counted(dataset.set_aside, 'row')} of these inputs set aside, {accepted} accepted:"
            f" look at the rejects, then --accept-rejects {dataset.set_aside}"
        )
