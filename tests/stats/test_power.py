"""Sample sizes: Miller's formula, pairs of a sign test, tasks and values by simulation."""

from __future__ import annotations

import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from benchdata.stats.detectable import mean_power, shift_power
from benchdata.stats.power import miller_tasks, sign_test_pairs, tasks_needed, values_needed
from benchdata.stats.results import CannotTell


@pytest.mark.parametrize(("repeats", "tasks"), [(1, 3876), (10, 1260), (None, 969)])
def test_the_published_tasks_for_three_points(repeats: int | None, tasks: int) -> None:
    found = miller_tasks(
        0.03, task_variance=1 / 9, noise=(1 / 6, 1 / 6), repeats=(repeats, repeats)
    )
    assert found == tasks


@pytest.mark.parametrize(
    ("win_rate", "one_sided", "two_sided"),
    [(0.6, 158, 199), (0.7, 37, 49), (0.8, 18, 20), (0.9, 8, 12)],
)
def test_the_published_discordant_pairs(win_rate: float, one_sided: int, two_sided: int) -> None:
    assert sign_test_pairs(win_rate, two_sided=False) == one_sided
    assert sign_test_pairs(win_rate) == two_sided
    assert sign_test_pairs(1 - win_rate) == two_sided


def test_the_pairs_have_the_power_by_scipys_binomial() -> None:
    def power(pairs: int) -> float:
        critical = int(stats.binom(pairs, 0.5).isf(0.025)) + 1
        return float(stats.binom(pairs, 0.75).sf(critical - 1))

    pairs = sign_test_pairs(0.75)
    assert isinstance(pairs, int)
    assert power(pairs) >= 0.8
    assert all(power(fewer) < 0.8 for fewer in range(1, pairs))


@pytest.mark.parametrize(("win_rate", "two_sided"), [(0.5, True), (0.4, False), (0.5001, True)])
def test_no_difference_is_not_found(win_rate: float, two_sided: bool) -> None:
    assert isinstance(sign_test_pairs(win_rate, two_sided=two_sided), CannotTell)


def test_impossible_plans_are_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        sign_test_pairs(1.2)
    with pytest.raises(ValueError, match="other than 0"):
        miller_tasks(0, task_variance=1, noise=(1, 1), repeats=(1, 1))
    with pytest.raises(ValueError, match="at least one repeat"):
        miller_tasks(0.1, task_variance=1, noise=(1, 1), repeats=(0, 1))
    with pytest.raises(ValueError, match="above 0"):
        tasks_needed(0)


@pytest.mark.parametrize("shift", [0.3, 0.5])
def test_many_tasks_need_what_the_t_test_needs(shift: float) -> None:
    oracle = TTestPower().solve_power(shift, power=0.8, alpha=0.05)
    found = tasks_needed(shift)
    assert isinstance(found, int)
    assert oracle <= found <= oracle + 1


@pytest.mark.parametrize("shift", [1.0, 2.0])
def test_the_number_of_tasks_is_the_first_with_the_power(shift: float) -> None:
    found = tasks_needed(shift)
    assert isinstance(found, int)
    assert mean_power(shift, found) >= 0.8 > mean_power(shift, found - 1)


def test_the_number_of_values_is_the_first_with_the_power() -> None:
    found = values_needed(1.0)
    assert isinstance(found, int)
    assert shift_power(1.0, found, found) >= 0.8 > shift_power(1.0, found - 1, found - 1)


def test_a_large_baseline_saves_values() -> None:
    alone, beside = values_needed(1.0), values_needed(1.0, other=30)
    assert isinstance(alone, int)
    assert isinstance(beside, int)
    assert beside < alone


def test_a_baseline_of_three_never_suffices() -> None:
    assert isinstance(values_needed(0.2, other=3), CannotTell)
