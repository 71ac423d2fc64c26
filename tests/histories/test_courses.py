"""What is said of all releases together: change points, spread by nearest rank, alarms a year."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from benchdata.histories.courses import Spread, alarms, course, spreads
from benchdata.stats.results import CannotTell
from benchdata.stats.trends import Trend
from tests.support.arms import FIXED_TIME, TIME, arm, one_task

START = datetime(2026, 3, 1, tzinfo=UTC)


def test_alarms_a_year_are_releases_a_year_times_the_worse_half_of_the_level() -> None:
    found = alarms([START, START + timedelta(days=10), START + timedelta(days=36.525)])
    assert (found.releases, found.days) == (2, 36.525)
    assert found.per_year == pytest.approx(2 * 10 * 0.025)


def test_releases_of_one_day_have_no_rate() -> None:
    found = alarms([START, START + timedelta(hours=23)])
    assert found.per_year == CannotTell("all releases started within a day")


def test_a_rise_over_four_releases_is_reported_with_its_exact_p() -> None:
    found = course(list("abcd"), [1.0, 2.0, 3.0, 4.0])
    assert isinstance(found.trend, Trend)
    assert (found.trend.exact_p, found.trend.tau) == (Fraction(2, 24), 1.0)
    assert found.levels == CannotTell("fewer than 6 values")


def test_a_change_of_level_names_its_release_and_the_medians_on_either_side() -> None:
    before, after = [10.0, 12.0, 11.0, 10.5, 11.5], [20.0, 22.0, 21.0, 20.5, 21.5]
    found = course([f"v{n}" for n in range(10)], [*before, *after])
    assert isinstance(found.levels, tuple)
    (level,) = found.levels
    assert (level.release, level.before, level.after) == ("v5", 11.0, 21.0)
    assert level.p <= 0.05


def test_a_release_without_an_estimate_is_left_out_and_counted() -> None:
    found = course(list("abc"), [1.0, CannotTell("not reached"), 2.0])
    assert isinstance(found.trend, Trend)
    assert (found.trend.n, found.left_out) == (2, 1)


def test_the_spread_of_fixed_tasks_is_that_of_their_runs() -> None:
    release = arm("v", {"t1": [1, 2, 3, 4], "t2": [0, 0, 5, 5]})
    assert spreads(release, FIXED_TIME) == (
        Spread("t1", 4, 1.0, 3.0, 3.0),
        Spread("t2", 4, 0.0, 5.0, None),
    )


def test_the_spread_of_sampled_tasks_is_that_of_task_means() -> None:
    release = arm("v", {"t1": [1, 3], "t2": [4, 4], "t3": [6, 10], "t4": [None, 1]})
    assert spreads(release, TIME) == (Spread("", 3, 2.0, 8.0, 4.0),)


def test_no_value_has_no_spread() -> None:
    assert spreads(one_task("v", [None, None]), FIXED_TIME) == (Spread("t", 0, None, None, None),)
