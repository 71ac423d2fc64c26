"""The arguments that several commands share, each defined once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchdata.errors import BenchdataError, counted

if TYPE_CHECKING:
    from benchdata.dataset import Dataset


class Format(StrEnum):
    """How composites are printed."""

    md = "md"
    json = "json"
    csv = "csv"


class VerdictFormat(StrEnum):
    """How a comparison or a history is printed; `github` are annotations."""

    md = "md"
    json = "json"
    csv = "csv"
    github = "github"


class CheckFormat(StrEnum):
    """How a check of rows is printed; `github` are annotations."""

    text = "text"
    github = "github"


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
AsOf = Annotated[
    str | None,
    typer.Option(
        help="The date of what is made; else the latest in the rows.",
        metavar="DATE",
        show_default=False,
    ),
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


def day(text: str | None) -> str | None:
    """Return the date of --as-of in ISO form, None without one, or raise BenchdataError."""
    try:
        return date.fromisoformat(text).isoformat() if text else None
    except ValueError:
        raise BenchdataError(f"--as-of {text}: write the date as YYYY-MM-DD") from None


def refuse_input(dataset: Dataset, output: Path) -> None:
    """Refuse to write over a file that the rows are read from."""
    if output.resolve() in {table.input.path.resolve() for table in dataset.tables}:
        raise BenchdataError(f"{output}: is one of the inputs; name another file")


def refuse_rejects(dataset: Dataset, accepted: int) -> None:
    """Refuse rows that others were set aside from: in another file nobody could see that."""
    if dataset.set_aside != accepted:
        raise BenchdataError(
            f"{counted(dataset.set_aside, 'row')} of these inputs set aside, {accepted} accepted:"
            f" look at the rejects, then --accept-rejects {dataset.set_aside}"
        )
