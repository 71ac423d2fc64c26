"""`benchdata summarize`: what the rows show."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from benchdata.cli.arguments import AcceptRejects, ContractName, Files, NoCache


class Format(StrEnum):
    """How a summary is printed."""

    md = "md"
    json = "json"
    csv = "csv"
    html = "html"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(summarize)


def summarize(
    files: Files,
    contract: ContractName = None,
    format: Annotated[Format, typer.Option(help="How to print it.")] = Format.md,  # noqa: A002
    engine: Annotated[
        str,
        typer.Option(
            help="What answers the queries: duckdb, or of a lake spark or spark://HOST:PORT.",
            metavar="NAME",
        ),
    ] = "duckdb",
    accept_rejects: AcceptRejects = 0,
    _: NoCache = False,
) -> None:
    """Print leaderboards, groups, outcomes, nearest-rank percentiles, reasons and the gate.

    Of several contracts there is a summary each; runs know the verdicts of their judge.
    """
    import benchdata
    from benchdata.reports import formats
    from benchdata.reports.summary import summarize_each

    dataset = benchdata.open(files, contract, engine=engine)
    summaries = summarize_each(dataset, accept_rejects=accept_rejects)
    if format is Format.html:
        from benchdata.reports.summary_page import as_html

        typer.echo(as_html(dataset, summaries), nl=False)
    else:
        typer.echo(formats.printed(summaries, format), nl=False)
