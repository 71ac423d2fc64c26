"""Is one median at most another: decided by the order statistics of both, missing runs against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from benchdata.comparisons import medians
from benchdata.comparisons.arms import Arm, Run
from benchdata.comparisons.claims import of_contract
from benchdata.comparisons.medians import AtMost
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.stats.results import Interval

TURNS = of_contract(BUILD_RUN, "turns_to_green")
TEN = [*range(5, 15)]


def arm(label: str, values: Sequence[float | None]) -> Arm:
    return Arm(label, [Run("t1", repeat, value) for repeat, value in enumerate(values, 1)])


def answer(
    mine: Sequence[float | None], other: Sequence[float | None], lacking: tuple[int, int] = (0, 0)
) -> AtMost:
    sides = ((arm("mine", mine), lacking[0]), (arm("other", other), lacking[1]))
    return medians.at_most(TURNS, *sides)


@pytest.mark.parametrize(
    ("mine", "other", "said"),
    [
        (TEN, [each + 7 for each in TEN], "yes"),  # 6 to 13 against 13 to 20: at most is enough
        (TEN, [each + 6 for each in TEN], "cannot tell"),
        ([each + 8 for each in TEN], TEN, "no"),  # 14 to 21 against 6 to 13
        ([each + 7 for each in TEN], TEN, "cannot tell"),
        ([3] * 10, [9] * 10, "yes"),  # tied values bound a median too
        ([9] * 10, [9] * 10, "yes"),
        ([3] * 5, [9] * 5, "cannot tell"),  # five runs hold no interval
        (TEN, [None] * 10, "yes"),  # who never gets green has no median below any turn
        ([None] * 10, TEN, "no"),
        ([None] * 10, [None] * 10, "cannot tell"),
        ([*TEN[:5], *[None] * 5], [90.0] * 10, "cannot tell"),
    ],
)
def test_an_answer_needs_intervals_that_lie_apart(
    mine: Sequence[float | None], other: Sequence[float | None], said: str
) -> None:
    assert answer(mine, other).answer == said


def test_cells_without_a_scored_run_count_against_either_answer() -> None:
    later = [each + 7 for each in TEN]
    assert answer(TEN, later, (1, 0)).answer == "cannot tell"
    assert answer(TEN, later, (0, 1)).answer == "cannot tell"
    assert answer(TEN, [each + 20 for each in TEN], (1, 1)).answer == "yes"
    assert answer([each + 8 for each in TEN], TEN, (1, 0)).answer == "cannot tell"


def test_each_arm_is_shown_with_its_median_and_interval() -> None:
    found = answer(TEN, [each + 7 for each in TEN])
    assert (found.judged.label, found.judged.statistic) == ("mine", "median")
    assert (found.judged.estimate, found.other.estimate) == (9.5, 16.5)
    assert isinstance(found.other.interval, Interval)
    assert (found.other.interval.low, found.other.interval.high) == (13, 20)


@pytest.mark.parametrize("n", [6, 10, 17])
def test_of_two_equal_populations_at_most_one_answer_in_twenty_is_no(n: int) -> None:
    """No would be wrong, for equal medians are at most each other."""
    draws = np.random.default_rng(7).geometric(0.1, (1000, 2, n))
    wrong = sum(answer(mine.tolist(), other.tolist()).answer == "no" for mine, other in draws)
    assert wrong <= 50
