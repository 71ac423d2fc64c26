"""Change points: found where the level moves, and in at most 5% of series of noise."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from benchdata.stats import changes
from benchdata.stats.changes import DRAWS, SHORTEST, change_points
from benchdata.stats.results import CannotTell

Noise = Callable[[np.random.Generator, int], list[float]]


def normal(random: np.random.Generator, n: int) -> list[float]:
    return [float(each) for each in random.normal(size=n)]


def lognormal(random: np.random.Generator, n: int) -> list[float]:
    return [float(each) for each in random.lognormal(size=n)]


def bimodal(random: np.random.Generator, n: int) -> list[float]:
    modes = random.choice([13.0, 26.0], size=n)
    return [float(each) for each in modes + random.normal(size=n)]


def false_alarms(noise: Noise, n: int, series: int) -> int:
    random = np.random.default_rng(n)
    return sum(bool(change_points(noise(random, n))) for _ in range(series))


def test_a_moved_level_is_found_where_it_moves() -> None:
    random = np.random.default_rng(1)
    found = change_points([*normal(random, 30), *(each + 3 for each in normal(random, 30))])
    assert isinstance(found, tuple)
    assert [each.position for each in found] == [30]


def test_two_moves_are_found_in_order() -> None:
    found = change_points([0] * 10 + [5] * 10 + [2] * 10)
    assert isinstance(found, tuple)
    assert [each.position for each in found] == [10, 20]
    assert all(each.p >= Fraction(1, DRAWS + 1) for each in found)


@pytest.mark.parametrize(
    "values", [[13, 26] * 30, [1] * 10, [0, 1, 0, 1, 1, 0], [5] * 30 + [6] + [5] * 30]
)
def test_no_change_where_none_is(values: list[float]) -> None:
    # An alternating series is the public false alarm of folo-rs/folo PR #366.
    assert change_points(values) == ()


def test_the_draws_give_the_share_of_all_orders() -> None:
    doubled = np.array([2, 4, 6, 14, 10, 12, 8])

    def highest(order: tuple[int, ...]) -> float:
        n, total = len(order), sum(order)
        splits = range(SHORTEST, n - SHORTEST + 1)
        return max((n * sum(order[:k]) - k * total) ** 2 / (k * (n - k)) for k in splits)

    observed = highest(tuple(doubled.tolist()))
    heights = [highest(order) for order in permutations(doubled.tolist())]
    share = sum(each >= observed * (1 - 1e-12) for each in heights) / len(heights)
    drawn = changes._as_high(doubled, observed * (1 - 1e-12)) / DRAWS
    # The lowest or highest three or four stand first: four splits, of which two pairs overlap.
    assert share == (4 * 144 - 2 * 36) / 5040
    assert drawn == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / DRAWS))


@pytest.mark.parametrize("noise", [normal, lognormal, bimodal])
def test_noise_shows_a_change_in_about_five_percent(noise: Noise) -> None:
    # 60 series: more than 9 alarms have a chance of 0.2% at a rate of 5%.
    assert false_alarms(noise, 20, 60) <= 9


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 60])
@pytest.mark.parametrize("noise", [normal, lognormal, bimodal])
def test_noise_shows_a_change_in_at_most_five_percent(noise: Noise, n: int) -> None:
    # Three standard errors above 5% of 1,000 series.
    assert false_alarms(noise, n, 1000) <= 50 + 3 * np.sqrt(1000 * 0.05 * 0.95)


def test_the_same_series_gives_the_same_answer() -> None:
    values = lognormal(np.random.default_rng(9), 40)
    assert change_points(values) == change_points(values)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_a_short_series_cannot_be_told(n: int) -> None:
    assert change_points(range(n)) == CannotTell("fewer than 6 values")


def test_an_endless_series_cannot_be_told() -> None:
    assert change_points(range(2001)) == CannotTell("more than 2,000 values")
