"""Where no run has a value of a metric, another score that the same runs have is named."""

from __future__ import annotations

from typing import Any

import pytest

from benchdata import verdicts
from benchdata.comparisons import instead
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding, compare
from benchdata.contracts.trial import TRIAL
from tests.support.arms import PASS, arm

BLANK = arm("a", [None] * 4), arm("b", [None] * 4)


def told(scores: list[Any]) -> Finding:
    """Return the comparison of two arms without a pass or failure and with these scores."""

    def again(claim: Claim) -> list[Finding]:
        of = {"score": (arm("a", scores), arm("b", [0.5] * 4))}
        return [compare(*of.get(claim.metric.name, BLANK), claim)]

    (finding,) = instead.told([compare(*BLANK, PASS)], TRIAL, again)
    return finding


@pytest.mark.parametrize(
    ("scores", "advice"),
    [
        ([0.1, 0.2, 0.3, 0.4], "every run has score: --metric score"),
        ([0.1, 0.2, None, 0.4], "some runs have score: --metric score"),
    ],
)
def test_the_advice_ends_the_reason(scores: list[Any], advice: str) -> None:
    ((_, verdict),) = verdicts.decided([told(scores)])
    assert verdict.reason == (f"fewer than 2 units: no task has a value in both arms; {advice}")


def test_a_comparison_with_a_value_is_left_as_it_is() -> None:
    finding = compare(arm("a", [1, 0]), arm("b", [None, None]), PASS)

    def again(_: Claim) -> list[Finding]:
        raise AssertionError("nothing else is compared")

    assert instead.told([finding], TRIAL, again) == (finding,)
