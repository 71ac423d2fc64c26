"""What a design can reach at best, and how many rows it takes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from benchdata.stats import floors
from benchdata.stats.fixed_tasks import FixedTasks, inside_tasks
from benchdata.stats.results import CannotTell
from benchdata.stats.sign_flips import sign_flip
from benchdata.stats.tables import Fisher, fisher

FAMILIES = (1, 2, 3, 4, 5, 6, 10, 15, 21)


def two_sides(n: int) -> Fraction:
    return floors.mann_whitney(n, n)


@pytest.mark.parametrize(
    ("floor", "needed"),
    [
        (floors.sign_flip, (6, 7, 7, 8, 8, 8, 9, 10, 10)),
        (two_sides, (4, 5, 5, 5, 5, 5, 6, 6, 6)),
    ],
)
def test_the_smallest_sample_that_can_reach_a_twentieth(
    floor: Callable[[int], Fraction], needed: tuple[int, ...]
) -> None:
    assert tuple(floors.suffices(floor, size) for size in FAMILIES) == needed


def test_a_floor_that_never_falls_suffices_never() -> None:
    assert isinstance(floors.suffices(lambda _: Fraction(1, 2)), CannotTell)


@pytest.mark.parametrize("n", range(10))
def test_the_sign_flip_floor_is_reached_when_all_move_one_way(n: int) -> None:
    assert floors.sign_flip(n) == sign_flip([1] * n).exact_p


@pytest.mark.parametrize(
    ("n", "p"),
    [(2, 0.333), (3, 0.1), (4, 0.0286), (5, 0.00794), (6, 0.00216), (7, 0.000583), (8, 0.000155)],
)
def test_the_mann_whitney_floor(n: int, p: float) -> None:
    assert float(f"{float(two_sides(n)):.3g}") == pytest.approx(p, abs=5e-4 if n == 2 else 0)


@pytest.mark.parametrize(("n", "m"), [(3, 3), (2, 5), (4, 7), (6, 6), (1, 9)])
def test_no_table_is_below_the_fisher_floor(n: int, m: int) -> None:
    every = [fisher(a, n, b, m) for a in range(n + 1) for b in range(m + 1)]
    assert floors.fisher(n, m) == min(p.exact_p for p in every if isinstance(p, Fisher))


def test_the_floor_inside_tasks_is_reached() -> None:
    found = inside_tasks([[1, 2, 3], [10, 20]], [[4, 5, 6], [30, 40, 50]])
    assert isinstance(found, FixedTasks)
    assert found.exact_p == floors.inside_tasks([(3, 3), (2, 3)]) == Fraction(2, 200)


def test_no_rows_reach_nothing() -> None:
    assert floors.sign_flip(0) == floors.mann_whitney(0, 5) == floors.fisher(0, 3) == 1
    assert floors.inside_tasks([]) == 1


def test_what_is_no_size_is_refused() -> None:
    with pytest.raises(ValueError, match="not a number of rows"):
        floors.sign_flip(-1)
    with pytest.raises(ValueError, match="at least one comparison"):
        floors.suffices(floors.sign_flip, 0)
