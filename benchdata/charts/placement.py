"""Where a direct label may stand: beside its point, never on another one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import altair as alt

from benchdata.charts.theme import LETTER

LINE = 15.0  # pixels from one line of text to the next
AWAY = 9.0  # from a point to its label
DOT = 5.0  # half a point
LONGEST = 0.45  # of the width that a label may take
LABEL_WIDTH = alt.ExprRef(f"width * {LONGEST}")

Align = Literal["left", "right"]


@dataclass(frozen=True)
class Placed:
    """A label: the `index` of its point, how far from it, and which end is there."""

    index: int
    dx: float
    dy: float
    align: Align


def merged(labels: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return `(position in pixels, text)` labels of one column, those too close made one."""
    lines: list[tuple[float, str]] = []
    for position, text in sorted(labels):
        if lines and position - lines[-1][0] < LINE:
            lines[-1] = (lines[-1][0], f"{lines[-1][1]}, {text}")
        else:
            lines.append((position, text))
    return lines


def beside(
    points: Sequence[tuple[float, float]], texts: Sequence[str], width: float
) -> list[Placed]:
    """Return the labels of points (in pixels) that find a free place above or below them.

    A label runs towards the middle of the chart, so that it stays inside at any width, and stands
    off the level of its point, so that a bar through the point stays free. A label that would lie
    on a point or on another label is left out.
    """
    taken = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in points]
    found: list[Placed] = []
    for index, ((x, y), text) in enumerate(zip(points, texts, strict=True)):
        size = min(len(text) * LETTER, LONGEST * width)
        align, way = side_of(x, width)
        others = [*taken[:index], *taken[index + 1 :]]
        for dy in (-AWAY, AWAY):
            start = x + way * AWAY - (size if align == "right" else 0)
            box = (start, y + dy - LINE / 2, start + size, y + dy + LINE / 2)
            if not any(_touch(box, other) for other in others):
                taken.append(box)
                found.append(Placed(index, way * AWAY, dy, align))
                break
    return found


def side_of(x: float, width: float) -> tuple[Align, int]:
    """Return how a label at `x` is aligned to run towards the middle, and which way that is."""
    return ("left", 1) if x < width / 2 else ("right", -1)


def _touch(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
