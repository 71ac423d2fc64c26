"""`benchdata collect NAME ...`: runs an installed collector with its own arguments."""

from __future__ import annotations

import typer

from benchdata.errors import BenchdataError

GROUP = "benchdata.collectors"


def register(app: typer.Typer) -> None:
    """Add the command; everything after the collector's name is the collector's."""
    settings = {
        "ignore_unknown_options": True,
        "allow_extra_args": True,
        "allow_interspersed_args": False,
    }
    app.command(context_settings=settings)(collect)


def collect(context: typer.Context) -> int:
    """Run an installed collector: benchdata collect NAME [ARGUMENTS...]."""
    from importlib.metadata import entry_points

    collectors = {point.name.replace("_", "-"): point for point in entry_points(group=GROUP)}
    there = ", ".join(sorted(collectors)) or "none is installed"
    if not context.args:
        raise BenchdataError(f"name a collector; there are: {there}")
    name, *arguments = context.args
    point = collectors.get(name.replace("_", "-"))
    if point is None:
        raise BenchdataError(f"no collector is named {name}; there are: {there}")
    try:
        run = point.load()
    except (ImportError, AttributeError) as error:
        message = f"collector {name} cannot be loaded: {type(error).__name__}: {error}"
        raise BenchdataError(message) from None
    code: int = run(arguments)
    return code
