"""What a statistic can answer: an interval, or a named reason why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass

LEVEL = 0.95
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class CannotTell:
    """No number can be given; `reason` is one sentence part that follows "cannot tell: "."""

    reason: str

    def __str__(self) -> str:
        """Give the words a report prints."""
        return f"cannot tell: {self.reason}"


def known(value: float | CannotTell) -> float | None:
    """Return a number, None where there is none."""
    return None if isinstance(value, CannotTell) else value


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval from `low` to `high`, both included, in the unit of the estimate.

    An end that does not exist is None, never both. `level` is the coverage aimed at (0.95) or, for
    order statistics, the one reached. `method` names how it was made. `note` says what was done to
    an end. A `descriptive` interval is shown and never decides.

    Raises:
        ValueError: No end, an end that is not finite, or no width: use `interval` on data.
    """

    low: float | None
    high: float | None
    level: float
    method: str
    note: str = ""
    descriptive: bool = False

    def __post_init__(self) -> None:
        """Refuse what no report may show."""
        ends = [end for end in (self.low, self.high) if end is not None]
        if not ends or not all(math.isfinite(end) for end in (*ends, self.level)):
            raise ValueError("an interval needs a finite end and a finite level")
        if len(ends) == 2 and not ends[0] < ends[1]:
            raise ValueError("an interval needs a width: the low end below the high one")

    def excludes(self, value: float) -> bool:
        """Return whether `value` lies outside."""
        below = self.low is not None and value < self.low
        return below or (self.high is not None and value > self.high)


def ends(found: Interval | CannotTell | None) -> tuple[float | None, float | None]:
    """Return both ends of an interval, None where there is none."""
    return (found.low, found.high) if isinstance(found, Interval) else (None, None)


def interval(
    low: float | None,
    high: float | None,
    level: float,
    method: str,
    *,
    note: str = "",
    descriptive: bool = False,
) -> Interval | CannotTell:
    """Return the interval, or why these ends make none; the way to make one from data."""
    ends = [end for end in (low, high) if end is not None]
    if not ends:
        return CannotTell("no end of the interval exists")
    if not all(math.isfinite(end) for end in ends):
        return CannotTell("an end of the interval is beyond double precision")
    if len(ends) == 2 and not ends[0] < ends[1]:
        return CannotTell("the interval has no width at double precision")
    return Interval(low, high, level, method, note, descriptive)
