"""What being shown first is worth: counted over pairs in both orders, tested on turned ones."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from benchdata.leaderboards.order_bias import OrderBias, order_bias
from benchdata.leaderboards.preferences import Seen
from benchdata.stats.results import CannotTell, Interval

FIRST, SECOND, TIE = "first", "second", "tie"


def orders(number: int, *outcomes: str) -> Iterator[Seen]:
    """Yield a pair's verdicts, in one order and then the other: which place won."""
    runs = f"a{number}", f"b{number}"
    for place, outcome in enumerate(outcomes):
        shown = runs if place % 2 == 0 else runs[::-1]
        winner = {FIRST: shown[0], SECOND: shown[1], TIE: ""}[outcome]
        yield Seen("task", runs, shown[0], winner)


def bias(*pairs: tuple[str, ...]) -> OrderBias:
    return order_bias(seen for n, outcomes in enumerate(pairs) for seen in orders(n, *outcomes))


def test_a_pair_that_one_run_wins_in_both_orders_favours_no_place() -> None:
    found = bias((FIRST, SECOND), (SECOND, FIRST), (TIE, TIE))
    assert (found.pairs, found.first, found.decided, found.turned) == (3, 2, 4, 0)
    assert found.share == 0.5
    assert isinstance(found.interval, CannotTell)
    assert found.test.exact_p == 1


def test_pairs_that_the_order_turned_are_counted_by_the_place_that_gained() -> None:
    found = bias((FIRST, FIRST), (FIRST, TIE), (TIE, FIRST), (SECOND, SECOND), (SECOND, FIRST))
    assert (found.to_first, found.to_second) == (3, 1)
    assert (found.first, found.decided) == (5, 8)
    assert found.test.exact_p == Fraction(5, 8)
    assert isinstance(found.interval, Interval)
    # the exact interval of 3 of 4
    assert found.interval.low == pytest.approx(0.19412, abs=1e-5)
    assert found.interval.high == pytest.approx(0.99369, abs=1e-5)


def test_a_judge_that_always_takes_the_first_is_found_out_by_six_pairs() -> None:
    found = bias(*[(FIRST, FIRST)] * 6)
    assert (found.share, found.test.exact_p) == (1.0, Fraction(1, 32))


def test_a_pair_in_one_order_has_no_part_and_verdicts_in_one_order_are_averaged() -> None:
    assert bias((FIRST,), (FIRST, SECOND)).pairs == 1
    again = bias((FIRST, SECOND, FIRST))
    assert (again.turned, again.first, again.decided) == (0, 2, 3)


def test_without_pairs_nothing_is_told() -> None:
    found = bias()
    assert isinstance(found.share, CannotTell)
    assert (found.pairs, found.turned) == (0, 0)
