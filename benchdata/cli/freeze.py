"""`benchdata freeze`: validated rows appended to a lake of Parquet, trusted when read again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchdata.cli.arguments import AcceptRejects, ContractName, Files, NoCache, refuse_rejects


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(freeze)


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
    refuse_rejects(dataset, accept_rejects)
    appended, there = lake.freeze(dataset.tables, into)
    typer.echo(f"{appended:,} rows appended to {into}, {there:,} were there already")
