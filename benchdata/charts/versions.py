"""The axis of versions, in their order: a place each, few of them named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from benchdata.charts.lanes import names_alone
from benchdata.charts.records import Record, labels, off_scale
from benchdata.charts.theme import LETTER, WIDTH, finish, in_unit

HEIGHT = 260
VERSION_LIMIT = 300
NAMES = (8, 2)  # versions named below the axis: at most, at least
NARROW = 330  # pixels of the axis on a phone, where names must not overlap either
FEW = 40  # versions whose marks have full size
SIZES = (80.0, 24.0)
PADDING = 0.6  # places left free at each end


@dataclass(frozen=True)
class Versions:
    """The versions of a chart in order: the `names` of those shown, how many earlier are not."""

    names: dict[Any, str]
    earlier: int

    @property
    def notes(self) -> list[str]:
        """Say so when versions were left out."""
        if not self.earlier:
            return []
        return [f"The last {len(self.names):,} versions; {self.earlier:,} earlier are not drawn."]

    @property
    def size(self) -> float:
        """Return the size of a mark that leaves room between versions."""
        return SIZES[len(self.names) > FEW]

    @property
    def bar(self) -> float:
        """Return the width of an interval."""
        return 6.0 if len(self.names) <= FEW else 1.5

    def of(self, rows: Iterable[Record]) -> list[Record]:
        """Return the rows of the versions shown, named."""
        return [
            row | {"version": self.names[row["version"]]}
            for row in rows
            if row["version"] in self.names
        ]

    def pixel(self, name: str) -> float:
        """Return where a version stands, from the left."""
        place = list(self.names.values()).index(name)
        return (place + PADDING) / (len(self.names) - 1 + 2 * PADDING) * WIDTH

    def axis(self) -> alt.X:
        """Return the x channel: a place a version, few of them named."""
        order = list(self.names.values())
        longest = max(map(len, order)) * LETTER + LETTER
        most, least = NAMES
        count = min(max(min(most, NARROW // longest), least), len(order))
        step = (len(order) - 1) / max(count - 1, 1)
        named = [order[round(at * step)] for at in range(count)]
        axis = alt.Axis(
            title=None, values=named, labelAngle=0, labelLimit=NARROW / count, labelOverlap=False
        )
        return alt.X(
            "version:O", axis=axis, scale=alt.Scale(type="point", domain=order, padding=PADDING)
        )


def versions_of(rows: Iterable[Record]) -> Versions:
    """Return the versions of rows in order of appearance, the last 300 of them shown."""
    named = labels(row["version"] for row in rows)
    shown = dict(list(named.items())[-VERSION_LIMIT:])
    return Versions(shown, len(named) - len(shown))


def by_version(
    shown: Versions,
    layers: Sequence[alt.Chart],
    numbers: Iterable[float | None],
    subject: str,
    unit: str,
    notes: Sequence[str],
    name: str,
) -> alt.LayerChart:
    """Return the layers that have marks as one chart; without any, the names of the versions."""
    unfit = off_scale(numbers)
    filled = [layer for layer in layers if layer.data.values]
    chart = (
        names_alone(shown.names.values())
        if unfit or not filled
        else alt.LayerChart(layer=filled, width=WIDTH, height=HEIGHT)
    )
    return finish(
        chart,
        name=name,
        title=in_unit(subject, unit),
        notes=[*unfit, *notes, *shown.notes],
        description=f"{len(shown.names):,} versions in order, in {unit}",
    )
