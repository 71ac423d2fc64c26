"""What a method gives for one pair of arms: estimate, interval, p and the smallest p in reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from benchdata.stats.results import CannotTell, Interval

Scale = Literal["difference", "ratio", "shift"]
"""Treatment - baseline of scores; treatment / baseline of amounts; their difference at a 0."""

Shape = Literal["one task", "fixed tasks", "paired tasks", "other tasks"]
"""Runs of one task; several tasks that the claim names; tasks that stand for more, both arms' own
or each arm's own."""

Unit = Literal["task", "run"]
"""The unit of replication."""

Floor = Callable[[int], Fraction]
"""The smallest p that n units a side could reach in the same design."""

ONE = Fraction(1)
SIDEWAYS: Mapping[Scale, float] = {"difference": 0.0, "ratio": 1.0, "shift": 0.0}
"""The estimate that is no difference."""


@dataclass(frozen=True, slots=True)
class Moved:
    """How many tasks went which way, by the sign of their difference over all repeats."""

    better: int
    worse: int
    tied: int

    @staticmethod
    def of(signs: Sequence[int], *, upwards: bool) -> Moved:
        """Return the counts of tasks in which the treatment is higher (1), lower (-1) or equal."""
        higher, lower = signs.count(1), signs.count(-1)
        return Moved(*((higher, lower) if upwards else (lower, higher)), tied=signs.count(0))

    @property
    def tasks(self) -> int:
        """Return the number of tasks."""
        return self.better + self.worse + self.tied


@dataclass(frozen=True, slots=True)
class Margin:
    """The smallest effect that counts, as an estimate below and one above no difference."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Result:
    """One comparison in numbers.

    `estimate` and `interval` are in the unit of the metric, or a ratio. `tends` is the direction of
    the test, 1 when the treatment is higher. `beyond` is 1 (-1) when the estimate lies above
    (below) all numbers: in more than half of the pairs only one run has a value. `floor` is the
    smallest p that the design can reach. `n` are the units of baseline and treatment, `reference`
    the baseline's median where M is a share of it.
    """

    scale: Scale
    shape: Shape
    test: str
    estimate: float | CannotTell
    interval: Interval | CannotTell
    p: Fraction = ONE
    floor: Fraction = ONE
    method: str = "exact"
    n: tuple[int, int] = (0, 0)
    unit: Unit = "task"
    tends: int = 0
    beyond: int = 0
    moved: Moved | None = None
    set_aside: int = 0
    reference: float = 0.0
    floor_at: Floor | None = field(default=None, compare=False, repr=False)
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Return whether there was nothing to test: an arm without a unit."""
        return not all(self.n)

    def margin(self, min_effect: float) -> Margin:
        """Return M as two estimates; of a shift it is a share of the baseline's median."""
        if self.scale == "ratio":
            return Margin(1 / (1 + min_effect), 1 + min_effect)
        width = min_effect * (abs(self.reference) if self.scale == "shift" else 1.0)
        return Margin(-width, width)

    def direction(self, min_effect: float) -> int:
        """Return 1 (-1) when the treatment is higher (lower) by M or more and by the test, or 0.

        Where nothing can be estimated and any difference counts, the test alone says it.
        """
        if self.beyond:
            return self.beyond if self.beyond == self.tends else 0
        if isinstance(self.estimate, CannotTell):
            return 0 if min_effect else self.tends
        margin, sideways = self.margin(min_effect), SIDEWAYS[self.scale]
        way = (self.estimate > sideways) - (self.estimate < sideways)
        large = self.estimate >= margin.high if way > 0 else self.estimate <= margin.low
        return way if large and way == self.tends else 0

    def within(self, min_effect: float) -> bool:
        """Return whether M > 0 and the whole interval lies inside it, ends excluded."""
        if isinstance(self.interval, CannotTell) or not min_effect:
            return False
        margin = self.margin(min_effect)
        low, high = self.interval.low, self.interval.high
        return low is not None and high is not None and margin.low < low and high < margin.high

    def lower_end_above(self, loss: float, *, upwards: bool) -> bool:
        """Return whether the interval excludes that the treatment is worse by `loss` or more."""
        if isinstance(self.interval, CannotTell):
            return False
        margin = self.margin(loss)
        if upwards:
            return self.interval.low is not None and self.interval.low > margin.low
        return self.interval.high is not None and self.interval.high < margin.high

    def after(self, looks: int) -> Result:
        """Return the result with p and floor multiplied by the number of looks, at most 1."""
        if looks == 1:
            return self
        return replace(self, p=min(ONE, self.p * looks), floor=min(ONE, self.floor * looks))


def nothing(
    scale: Scale,
    shape: Shape,
    test: str,
    reason: str,
    *,
    n: tuple[int, int] = (0, 0),
    unit: Unit = "task",
) -> Result:
    """Return the result of arms that have nothing in common to compare, of `n` units each."""
    return Result(scale, shape, test, CannotTell(reason), CannotTell(reason), n=n, unit=unit)
