"""An interval always has a width and finite ends; what has none is said in words."""

from __future__ import annotations

import math

import pytest

from benchdata.stats.results import CannotTell, Interval, interval


@pytest.mark.parametrize(
    ("low", "high"), [(1.0, 1.0), (2.0, 1.0), (None, None), (math.nan, 1.0), (0.0, math.inf)]
)
def test_an_interval_without_a_width_or_a_finite_end_cannot_be_made(
    low: float | None, high: float | None
) -> None:
    with pytest.raises(ValueError, match="an interval needs"):
        Interval(low, high, 0.95, "t")
    assert isinstance(interval(low, high, 0.95, "t"), CannotTell)


def test_one_end_may_be_missing() -> None:
    found = interval(3.0, None, 0.988, "order statistics")
    assert isinstance(found, Interval)
    assert found.excludes(2.9)
    assert not found.excludes(1e9)
    assert not Interval(None, 1.0, 0.95, "x").excludes(-5)


def test_both_ends_belong_to_an_interval() -> None:
    found = Interval(0.0, 1.0, 0.95, "t")
    assert not found.excludes(0.0)
    assert not found.excludes(1.0)
    assert found.excludes(1.0001)


def test_a_reason_follows_the_words_a_report_prints() -> None:
    assert str(CannotTell("no trials")) == "cannot tell: no trials"
