"""`benchdata collect NAME ...`: runs an installed collector with its own arguments."""

from __future__ import annotations

from importlib.metadata import entry_points

import typer

from benchdata.errors import BenchdataError

GROUP = "benchdata.collectors"


def register(app: typer.Typer) -> None:
    """Add the command; everything after the collector's name is the collector's."""
    settings = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    app.command(context_settings=settings)(collect)


def collect(context: typer.Context) -> int:
    """Run an installed collector: benchdata collect NAME [ARGUMENTS...]."""
    collectors = {point.name: point for point in entry_points(group=GROUP)}
    there = ", ".join(sorted(collectors)) or "none is installed"
    if not context.args:
        raise BenchdataError(f"name a collector; there are: {there}")
    name, *arguments = context.args
    if name.replace("_", "-") not in collectors:
        raise BenchdataError(f"no collector is named {name}; there are: {there}")
    code: int = collectors[name.replace("_", "-")].load()(arguments)
    return code
