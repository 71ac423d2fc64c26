"""The effect found 8 times in 10: floors, agreement of simulation and formula, oracles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from benchdata.stats import detectable
from benchdata.stats.detectable import (
    SIMULATIONS,
    detectable_lift,
    detectable_mean,
    detectable_shift,
    lift_power,
    mean_power,
    shift_power,
    tendency,
)
from benchdata.stats.results import CannotTell

NOISE = 3 * np.sqrt(0.25 / SIMULATIONS)  # three standard errors of a simulated share of one half


def assert_share(found: float, expected: float) -> None:
    error = np.sqrt(expected * (1 - expected) / SIMULATIONS)
    assert found == pytest.approx(expected, abs=3 * error)


@pytest.mark.parametrize(
    ("tasks", "comparisons", "reason"),
    [
        (0, 1, "0 tasks: the smallest p is 1, which is not enough; 6 suffice"),
        (5, 1, "5 tasks: the smallest p is 0.0625, which is not enough; 6 suffice"),
        (6, 2, "6 tasks: the smallest p is 0.0312, which is not enough; 7 suffice"),
        (7, 4, "7 tasks: the smallest p is 0.0156, which is not enough; 8 suffice"),
    ],
)
def test_too_few_tasks_find_nothing(tasks: int, comparisons: int, reason: str) -> None:
    assert detectable_mean(tasks, comparisons) == CannotTell(reason)


def test_three_against_three_finds_nothing() -> None:
    reason = "3 against 3: the smallest p is 0.1, which is not enough; 4 suffice"
    assert detectable_shift(3, 3) == CannotTell(reason)
    assert isinstance(detectable_shift(5, 5, comparisons=10), CannotTell)
    assert isinstance(detectable_shift(6, 6, comparisons=10), float)


@pytest.mark.parametrize(("tasks", "expected"), [(3, 0), (5, 0), (6, 0.03125), (10, 0.04883)])
def test_without_an_effect_the_power_is_the_exact_level_on_one_side(
    tasks: int, expected: float
) -> None:
    # The published levels of the sign-flip test hold both directions; a find counts in one.
    assert_share(mean_power(0.0, tasks), expected / 2)


@pytest.mark.parametrize(("n", "m", "expected"), [(4, 4, 0.0286), (5, 5, 0.0317), (10, 30, 0.0498)])
def test_without_a_shift_the_power_is_the_exact_level_on_one_side(
    n: int, m: int, expected: float
) -> None:
    assert_share(shift_power(0.0, n, m), expected / 2)


def test_simulation_and_formula_meet_at_twelve_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = mean_power(0.9, 12)
    monkeypatch.setattr(detectable, "ENUMERATED", 11)
    assert mean_power(0.9, 12) == pytest.approx(simulated, abs=NOISE)


def test_simulation_and_formula_meet_at_a_hundred_values(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = shift_power(0.55, 50, 50)
    monkeypatch.setattr(detectable, "EXACT_TO", 99)
    # Noether takes the variance of no difference, which is a little too large.
    assert shift_power(0.55, 50, 50) == pytest.approx(simulated, abs=2 * NOISE)


@pytest.mark.parametrize("tasks", [13, 32, 100])
def test_the_mean_of_many_tasks_agrees_with_statsmodels(tasks: int) -> None:
    oracle = TTestPower().solve_power(nobs=tasks, power=0.8, alpha=0.05)
    assert detectable_mean(tasks) == pytest.approx(oracle, abs=0.003)


def test_the_power_of_ten_against_ten_agrees_with_scipys_test() -> None:
    random = np.random.default_rng(11)
    first, second = random.normal(size=(2000, 10)), random.normal(1.2, 1, size=(2000, 10))
    p = stats.mannwhitneyu(second, first, axis=1, method="exact").pvalue
    assert shift_power(1.2, 10, 10) == pytest.approx(np.mean(p <= 0.05), abs=NOISE)


def test_the_power_at_the_detectable_effect_is_eight_in_ten() -> None:
    mean, shift, lift = detectable_mean(8), detectable_shift(8, 12), detectable_lift(0.3, 12, 3)
    assert isinstance(mean, float)
    assert isinstance(shift, float)
    assert isinstance(lift, float)
    assert mean_power(mean, 8) == pytest.approx(0.8, abs=0.01)
    assert shift_power(shift, 8, 12) == pytest.approx(0.8, abs=0.01)
    assert lift_power(lift, 0.3, 12, 3) == pytest.approx(0.8, abs=0.01)


def test_more_tasks_repeats_and_fewer_comparisons_find_smaller_lifts() -> None:
    plain = detectable_lift(0.4, 12, 2)
    more = [detectable_lift(0.4, 20, 2), detectable_lift(0.4, 12, 4)]
    family = detectable_lift(0.4, 12, 2, comparisons=6)
    assert isinstance(plain, float)
    assert isinstance(family, float)
    assert all(isinstance(each, float) and each < plain for each in more)
    assert family > plain


def test_a_rate_near_its_bound_leaves_no_lift_to_find() -> None:
    assert detectable_lift(0.95, 6, 1) == CannotTell("no effect is found 8 times in 10")
    assert isinstance(detectable_lift(1.0, 6, 1), CannotTell)
    assert isinstance(detectable_lift(0.5, 3, 3), CannotTell)


def test_a_lift_from_zero_to_one_is_always_found() -> None:
    assert lift_power(1.0, 0.0, 6, 1) == 1
    assert lift_power(1.0, 0.0, 5, 1) == 0


def test_a_lift_without_noise_is_found_by_its_binomial() -> None:
    # From rate 0 with one trial: k of 8 tasks move, all upwards, and 6 moved tasks are needed.
    expected = stats.binom(8, 0.7).sf(5)
    assert lift_power(0.7, 0.0, 8, 1) == pytest.approx(expected, abs=NOISE)


def test_the_tendency_of_a_shift() -> None:
    assert tendency(0) == 0.5
    assert tendency(1) == pytest.approx(stats.norm.cdf(1 / np.sqrt(2)))


def test_impossible_designs_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 2 tasks"):
        mean_power(1, 1)
    with pytest.raises(ValueError, match="at least one value"):
        shift_power(1, 0, 5)
    with pytest.raises(ValueError, match="rates from 0 to 1"):
        lift_power(0.6, 0.5, 6, 1)
    with pytest.raises(ValueError, match="family of 0"):
        detectable_mean(6, 0)


def test_the_same_design_gives_the_same_answer() -> None:
    first = detectable_shift(7, 9), detectable_mean(9), detectable_lift(0.5, 9, 2)
    for cache in (detectable._normals, detectable._trials, detectable._flipped_noise):
        cache.cache_clear()
    assert (detectable_shift(7, 9), detectable_mean(9), detectable_lift(0.5, 9, 2)) == first
