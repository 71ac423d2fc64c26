"""Generating functions count what enumeration counts."""

from __future__ import annotations

import itertools
import math
import operator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdata.stats.exact import pack_chosen, rank_sums, slot_width, subset_sums, totals

weights = st.lists(st.integers(1, 30), max_size=9)


@settings(deadline=None)
@given(weights, st.integers(-5, 300))
def test_subset_sums_equal_enumeration(sizes: list[int], value: int) -> None:
    every = [
        sum(itertools.compress(sizes, s)) for s in itertools.product((0, 1), repeat=len(sizes))
    ]
    ways = subset_sums(sizes)
    assert ways.total == len(every)
    assert ways.at_most(value) == sum(total <= value for total in every)
    assert ways.at_least(value) == sum(total >= value for total in every)


@settings(deadline=None)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=9), st.data())
def test_rank_sums_equal_enumeration(ranks: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(0, len(ranks)))
    value = data.draw(st.integers(-3, 120))
    every = [sum(chosen) for chosen in itertools.combinations(ranks, size)]
    ways = rank_sums(tuple(sorted(ranks)), size)
    assert ways.total == len(every)
    assert ways.at_most(value) == sum(total <= value for total in every)
    assert ways.at_least(value) == sum(total >= value for total in every)


def test_counts_beyond_any_machine_integer_are_exact() -> None:
    """All 2^300 signs of ones: the binomial distribution."""
    ways = subset_sums([1] * 300)
    assert ways.at_most(120) == sum(math.comb(300, k) for k in range(121))
    ranks = rank_sums(tuple(range(2, 202, 2)), 50)
    assert ranks.total == math.comb(100, 50)
    assert ranks.at_most(2549) + ranks.at_least(2550) == ranks.total
    assert ranks.at_most(50 * 51) == 1


def test_no_rank_makes_one_sum() -> None:
    ways = rank_sums((), 0)
    assert (ways.at_most(0), ways.at_least(0), ways.at_most(-1), ways.at_least(1)) == (1, 1, 0, 0)


@pytest.mark.parametrize("size", range(5))
def test_every_subset_of_a_size_is_packed_once(size: int) -> None:
    width = slot_width(math.comb(4, size))
    packed = pack_chosen([0, 1, 1, 3], size, width)
    slots = [packed >> (width * slot) & ((1 << width) - 1) for slot in range(8)]
    found = [sum(chosen) for chosen in itertools.combinations([0, 1, 1, 3], size)]
    assert slots == [found.count(total) for total in range(8)]


def test_totals_may_be_products() -> None:
    assert totals([(2, 1), (4, 1), (3, 3)], operator.mul, 1) == {24: 1, 6: 1, 12: 1, 3: 1}
