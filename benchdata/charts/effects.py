"""Differences around 0 and ratios around 1: their axis, their smallest size, how they are read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from benchdata.charts.records import Record
from benchdata.numbers import display

FIELDS = ("estimate", "low", "high")
SHOWN = frozenset({"better", "worse"})


@dataclass(frozen=True)
class Effect:
    """What the estimates of a chart are: differences or ratios, and the minimum effect M."""

    ratio: bool
    minimum: float

    @property
    def none(self) -> float:
        """Return the value that means no difference."""
        return 1.0 if self.ratio else 0.0

    @property
    def band(self) -> tuple[float, float]:
        """Return the ends of what is smaller than the minimum."""
        if self.ratio:
            return 1 / (1 + self.minimum), 1 + self.minimum
        return -self.minimum, self.minimum

    @property
    def scale(self) -> alt.Scale:
        """Return the scale: a log one for ratios, so that twice and half are equally far away."""
        if self.ratio:
            return alt.Scale(type="log", nice=False, padding=20)
        return alt.Scale(zero=True)

    def write(self, value: float) -> str:
        """Return an estimate or an end for a reader."""
        return f"×{display(value)}" if self.ratio else signed(value)

    def drawable(self, row: Record) -> Record:
        """Return `row` with whether its verdict is shown, without ratios that no log axis holds."""
        shown = {"shown": row["verdict"] is None or row["verdict"] in SHOWN}
        if not self.ratio:
            return row | shown
        fit = {f: row[f] if row[f] is not None and row[f] > 0 else None for f in FIELDS}
        return row | shown | fit

    def note(self, rows: Iterable[Record], interval: str) -> str:
        """Say what the marks mean."""
        parts = [f"Dot: estimate. Bar: {interval}."]
        if any(row["verdict"] is not None for row in rows):
            parts.append("Filled: better or worse. Hollow: neither is shown.")
        if self.minimum:
            size = f"{display(100 * self.minimum)}%" if self.ratio else display(self.minimum)
            parts.append(f"Grey: less than the minimum effect of {size}.")
        return " ".join(parts)


def signed(value: float) -> str:
    """Return a difference with its sign; zero has none."""
    text = display(abs(value))
    return text if not value else ("+" if value > 0 else "\N{MINUS SIGN}") + text
