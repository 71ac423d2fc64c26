"""How intervals without an end, and tests of nothing, are written."""

from __future__ import annotations

import pytest

from benchdata.comparisons import wording
from benchdata.comparisons.arms import Arm
from benchdata.numbers import MISSING, span
from tests.support.arms import FIXED_TIME, PASS, arm, found, one_task


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (1.0, 2.5, "1 to 2.5"),
        (None, 2.5, "lower end not reached, up to 2.5"),
        (1.0, None, "1, upper end not reached"),
        (None, None, "not reached"),
    ],
)
def test_an_end_that_no_value_reaches_is_said(
    low: float | None, high: float | None, words: str
) -> None:
    assert span(low, high) == words


def test_a_ratio_whose_baseline_lost_runs_has_no_lower_end() -> None:
    lost = one_task("a", [10, 11, 12, 13, 14, None, None, None])
    finding, _ = found(lost, one_task("b", [9, 10, 11, 10, 9, 8, 9, 10]), FIXED_TIME)
    words = wording.interval(finding, finding.result.interval)
    assert words.startswith("lower end not reached, up to ×")


def test_p_of_nothing_is_a_dash() -> None:
    assert wording.p_cell(found(arm("a", [0, 1]), Arm("b", []), PASS)[0]) == MISSING
    assert wording.p_cell(found(arm("a", [0, 1]), arm("b", [0, 1]), PASS)[0]) == "1"
