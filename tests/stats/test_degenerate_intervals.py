"""Whatever the data: an answer or a reason, no NaN, no zero width, the same in any order."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdata.stats import intervals
from benchdata.stats.changes import change_points
from benchdata.stats.clusters import clustered_se, likeness
from benchdata.stats.percentiles import nearest_rank, spread
from benchdata.stats.results import CannotTell, Interval
from benchdata.stats.trends import Trend, mann_kendall

Answer = Interval | CannotTell

FINITE = st.floats(-1e100, 1e100)
POSITIVE = st.floats(0, 1e100)
# Few distinct values make ties; single ones make constants.
NUMBERS = st.one_of(
    st.lists(FINITE, max_size=12),
    st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.1 + 0.2, 1.0]), max_size=40),
    st.lists(st.integers(-3, 3).map(float), max_size=40),
)
RATES = st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0]) | st.floats(0, 1), max_size=40)


def assert_sound(found: Answer) -> None:
    if isinstance(found, CannotTell):
        assert found.reason
        return
    ends = [end for end in (found.low, found.high) if end is not None]
    assert ends
    assert all(math.isfinite(end) for end in ends)
    assert len(ends) == 1 or ends[0] < ends[1]
    assert 0 < found.level <= 1


@pytest.mark.parametrize(
    "function",
    [
        intervals.t,
        intervals.median,
        lambda values: intervals.quantile(values, 0.95),
        lambda values: intervals.quantile(values, 0.05),
    ],
)
@given(values=NUMBERS, seed=st.randoms())
def test_intervals_of_values(
    function: Callable[[list[float]], Answer], values: list[float], seed: object
) -> None:
    found = function(values)
    assert_sound(found)
    shuffled = [*values]
    seed.shuffle(shuffled)  # type: ignore[attr-defined]
    assert function(shuffled) == found


@pytest.mark.parametrize("method", ["percentile", "bca", "studentized"])
@settings(max_examples=25, deadline=None)
@given(values=NUMBERS)
def test_bootstrap_intervals(method: str, values: list[float]) -> None:
    found = intervals.bootstrap(values, method=method)  # type: ignore[arg-type]
    assert_sound(found)
    assert intervals.bootstrap(values, method=method) == found  # type: ignore[arg-type]


@given(n=st.integers(0, 10**9), share=st.floats(0, 1))
def test_intervals_of_rates(n: int, share: float) -> None:
    for function in (intervals.wilson, intervals.clopper_pearson):
        found = function(int(n * share), n)
        assert_sound(found)
        if isinstance(found, Interval):
            assert not found.excludes(int(n * share) / n)


@given(means=RATES, graded=st.booleans())
def test_intervals_of_task_means(means: list[float], graded: bool) -> None:
    found = intervals.effective_n(means, None if graded else 3 * len(means))
    assert_sound(found)
    if isinstance(found, Interval):
        assert not found.excludes(math.fsum(means) / len(means))
    assert intervals.effective_n(means[::-1], None if graded else 3 * len(means)) == found


@given(means=RATES, p=st.none() | st.floats(0, 1))
def test_intervals_of_lifts(means: list[float], p: float | None) -> None:
    differences = [each - 0.5 for each in means]
    found = intervals.lift_t(differences, p=p)
    assert_sound(found)
    if isinstance(found, Interval) and p is not None and p > 0.05:
        assert not found.excludes(0)
    assert intervals.lift_t(differences[::-1], p=p) == found


@given(pairs=st.lists(st.tuples(POSITIVE, POSITIVE), max_size=12), p=st.none() | st.floats(0, 1))
def test_intervals_of_ratios(pairs: list[tuple[float, float]], p: float | None) -> None:
    before, after = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = intervals.geometric_mean_ratio(before, after, p=p)
    if isinstance(found, intervals.RatioMean):
        assert math.isfinite(found.estimate)
        assert_sound(found.interval)


@given(values=NUMBERS, clusters=st.integers(1, 5))
def test_clustered_errors(values: list[float], clusters: int) -> None:
    names = [index % clusters for index in range(len(values))]
    error = clustered_se(values, names)
    assert isinstance(error, CannotTell) or (math.isfinite(error) and error > 0)
    found = likeness(values, names)
    if not isinstance(found, CannotTell):
        assert found.intra_cluster_correlation <= 1 + 1e-9
        assert found.design_effect >= 0


@given(values=st.lists(POSITIVE, max_size=20), percent=st.integers(1, 100))
def test_percentiles_and_spreads(values: list[float], percent: int) -> None:
    found = nearest_rank(values, percent)
    assert found in values or (not values and isinstance(found, CannotTell))
    wide = spread(values)
    if not isinstance(wide, CannotTell):
        for ratio in (wide.max_over_min, wide.p75_over_p25):
            assert ratio is None or (math.isfinite(ratio) and ratio >= 1)


@given(values=NUMBERS)
def test_trends(values: list[float]) -> None:
    found = mann_kendall(values)
    if isinstance(found, Trend):
        assert 0 < found.exact_p <= 1
        assert found.exact_p >= found.floor
        opposite = mann_kendall([-each for each in values])
        assert isinstance(opposite, Trend)
        assert (opposite.s, opposite.exact_p) == (-found.s, found.exact_p)


@settings(max_examples=20, deadline=None)
@given(values=NUMBERS)
def test_change_points(values: list[float]) -> None:
    found = change_points(values)
    if isinstance(found, tuple):
        assert all(0 < each.position < len(values) and 0 < each.p <= 1 / 20 for each in found)
