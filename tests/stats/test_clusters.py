"""Clustered standard errors: published values, statsmodels, and where none can be told."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm

from benchdata.stats.clusters import Likeness, clustered_se, likeness
from benchdata.stats.results import CannotTell

SIX_DECIMALS = 5.1e-7
SCORES = [1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1]
CLUSTERS = [*"aaaa", *"bbb", *"ccccc", *"dd"]


def test_the_published_errors() -> None:
    plain = clustered_se(SCORES, CLUSTERS, corrected=False)
    corrected = clustered_se(SCORES, CLUSTERS)
    assert np.mean(SCORES) == pytest.approx(0.642857, abs=SIX_DECIMALS)
    assert plain == pytest.approx(0.191310, abs=SIX_DECIMALS)
    assert corrected == pytest.approx(0.220905, abs=SIX_DECIMALS)


def test_millers_sum_differs_only_in_the_diagonal() -> None:
    # Miller adds the cross products to the n-1 error of single scores; ours takes the n error.
    n = len(SCORES)
    naive = np.std(SCORES, ddof=1) / math.sqrt(n)
    plain = clustered_se(SCORES, CLUSTERS, corrected=False)
    assert isinstance(plain, float)
    miller = math.sqrt(plain**2 + naive**2 - np.var(SCORES) / n)
    assert naive == pytest.approx(0.132894, abs=SIX_DECIMALS)
    assert miller == pytest.approx(0.194579, abs=SIX_DECIMALS)


def test_it_agrees_with_statsmodels() -> None:
    codes = [ord(name) for name in CLUSTERS]
    fit = sm.OLS(SCORES, np.ones(len(SCORES)))
    for corrected in (False, True):
        oracle = fit.fit(
            cov_type="cluster", cov_kwds={"groups": codes, "use_correction": corrected}
        ).bse[0]
        # statsmodels' correction has a further factor (n-1)/(n-k), which is 1 for a mean
        assert clustered_se(SCORES, CLUSTERS, corrected=corrected) == pytest.approx(oracle)


def test_one_score_a_cluster_is_the_usual_error() -> None:
    values = np.random.default_rng(2).normal(size=20)
    usual = np.std(values, ddof=1) / math.sqrt(20)
    assert clustered_se(values, range(20)) == pytest.approx(usual)


@pytest.mark.parametrize(
    ("scores", "clusters", "words"),
    [
        ([], [], "fewer than 2 clusters"),
        ([1, 0], "aa", "fewer than 2 clusters"),
        ([1, 1, 1], "aab", "all scores are equal"),
        ([0, 1, 0, 1], "aabb", "the same mean"),
    ],
)
def test_no_error_of_zero(scores: list[float], clusters: str, words: str) -> None:
    found = clustered_se(scores, list(clusters))
    assert isinstance(found, CannotTell)
    assert words in found.reason


def test_likeness_of_identical_and_of_opposed_trials() -> None:
    assert likeness([1, 1, 0, 0], list("aabb")) == Likeness(1.0, 2.0)
    assert likeness([1, 0, 1, 0], list("aabb")) == Likeness(-1.0, 0.0)


@pytest.mark.parametrize(
    ("scores", "clusters", "reason"),
    [
        ([1, 0], "aa", "fewer than 2 clusters"),
        ([1, 0], "ab", "no cluster holds two scores"),
        ([1, 1, 1], "aab", "all scores are equal"),
    ],
)
def test_likeness_cannot_tell(scores: list[float], clusters: str, reason: str) -> None:
    assert likeness(scores, list(clusters)) == CannotTell(reason)


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2 scores cannot lie in 3 named clusters"):
        clustered_se([1, 0], list("abc"))
