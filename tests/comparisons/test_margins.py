"""Twelve lifts about nothing, at two sizes of what matters."""

from __future__ import annotations

import pytest

from benchdata import verdicts
from benchdata.comparisons.claims import with_min_effect
from benchdata.comparisons.findings import Finding
from benchdata.verdicts import Verdict
from tests.support.arms import SCORE, arm, found

LIFTS = [0.1, -0.05, 0, 0.05, 0.1, -0.1, 0.05, 0, 0.15, -0.05, 0.05, 0.1]


def judged(margin: float) -> tuple[Finding, Verdict]:
    baseline, treatment = arm("a", [0.5] * 12), arm("b", [0.5 + lift for lift in LIFTS])
    return found(baseline, treatment, with_min_effect(SCORE, margin))


def test_a_margin_that_the_interval_leaves_shows_no_difference_and_no_loss() -> None:
    finding, verdict = judged(0.05)
    assert float(finding.p) == pytest.approx(214 / 1024)
    assert verdict.word == "no difference shown"
    assert verdicts.no_worse(finding, 0.05)


def test_a_margin_that_holds_the_interval_is_named() -> None:
    assert judged(0.1)[1].word == "within 0.1"
