"""`benchdata power`: how many tasks, repeats or runs it takes to find an effect."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from benchdata.cli.arguments import ContractName, Files, NoCache


class Format(StrEnum):
    """How a plan is printed."""

    md = "md"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(power)


def power(
    files: Files,
    detect: Annotated[
        float,
        typer.Option(
            help="The effect to be found: 0.1 is ten points of a score, 10% of a time or a cost.",
            metavar="X",
            show_default=False,
        ),
    ],
    metric: Annotated[
        str | None,
        typer.Option(
            help="Plan by this metric instead of the contract's primary one.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    format: Annotated[Format, typer.Option(help="How to print it.")] = Format.md,  # noqa: A002
    contract: ContractName = None,
    _: NoCache = False,
) -> None:
    """Say how many tasks, repeats or runs find X 8 times in 10, at the spread of these rows."""
    import benchdata
    from benchdata.comparisons import claims
    from benchdata.reports import designs

    rows = benchdata.open(files, contract)
    found = designs.plans(rows, claims.of_contract(rows.contract, metric), detect)
    typer.echo(designs.FORMATS[format](found), nl=False)
