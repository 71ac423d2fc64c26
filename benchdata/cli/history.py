"""`benchdata history`: did a release get worse than the one that is pinned as baseline?"""

from __future__ import annotations

from typing import Annotated

import typer

from benchdata.cli.arguments import (
    ContractName,
    FailOn,
    Files,
    JudgedMetric,
    MinEffect,
    NoCache,
    VerdictFormat,
    once,
)
from benchdata.cli.ci import JUnit, told
from benchdata.errors import ANSWER_IS_NO


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(history)


def history(
    files: Files,
    baseline: Annotated[
        str | None,
        typer.Option(
            help="The release that the others are judged against; else the contract's own baseline"
            " (none, of arms), or the first to start.",
            metavar="VALUE",
            show_default=False,
        ),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(
            help="Follow this field instead of the one that the contract follows.",
            metavar="FIELD",
            show_default=False,
        ),
    ] = None,
    metric: JudgedMetric = None,
    confirm: Annotated[
        str | None,
        typer.Option(
            help="Fresh repeats of both releases: `worse` stays unconfirmed until they show it, or"
            " exclude it.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    min_effect: MinEffect = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            help="Exit 3 when a release is this, unless fresh repeats exclude a loss of M or more.",
            show_default=False,
        ),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        VerdictFormat, typer.Option(help="How to print it.")
    ] = VerdictFormat.md,
    junit: JUnit = None,
    contract: ContractName = None,
    _: NoCache = False,
) -> int:
    """Judge every release, in order of first start, against one baseline: each gate on its own."""
    once([*files, *([] if confirm is None else [confirm])])
    with told("history", files, format, junit) as cases:
        import benchdata
        from benchdata.comparisons import claims
        from benchdata.histories import series
        from benchdata.reports import history_formats
        from benchdata.reports.ci.verdicts import of_history

        rows = benchdata.open(files, contract)
        fresh = None if confirm is None else benchdata.open(confirm, contract)
        claim = claims.of_contract(rows.contract, metric, min_effect)
        found = series.history(rows, claim, over, baseline, fresh)
        cases.extend(of_history(found, rows))
        if format is not VerdictFormat.github:
            typer.echo(history_formats.FORMATS[format](found), nl=False)
    return ANSWER_IS_NO if fail_on is FailOn.worse and found.alarm else 0
