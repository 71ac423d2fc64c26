"""The arguments that several commands share, each defined once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from benchdata.errors import BenchdataError


class Format(StrEnum):
    """How a comparison, a history or composites are printed."""

    md = "md"
    json = "json"
    csv = "csv"


class FailOn(StrEnum):
    """Which verdict makes a command exit 3."""

    worse = "worse"


FILES = typer.Argument(
    help="Row files, directories, globs, or - for standard input; .gz and .zst too.",
    metavar="FILE...",
    show_default=False,
)
Files = Annotated[list[str], FILES]
MaybeFiles = Annotated[list[str] | None, FILES]
ContractName = Annotated[
    str | None,
    typer.Option(
        "--contract",
        help="A contract's name or FILE.py:OBJECT; else it is recognised from the rows.",
        metavar="NAME",
        show_default=False,
    ),
]
Require = Annotated[
    str | None,
    typer.Option(
        help="Group fields, comma between: every combination of their values needs a READY group.",
        metavar="FIELDS",
        show_default=False,
    ),
]
MinEffect = Annotated[
    float | None,
    typer.Option(
        help="The smallest effect that counts: 0.05 is five points of a score, 5% of a time.",
        metavar="M",
        show_default=False,
        min=0,
    ),
]
JudgedMetric = Annotated[
    str | None,
    typer.Option(
        "--metric",
        help="Judge by this metric instead of the contract's primary one.",
        metavar="NAME",
        show_default=False,
    ),
]
AcceptRejects = Annotated[
    int, typer.Option(help="How many rows set aside the publisher knows of.", metavar="K", min=0)
]


def _without_cache(off: bool) -> None:
    """Turn the cache off for this process and for the kernels it starts."""
    if off:
        from benchdata.rows import cache

        os.environ[cache.OFF] = "1"


NoCache = Annotated[
    bool,
    typer.Option(
        "--no-cache",
        help="Validate every row again and keep nothing for the next time.",
        callback=_without_cache,
    ),
]


def once(files: Sequence[str]) -> None:
    """Raise BenchdataError when standard input is named twice: it can be read but once."""
    if files.count("-") > 1:
        raise BenchdataError("- is standard input, which can be read but once: give - once")


def listed(text: str | None) -> tuple[str, ...]:
    """Return the items of a comma-separated option; one that is given must name something."""
    items = tuple(item.strip() for item in (text or "").split(",") if item.strip())
    if text is not None and not items:
        raise BenchdataError("--require names no field: name at least one, comma between")
    return items
