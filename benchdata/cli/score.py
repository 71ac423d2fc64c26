"""`benchdata score`: composite scores of stored rows, under any weights."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchdata.cli.arguments import ContractName, Files, Format, NoCache


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(score)


def score(
    files: Files,
    preset: Annotated[
        str,
        typer.Option(help="A shipped preset, or a .toml or .json file of axes.", metavar="PRESET"),
    ] = "default",
    prices: Annotated[
        Path | None,
        typer.Option(help="A .toml file of list prices, over the shipped table.", metavar="FILE"),
    ] = None,
    format: Annotated[Format, typer.Option(help="How to print it.")] = Format.md,  # noqa: A002
    contract: ContractName = None,
    _: NoCache = False,
) -> None:
    """Score every lane again from its stored rows: nothing is stored, so weights can be edited.

    Cost is priced again from the tokens of each run.
    """
    import benchdata
    from benchdata.reports import score_formats
    from benchdata.reports.scores import scores
    from benchdata.stats import pricing, scoring

    named = Path(preset).suffix in {".toml", ".json"}
    chosen = scoring.read_preset(Path(preset)) if named else scoring.preset(preset)
    found = scores(benchdata.open(files, contract), chosen, pricing.load(prices))
    typer.echo(score_formats.FORMATS[format](found), nl=False)
