"""What a gate on `worse` would miss: what the design finds, and the smallest effect that counts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.special import ndtri

from benchdata.comparisons import details, reach
from benchdata.stats.results import CannotTell
from tests.support.arms import FIXED_PASS, FIXED_SCORE, FIXED_TIME, SCORE, arm, found, one_task

EARLY, LATE = [10, 14, 11, 13, 12, 9, 12, 15], [11, 13, 12, 12, 14, 10, 11, 13]


def test_without_a_minimum_effect_it_is_what_the_design_finds() -> None:
    finding, _ = found(one_task("a", EARLY), one_task("b", LATE), FIXED_TIME)
    missed = reach.worsening(finding)
    assert isinstance(missed, float)
    assert missed == details.detectable(finding)
    assert reach.words(finding, missed) == f"a slowdown under {100 * (missed - 1):.4g}%"


def test_an_effect_near_the_smallest_that_counts_is_found_half_of_the_time() -> None:
    claim = replace(FIXED_SCORE, min_effect=0.4)
    sides = ([0.1, 0.2, 0.3, 0.2], [0.2, 0.1, 0.3, 0.3])
    finding, _ = found(one_task("a", sides[0]), one_task("b", sides[1]), claim)
    found_8_in_10 = details.detectable(finding)
    assert isinstance(found_8_in_10, float)
    error = found_8_in_10 / float(ndtri(0.975) + ndtri(0.8))
    missed = reach.worsening(finding)
    assert missed == pytest.approx(0.4 + float(ndtri(0.8)) * error)
    assert reach.words(finding, missed).startswith("a loss under 0.")


def test_a_design_that_cannot_reach_the_level_misses_anything() -> None:
    finding, _ = found(one_task("a", [1, 2, 3]), one_task("b", [4, 5, 6]), FIXED_TIME)
    missed = reach.worsening(finding)
    assert missed == CannotTell("3 against 3 repeats cannot reach 0.05")
    assert reach.words(finding, missed) == ("any slowdown (3 against 3 repeats cannot reach 0.05)")


def test_what_cannot_be_estimated_is_of_unknown_size() -> None:
    lost = one_task("b", [*LATE[:4], None, None, None, None])
    finding, _ = found(one_task("a", EARLY), lost, FIXED_TIME)
    words = reach.words(finding, reach.worsening(finding))
    assert words.startswith("a slowdown of unknown size (")


def test_tasks_that_are_fixed_have_a_reach_as_well() -> None:
    before = arm("a", {"t1": [0, 1, 1, 1, 1, 0], "t2": [1, 1, 0, 1, 1, 1]})
    after = arm("b", {"t1": [0, 1, 0, 1, 1, 0], "t2": [1, 1, 0, 1, 0, 1]})
    finding, _ = found(before, after, FIXED_PASS)
    missed = reach.worsening(finding)
    assert isinstance(missed, float)
    assert 0.3 < missed < 1


def test_a_design_that_finds_no_possible_loss_misses_any() -> None:
    finding, _ = found(arm("a", [0, 1] * 3), arm("b", [1, 0] * 3), SCORE)
    missed = reach.worsening(finding)
    assert missed == details.detectable(finding) == CannotTell("nothing: score spans 1")
    assert reach.words(finding, missed) == "any loss (nothing: score spans 1)"


def test_the_smallest_effect_that_counts_may_put_all_losses_out_of_reach() -> None:
    sides = arm("a", [0.1, 0.2, 0.3] * 3), arm("b", [0.3, 0.2, 0.1] * 3)
    finding, _ = found(*sides, replace(SCORE, min_effect=0.95))
    assert isinstance(details.detectable(finding), float)
    assert reach.words(finding, reach.worsening(finding)) == "any loss (nothing: score spans 1)"
