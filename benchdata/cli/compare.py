"""`benchdata compare`: is B better than A, and which value of a field is better than another?"""

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
from benchdata.errors import BenchdataError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(compare)


def compare(
    files: Files,
    by: Annotated[
        str | None,
        typer.Option(
            help="Compare the values of this field; without it B is judged against baseline A.",
            metavar="FIELD",
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            help="The value of FIELD that the others are judged against; else the contract's own"
            " baseline (none, of arms), or the first in order (1.9.0 before 1.10.0).",
            metavar="VALUE",
            show_default=False,
        ),
    ] = None,
    metric: JudgedMetric = None,
    min_effect: MinEffect = None,
    fail_on: Annotated[
        FailOn | None, typer.Option(help="Exit 3 when a verdict is this.", show_default=False)
    ] = None,
    no_worse_than: Annotated[
        float | None,
        typer.Option(
            help="Exit 3 unless every interval excludes a loss of M; `cannot tell` excludes none.",
            metavar="M",
            show_default=False,
            min=0,
        ),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        VerdictFormat, typer.Option(help="How to print it.")
    ] = VerdictFormat.md,
    junit: JUnit = None,
    contract: ContractName = None,
    _: NoCache = False,
) -> int:
    """Judge B against baseline A, or the values of a field against one of them: exact, corrected.

    `benchdata compare A B`, or `benchdata compare FILE... --by FIELD`. Runs and the rows of their
    judge get a table for each metric.
    """
    if by is None and len(files) != 2:
        raise BenchdataError(f"compare takes two inputs, A and B, not {len(files)}; or --by FIELD")
    if by is None and baseline is not None:
        raise BenchdataError(
            "--baseline names a value of --by FIELD; of A and B, A is the baseline"
        )
    once(files)
    with told("compare", files, format, junit) as cases:
        import benchdata
        from benchdata import verdicts
        from benchdata.leaderboards.tables import Choice
        from benchdata.reports import comparing, comparison_formats
        from benchdata.reports.ci.verdicts import of_comparisons

        if by is None:
            a, rows = (benchdata.open(file, contract) for file in files)
            reports = comparing.of_inputs(a, rows, metric, min_effect)
        else:
            rows = benchdata.open(files, contract)
            reports = comparing.by_field(rows, Choice(by, baseline, metric, min_effect))
        conditions = verdicts.Conditions(fail_on is FailOn.worse, no_worse_than)
        reports = comparing.held(reports, conditions)
        cases.extend(of_comparisons(reports, rows))
        if format is not VerdictFormat.github:
            typer.echo(comparison_formats.FORMATS[format](reports), nl=False)
    findings = [finding for each in reports for finding in each.table.findings]
    return verdicts.exit_code(findings, conditions)
