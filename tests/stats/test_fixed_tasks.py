"""Arm labels permuted inside each task, never across tasks."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from benchdata.stats.cells import Cell
from benchdata.stats.draws import DRAWS
from benchdata.stats.fixed_tasks import FixedTasks, inside_tasks
from benchdata.stats.ranks import MannWhitney, mann_whitney
from benchdata.stats.results import CannotTell

cell = st.lists(st.integers(0, 6).map(lambda k: Fraction(k, 4)), min_size=1, max_size=3)


def compared(baseline: list[Cell], treatment: list[Cell]) -> FixedTasks:
    found = inside_tasks(baseline, treatment)
    assert isinstance(found, FixedTasks)
    return found


def enumerated(pairs: list[tuple[list[Fraction], list[Fraction]]]) -> Fraction:
    """Look at every way to label the rows of every task."""

    def differences(before: list[Fraction], after: list[Fraction]) -> list[Fraction]:
        rows, m = [*after, *before], len(after)
        found = []
        for chosen in itertools.combinations(range(len(rows)), m):
            picked = sum((rows[i] for i in chosen), Fraction(0))
            found.append(picked / m - (sum(rows, Fraction(0)) - picked) / len(before))
        return found

    tasks = [differences(*pair) for pair in pairs]
    every = [sum(choice, Fraction(0)) for choice in itertools.product(*tasks)]
    observed = sum((task[0] for task in tasks), Fraction(0))
    tail = min(sum(x <= observed for x in every), sum(x >= observed for x in every))
    return min(Fraction(1), Fraction(2 * tail, len(every)))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(cell, cell), min_size=1, max_size=3))
def test_p_equals_enumeration(pairs: list[tuple[list[Fraction], list[Fraction]]]) -> None:
    found = compared([a for a, _ in pairs], [b for _, b in pairs])
    assert (found.exact_p, found.method) == (enumerated(pairs), "exact")
    assert 0 < found.p <= 1


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(cell, cell), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_the_order_of_tasks_and_repeats_does_not_matter(
    pairs: list[tuple[list[Fraction], list[Fraction]]], random_: random.Random
) -> None:
    first = compared([a for a, _ in pairs], [b for _, b in pairs])
    shuffled = [(random_.sample(a, len(a)), random_.sample(b, len(b))) for a, b in pairs]
    random_.shuffle(shuffled)
    assert compared([a for a, _ in shuffled], [b for _, b in shuffled]) == first
    swapped = compared([b for _, b in pairs], [a for a, _ in pairs])
    assert (swapped.exact_p, swapped.exact_mean) == (first.exact_p, -first.exact_mean)


def test_two_tasks_that_move_apart_equally_show_nothing() -> None:
    found = compared([[0, 0, 0], [1, 1, 1]], [[1, 1, 1], [0, 0, 0]])
    assert found.exact_mean == 0
    assert found.exact_p == 1


def test_unlike_tasks_do_not_hide_what_moves_inside_each() -> None:
    """Pooled, the tasks' own levels drown the difference."""
    before, after = [[0, 1, 2], [100, 101, 102]], [[3, 4, 5], [103, 104, 105]]
    found = compared([*before], [*after])
    assert found.exact_mean == 3
    assert found.exact_p == Fraction(2, 400)
    pooled = mann_whitney([*before[0], *before[1]], [*after[0], *after[1]])
    assert isinstance(pooled, MannWhitney)
    assert pooled.p > 0.1


def test_real_values_are_enumerated_then_drawn() -> None:
    few = compared([[math.sqrt(n) for n in (2, 3, 5)]], [[math.sqrt(n) for n in (7, 11, 13)]])
    assert (few.method, few.exact_p) == ("exact", Fraction(2, 20))
    before = [[math.sqrt(n) * (1 + t) for n in range(2, 12)] for t in range(3)]
    after = [[math.sqrt(n + 1.5) * (1 + t) for n in range(2, 12)] for t in range(3)]
    many = compared([*before], [*after])
    rounded = compared(
        [[round(x, 2) for x in task] for task in before],
        [[round(x, 2) for x in task] for task in after],
    )
    assert (many.method, rounded.method) == ("100,000 draws", "exact")
    error = 2 * math.sqrt(rounded.p / 2 * (1 - rounded.p / 2) / DRAWS)
    assert abs(many.p - rounded.p) < 4 * error + 0.002
    assert compared([*reversed(before)], [*reversed(after)]) == many


def test_a_drawn_p_is_never_zero() -> None:
    before = [[math.sqrt(n + t) for n in range(20)] for t in range(2)]
    after = [[100 + math.sqrt(n + t) for n in range(20)] for t in range(2)]
    assert compared([*before], [*after]).exact_p == Fraction(2, DRAWS + 1)


def test_equal_rows_have_a_p_of_one() -> None:
    assert compared([[2, 2], [5]], [[2], [5, 5, 5]]).exact_p == 1


def test_an_empty_cell_leaves_and_nothing_cannot_tell() -> None:
    found = compared([[1, 2], None], [[3, 4], [5]])
    assert (found.n, found.unpaired) == (1, 1)
    assert inside_tasks([None], [[1]]) == CannotTell("no task has a value in both arms")
    assert inside_tasks([], []) == CannotTell("no task has a value in both arms")
