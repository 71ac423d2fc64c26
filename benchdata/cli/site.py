"""`benchdata site`: a static site of reports and leaderboards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchdata.errors import BenchdataError, shorten

LEFT_OUT = 2
"""The exit code when the site is there, but not all that was to be on it."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(site)


def site(
    reports: Annotated[
        Path,
        typer.Argument(
            help="The folder of report folders and of pages of `summarize --format html`.",
            metavar="DIR",
        ),
    ] = Path("reports"),
    out: Annotated[
        Path, typer.Option(help="The site's folder; a site that is there is replaced.")
    ] = Path("site"),
    title: Annotated[str, typer.Option(help="The heading of the site.")] = "Benchmark reports",
) -> int:
    """Make a static site of reports: an index to search, a page a benchmark, no request to others.

    What is no whole report is named and left out, and the exit code is 2.
    """
    from benchdata.site.publishing import publish

    heading = shorten(" ".join(title.split()))
    if not heading:
        raise BenchdataError("--title: give the site a heading of some words")
    left_out = publish(reports, out, heading, lambda message: typer.echo(message, err=True))
    typer.echo(out / "index.html")
    return LEFT_OUT if left_out else 0
