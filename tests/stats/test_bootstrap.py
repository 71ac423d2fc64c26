"""Bootstrap intervals: published ends, scipy, degenerate data, one answer in any batch."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from scipy import stats

from benchdata.stats.bootstrap import DRAWS, Method, batch, bootstrap, weights
from benchdata.stats.results import CannotTell, Interval

METHODS: tuple[Method, ...] = ("percentile", "bca", "studentized")
# scipy's own test quotes these from R's `boot` with a million draws.
QUOTED = [10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213]


def ends(found: Interval | CannotTell) -> tuple[float, float]:
    assert isinstance(found, Interval)
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


@pytest.mark.parametrize(
    ("method", "low", "high"), [("percentile", 28.86, 84.21), ("bca", 32.31, 91.43)]
)
def test_the_published_ends_within_the_error_of_ten_thousand_draws(
    method: Method, low: float, high: float
) -> None:
    # 10,000 draws move an end of this skewed sample by up to 1.5 (measured over 200 purposes).
    assert ends(bootstrap(QUOTED, method=method)) == pytest.approx((low, high), abs=1.8)


@pytest.mark.parametrize(
    ("method", "low", "high"), [("percentile", 28.86, 84.21), ("bca", 32.31, 91.43)]
)
def test_the_mean_over_purposes_comes_to_the_published_ends(
    method: Method, low: float, high: float
) -> None:
    found = [ends(bootstrap(QUOTED, method=method, purpose=f"draw {i}")) for i in range(40)]
    # The quoted bound of scipy's test.
    assert np.mean(found, axis=0) == pytest.approx((low, high), rel=0.005)


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("n", [6, 20, 100])
def test_it_agrees_with_scipy(method: Literal["percentile", "bca"], n: int) -> None:
    random = np.random.default_rng(n)
    groups = np.concatenate([random.normal(size=(3, n)), random.lognormal(size=(3, n))])
    for found, values in zip(batch(groups, method=method), groups, strict=True):
        oracle = stats.bootstrap(
            [values.tolist()], np.mean, method=method, n_resamples=DRAWS, rng=random, axis=-1
        )
        expected = oracle.confidence_interval
        width = float(expected.high - expected.low)
        # Prototype runs of both differed by up to 5% of the width.
        assert ends(found) == pytest.approx((expected.low, expected.high), abs=0.06 * width)


def test_the_studentized_interval_of_normal_data_is_near_students() -> None:
    values = np.random.default_rng(4).normal(10, 2, 60)
    oracle = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    width = float(oracle.high - oracle.low)
    found = ends(bootstrap(values, method="studentized"))
    assert found == pytest.approx((oracle.low, oracle.high), abs=0.06 * width)


def test_the_studentized_interval_of_skewed_data_agrees_with_a_plain_loop() -> None:
    values = np.array(QUOTED)
    random = np.random.default_rng(12)
    drawn = values[random.integers(0, 16, size=(50_000, 16))]
    ratios = (drawn.mean(axis=1) - values.mean()) / drawn.std(axis=1)
    upper, lower = np.quantile(ratios, [0.975, 0.025])
    expected = values.mean() - upper * values.std(), values.mean() - lower * values.std()
    # Its ends move by some 3% of the width between sets of 10,000 draws.
    width = float(expected[1] - expected[0])
    assert ends(bootstrap(values, method="studentized")) == pytest.approx(expected, abs=0.1 * width)


@pytest.mark.parametrize("method", METHODS)
def test_constant_data_and_single_units_cannot_be_told(method: Method) -> None:
    assert bootstrap([0.8] * 10, method=method) == CannotTell("all values are equal")
    assert bootstrap([0.8], method=method) == CannotTell("fewer than 2 units")
    assert bootstrap([], method=method) == CannotTell("fewer than 2 units")


def test_too_few_units_for_a_studentized_interval() -> None:
    reason = CannotTell("too many resamples hold a single value")
    assert bootstrap([0.0, 1.0], method="studentized") == reason
    assert bootstrap([0.0, 0.0, 0.0, 1.0], method="studentized") == reason


@pytest.mark.parametrize("method", METHODS)
def test_a_group_has_the_same_answer_alone_in_a_batch_and_in_parts(method: Method) -> None:
    groups = np.random.default_rng(5).normal(size=(450, 12))
    together = batch(groups, method=method)
    assert together[:100] == batch(groups[:100], method=method)
    assert together[449] == bootstrap(groups[449], method=method)


@pytest.mark.parametrize("method", METHODS)
def test_unequal_groups_of_one_size_keep_their_places(method: Method) -> None:
    groups = np.array([[1.0, 2.0, 4.0, 9.0, 3.0], [5.0] * 5, [2.0, 1.0, 9.0, 4.0, 0.0]])
    found = batch(groups, method=method)
    assert [type(each) for each in found] == [Interval, CannotTell, Interval]
    assert found[2] == bootstrap(groups[2], method=method)


@pytest.mark.parametrize("method", METHODS)
def test_the_interval_follows_shift_and_scale(method: Method) -> None:
    values = np.random.default_rng(6).integers(0, 50, 15).astype(float)
    plain = np.array(ends(bootstrap(values, method=method)))
    assert ends(bootstrap(values * 8 + 64, method=method)) == pytest.approx(plain * 8 + 64)


@pytest.mark.parametrize("method", METHODS)
def test_it_is_labelled_descriptive(method: Method) -> None:
    found = bootstrap(QUOTED, method=method)
    assert isinstance(found, Interval)
    assert found.descriptive
    assert found.method.endswith("bootstrap")


def test_the_purpose_changes_the_draws_and_the_values_do_not() -> None:
    assert bootstrap(QUOTED) == bootstrap(QUOTED)
    assert bootstrap(QUOTED) != bootstrap(QUOTED, purpose="another")
    one, other = (np.concatenate(list(weights(7, "same"))) for _ in range(2))
    assert (one == other).all()


@pytest.mark.parametrize("n", [2, 9, 700])
def test_every_draw_holds_n_units_and_all_units_alike(n: int) -> None:
    drawn = np.concatenate(list(weights(n)))
    assert drawn.shape == (DRAWS, n)
    assert (drawn.sum(axis=1) == n).all()
    # The number of times a unit is drawn in all has standard deviation sqrt(10,000 * n/n).
    assert np.abs(drawn.sum(axis=0) - DRAWS).max() < 5 * np.sqrt(DRAWS)


def test_many_units_are_drawn_in_blocks() -> None:
    values = np.random.default_rng(7).normal(size=700)
    low, high = ends(bootstrap(values))
    error = values.std() / np.sqrt(700)
    assert (low, high) == pytest.approx(
        (values.mean() - 1.96 * error, values.mean() + 1.96 * error), abs=0.15 * error
    )


def test_what_is_no_table_of_groups_is_refused() -> None:
    with pytest.raises(ValueError, match="two dimensions"):
        batch(np.zeros(3))
    with pytest.raises(ValueError, match="`normal` is none of percentile, bca, studentized"):
        bootstrap([1, 2, 3], method="normal")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="finite"):
        bootstrap([1, np.nan])
