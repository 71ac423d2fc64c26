"""The guard against rows that depend on their forerunners."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchdata.stats.independence import Independence, independence
from benchdata.stats.results import CannotTell


def guarded(values: list[float], starts: list[int] | None = None) -> Independence:
    found = independence(values, starts)
    assert isinstance(found, Independence)
    return found


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=6, max_size=7))
def test_p_is_the_share_of_orders_with_as_much_autocorrelation(values: list[int]) -> None:
    if len({*values}) == 1:
        return
    ranks = [Fraction(rank).limit_denominator(2) for rank in stats.rankdata(values)]
    mean = Fraction(sum(ranks), len(ranks))

    def products(order: tuple[Fraction, ...]) -> Fraction:
        return sum(((x - mean) * (y - mean) for x, y in itertools.pairwise(order)), Fraction(0))

    observed = products(tuple(ranks))
    every = [products(order) for order in itertools.permutations(ranks)]
    found = guarded([*values])
    assert found.exact_p == Fraction(sum(each >= observed for each in every), len(every))
    assert found.autocorrelation == pytest.approx(
        float(observed / sum((rank - mean) ** 2 for rank in ranks))
    )


def test_six_rows_are_the_fewest_that_can_speak() -> None:
    """The largest of all autocorrelations, reached both ways round."""
    assert guarded([2, 1, 3, 4, 6, 5]).exact_p == Fraction(2, 720)
    assert guarded([2, 1, 3, 4, 6, 5]).dependent
    assert independence([1, 2, 3, 4, 5]) == CannotTell("fewer than 6 rows")


def test_a_drift_is_found_and_alternation_is_not() -> None:
    drift = guarded([n + (n * 7 % 5) for n in range(40)])
    assert (drift.dependent, drift.method) == (True, "19,999 draws")
    zigzag = guarded([n % 2 + (n * 7 % 40) / 1000 for n in range(40)])
    assert not zigzag.dependent
    assert zigzag.autocorrelation < -0.4
    assert zigzag.p > 0.9


def test_one_in_a_hundred_of_independent_series_speaks() -> None:
    rng = np.random.default_rng(8)
    spoken = sum(guarded(row.tolist()).dependent for row in rng.normal(size=(300, 20)))
    assert spoken <= 3 + 4 * 3**0.5


def test_the_critical_value_at_150_rows() -> None:
    """Random walks and noise: the guard speaks above .182 and is silent below, give or take."""
    rng = np.random.default_rng(0)
    seen = [guarded(row.tolist()) for row in rng.normal(size=(8, 150)).cumsum(axis=1) * 0.05]
    seen += [guarded(row.tolist()) for row in rng.normal(size=(8, 150))]
    assert all(found.dependent for found in seen if found.autocorrelation > 0.20)
    assert not any(found.dependent for found in seen if found.autocorrelation < 0.165)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), min_size=6, max_size=14),
    st.randoms(use_true_random=False),
)
def test_the_order_in_which_rows_are_given_has_no_part(
    rows: list[tuple[int, int]], random_: random.Random
) -> None:
    shuffled = rows.copy()
    random_.shuffle(shuffled)
    first = independence([value for value, _ in rows], [start for _, start in rows])
    assert first == independence([v for v, _ in shuffled], [start for _, start in shuffled])
    if isinstance(first, Independence):
        assert 0 < first.exact_p <= 1


def test_rows_that_share_a_start_time_have_the_mean_of_their_orders() -> None:
    values, starts = [3, 1, 4, 1, 5, 9], [1, 2, 2, 2, 3, 3]
    orders = [
        [values[0], *middle, *last]
        for middle in itertools.permutations(values[1:4])
        for last in itertools.permutations(values[4:])
    ]
    mean = sum(guarded([*order]).autocorrelation for order in orders) / len(orders)
    assert guarded([*values], starts).autocorrelation == pytest.approx(mean)


def test_without_order_or_differences_there_is_nothing_to_tell() -> None:
    assert independence([3, 1, 2, 5, 4, 6], [1] * 6) == CannotTell(
        "no order: all rows share one start time"
    )
    assert independence([2] * 9) == CannotTell("all values are equal, so order cannot show")
    assert independence([]) == CannotTell("fewer than 6 rows")


def test_nulls_rank_worst() -> None:
    values = [1, 2, 3, None, None, None, None, 4]
    assert independence(values) == independence([1, 2, 3, 9, 9, 9, 9, 4])


def test_every_row_needs_its_start() -> None:
    with pytest.raises(ValueError, match="cannot have 2 start times"):
        independence([1, 2, 3], [1, 2])


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from("xy")), min_size=6, max_size=7))
def test_strata_keep_every_row_in_a_place_of_its_own(rows: list[tuple[int, str]]) -> None:
    values, strata = [value for value, _ in rows], [label for _, label in rows]
    if len({*values}) == 1:
        return
    centred = 2 * stats.rankdata(values) - len(values) - 1
    observed = (centred[:-1] * centred[1:]).sum()
    every = [
        (centred[[*order]][:-1] * centred[[*order]][1:]).sum()
        for order in itertools.permutations(range(len(rows)))
        if all(strata[place] == label for place, label in zip(order, strata, strict=True))
    ]
    found = independence(values, strata=strata)
    assert isinstance(found, Independence)
    assert found.exact_p == Fraction(sum(each >= observed for each in every), len(every))


def test_draws_keep_strata_too_whatever_the_order_of_rows() -> None:
    rows = [(float(i % 5 + i // 5), i, f"t{i % 5}") for i in range(20)]
    values, starts, tasks = zip(*rows, strict=True)
    first = independence(values, starts, strata=tasks)
    random.Random(3).shuffle(rows)
    values, starts, tasks = zip(*rows, strict=True)
    assert first == independence(values, starts, strata=tasks)
    assert isinstance(first, Independence)
    # 4 passes, each higher by 1 in all 5 tasks: 24^5 orders, of which few climb like this
    assert first.exact_p == Fraction(1, 20_000)


def test_strata_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="6 values cannot have 2 strata"):
        independence([1, 2, 3, 4, 5, 6], strata=["x", "y"])
