"""`benchdata init`: a folder for a new benchmark, which passes its own tests from the start."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(init)


def init(
    name: Annotated[
        str, typer.Argument(help="What it is called, such as my-bench.", metavar="NAME")
    ],
    into: Annotated[Path, typer.Option(help="Make its folder in here.", metavar="DIR")] = Path(),
) -> None:
    """Write a new benchmark: contract, collector, notebook, tests and a gate for CI."""
    from benchdata import scaffold

    folder = scaffold.create(scaffold.named(name), into)
    typer.echo(folder)
    typer.echo("next: `make install` and `make test` in there, then its README.md", err=True)
