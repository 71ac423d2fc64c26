"""`benchdata summarize` and `benchdata gate`: what the rows show, and may they be published."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from benchdata.cli.arguments import AcceptRejects, ContractName, Files, NoCache, Require, listed
from benchdata.errors import printable, shorten

NOT_READY = 3


class Format(StrEnum):
    """How a summary is printed."""

    md = "md"
    json = "json"
    csv = "csv"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(summarize)
    app.command()(gate)


def summarize(
    files: Files,
    contract: ContractName = None,
    format: Annotated[Format, typer.Option(help="How to print it.")] = Format.md,  # noqa: A002
    accept_rejects: AcceptRejects = 0,
    _: NoCache = False,
) -> None:
    """Print groups, outcomes, failure rates, nearest-rank percentiles, reasons and the gate."""
    import benchdata
    from benchdata.reports import formats
    from benchdata.reports.summary import summarize as summary_of

    summary = summary_of(benchdata.open(files, contract), accept_rejects=accept_rejects)
    typer.echo(formats.FORMATS[format](summary), nl=False)


def gate(
    files: Files,
    contract: ContractName = None,
    require: Require = None,
    accept_rejects: AcceptRejects = 0,
    _: NoCache = False,
) -> int:
    """Say whether the rows may be published, with every reason; exit 3 when they may not."""
    import benchdata
    from benchdata import gates

    dataset = benchdata.open(files, contract)
    result = gates.judge(dataset, require=listed(require), accept_rejects=accept_rejects)
    typer.echo(result.verdict)
    for reason in (*result.reasons, *result.notes):
        typer.echo(f"- {shorten(reason)}")
    for group in result.groups:
        typer.echo(printable(f"{group.label}: {group.status}"))
        for reason in (*group.reasons, *group.notes):
            typer.echo(f"  - {shorten(reason)}")
    return 0 if result.ready else NOT_READY
