"""Whatever the rows: a verdict, never an exception; swapped arms mirror it; order has no part."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from benchdata.comparisons import details, summaries
from benchdata.comparisons.arms import Arm, Plan, Run
from benchdata.comparisons.claims import Claim
from benchdata.stats.results import CannotTell, Interval
from tests.support.arms import (
    FIXED_PASS,
    FIXED_SCORE,
    FIXED_TIME,
    PASS,
    SCORE,
    TIME,
    found,
)

CLAIMS = (PASS, SCORE, TIME, FIXED_PASS, FIXED_SCORE, FIXED_TIME)
MIRRORED = {"better": "worse", "worse": "better"}


@st.composite
def arm_of(draw: st.DrawFn, claim: Claim, label: str) -> Arm:
    """Draw an arm of up to 4 tasks with up to 3 repeats: ties, nulls, lost rows, failures."""
    values: st.SearchStrategy[float | int | None] = {
        "pass": st.sampled_from([0, 1, None]),
        "score": st.sampled_from([0.0, 0.25, 0.5, 1.0, None]),
        "amount": st.sampled_from([0, 1, 2, 7, 10.5, 1000, None]),
    }[claim.kind]
    runs = st.builds(
        Run,
        task=st.sampled_from("wxyz"),
        repeat=st.integers(1, 3),
        value=values,
        scored=st.sampled_from([True, True, True, False]),
        success=st.sampled_from([True, True, False]),
        start=st.one_of(st.none(), st.integers(0, 9).map(float)),
        batch=st.sampled_from(["", "later"]),
    )
    plan = st.builds(Plan, st.sampled_from([None, 3, 4]), st.sampled_from([None, 1, 3]))
    return Arm(label, draw(st.lists(runs, max_size=14)), draw(plan))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Claim, Arm, Arm]:
    claim = draw(st.sampled_from(CLAIMS))
    return claim, draw(arm_of(claim, "a")), draw(arm_of(claim, "b"))


@settings(deadline=None, max_examples=150)
@given(pairs())
def test_any_rows_have_a_verdict_and_every_number_is_one(case: tuple[Claim, Arm, Arm]) -> None:
    claim, a, b = case
    finding, verdict = found(a, b, claim)
    assert verdict.reason
    result = finding.result
    assert 0 < result.p <= 1
    assert 0 < result.floor <= 1
    for value in (result.estimate, details.detectable(finding)):
        assert isinstance(value, CannotTell) or math.isfinite(value)
    intervals = (result.interval, *(summaries.summarize(arm, claim).interval for arm in (a, b)))
    assert all(isinstance(each, CannotTell | Interval) for each in intervals)
    details.descriptive(finding), details.tendency(finding), details.outcome(finding)


@settings(deadline=None, max_examples=150)
@given(pairs())
def test_swapped_arms_mirror_the_verdict(case: tuple[Claim, Arm, Arm]) -> None:
    claim, a, b = case
    there, verdict = found(a, b, claim)
    back, mirrored = found(b, a, claim)
    assert mirrored.kind == MIRRORED.get(verdict.kind, verdict.kind)
    assert (back.p, back.result.floor) == (there.p, there.result.floor)
    assert back.result.tends == -there.result.tends


@settings(deadline=None, max_examples=80)
@given(pairs(), st.randoms(use_true_random=False))
def test_the_order_of_rows_has_no_part(case: tuple[Claim, Arm, Arm], source: random.Random) -> None:
    claim, a, b = case
    shuffled = [replace(arm, runs=source.sample(list(arm.runs), len(arm.runs))) for arm in (a, b)]
    first, verdict = found(a, b, claim)
    second, again = found(shuffled[0], shuffled[1], claim)
    assert (again, second.result) == (verdict, first.result)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([0, 0.5, 1]), min_size=2, max_size=8))
def test_an_arm_against_itself_is_never_better_or_worse(values: list[float]) -> None:
    runs = [Run(f"t{i}", 1, value) for i, value in enumerate(values)]
    finding, verdict = found(Arm("a", runs), Arm("b", runs), SCORE)
    assert finding.p == Fraction(1)
    assert verdict.kind not in {"better", "worse"}
