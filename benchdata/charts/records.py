"""Tables as records that are safe inside a chart: checked columns, finite numbers, clean labels."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import polars as pl

from benchdata.errors import ReportError

Record = dict[str, Any]
LABEL_LIMIT = 120
SCALE = (1e-300, 1e300)
OFF_SCALE = "Not drawn: values of this size fit no axis. They are in the tables."
# Control characters break XML; line separators and direction overrides break a label's line.
UNSAFE_CATEGORIES = frozenset({"Cc", "Zl", "Zp", "Cs"})
DIRECTION_OVERRIDES = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def records(
    table: pl.DataFrame, required: Sequence[str], optional: Sequence[str] = ()
) -> list[Record]:
    """Return the rows of `table` with exactly these columns; an absent optional one is None.

    NaN and infinities become None: JSON has no word for them, and a chart must not break on one.
    """
    require(table, required)
    names = [name for name in (*required, *optional) if name in table.columns]
    empty = dict.fromkeys(optional)
    return [
        empty | {k: _finite(v) for k, v in row.items()} for row in table.select(names).to_dicts()
    ]


def require(table: pl.DataFrame, names: Sequence[str]) -> None:
    """Refuse a table that lacks one of the columns `names`."""
    if missing := [name for name in names if name not in table.columns]:
        raise ReportError(
            f"this chart needs a column {missing[0]!r}; the table has: {', '.join(table.columns)}"
        )


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def has_interval(row: Record) -> bool:
    """Tell whether `low` and `high` are to be drawn; one without width would claim certainty."""
    return row["low"] is not None and row["high"] is not None and row["low"] < row["high"]


def off_scale(values: Iterable[float | None]) -> list[str]:
    """Return the note of a chart whose values no axis can hold, none when one can.

    The sums of a scale overflow near the largest float, its steps vanish near the smallest.
    """
    largest = max((abs(value) for value in values if value is not None), default=0)
    return [] if largest == 0 or SCALE[0] <= largest <= SCALE[1] else [OFF_SCALE]


def labels(values: Iterable[Any]) -> dict[Any, str]:
    """Return a printable label for each distinct value, in order of appearance, all different.

    Long names are cut; two that would then look the same get a running number, so that a chart
    never draws two groups as one.
    """
    given: dict[Any, str] = {}
    used: set[str] = set()
    for value in values:
        if value in given:
            continue
        label = plain = clean(value)
        number = 1
        while label in used:
            number += 1
            label = f"{plain} ({number})"
        used.add(label)
        given[value] = label
    return given


def clean(value: Any) -> str:
    """Return `value` as one line of at most 120 safe characters; None is `(none)`."""
    if value is None:
        return "(none)"
    text = "".join("\N{REPLACEMENT CHARACTER}" if _unsafe(char) else char for char in str(value))
    return text if len(text) <= LABEL_LIMIT else text[: LABEL_LIMIT - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _unsafe(char: str) -> bool:
    return unicodedata.category(char) in UNSAFE_CATEGORIES or char in DIRECTION_OVERRIDES


def inline(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Return rows as data embedded in the spec; Altair's own limit of 5,000 rows does not apply."""
    return alt.InlineData(values=[dict(row) for row in rows])
