"""The plan: interim looks, cells without a scored row, batches that were added later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from benchdata.comparisons.arms import Arm, Plan, Run
from benchdata.comparisons.findings import compare
from benchdata.comparisons.plans import NO_PLAN
from tests.support.arms import PASS, SCORE, TIME, arm, found

PLAN = Plan(8, 2)


def passes(label: str, rates: Sequence[float], batch: str = "") -> Arm:
    """Two repeats of each task, of which the share passes."""
    runs = [
        Run(f"t{task}", repeat, int(repeat <= 2 * rate), batch=batch)
        for task, rate in enumerate(rates)
        for repeat in (1, 2)
    ]
    return Arm(label, runs, PLAN)


def without(whole: Arm, cells: Sequence[tuple[str, int]], *, row: bool) -> Arm:
    """Return an arm in which these cells were lost: with a row that is not scored, or with none."""
    lost = [run for run in whole.runs if (run.task, run.repeat) in cells]
    kept = [run for run in whole.runs if run not in lost]
    more = [replace(run, scored=False, value=None) for run in lost] if row else []
    return replace(whole, runs=[*kept, *more])


BAD, GOOD = passes("a", [0] * 8), passes("b", [1] * 8)


def test_a_cell_without_any_row_is_interim() -> None:
    finding = compare(BAD, without(GOOD, [("t0", 2)], row=False), PASS)
    assert finding.interim == "15 of 16 planned cells of b have a row"


def test_a_cell_whose_row_was_lost_is_missing() -> None:
    finding = compare(BAD, without(GOOD, [("t0", 2)], row=True), PASS)
    assert (finding.interim, finding.missing) == ("", (0, 1))


def test_a_task_that_never_ran_is_interim() -> None:
    cells = [("t0", 1), ("t0", 2)]
    finding = compare(BAD, without(GOOD, cells, row=False), PASS)
    assert finding.interim == "14 of 16 planned cells of b have a row"
    assert found(BAD, without(GOOD, cells, row=False), PASS)[1].kind == "cannot tell"


def test_a_retry_fills_its_cell() -> None:
    lost = Run("t0", 1, None, scored=False)
    again = replace(GOOD, runs=[lost, *GOOD.runs])
    finding, verdict = found(BAD, again, PASS)
    assert (finding.missing, verdict.kind) == ((0, 0), "better")


def test_without_a_plan_the_rules_are_off_and_the_finding_says_so() -> None:
    base, holed = BAD, without(GOOD, [("t0", 2)], row=False)
    finding = compare(replace(base, plan=Plan()), replace(holed, plan=Plan()), PASS)
    assert (finding.interim, finding.missing) == ("", (0, 0))
    assert NO_PLAN in finding.notes
    assert NO_PLAN not in compare(BAD, GOOD, PASS).notes


@pytest.mark.parametrize("lost", range(9))
def test_better_must_survive_every_missing_cell_scored_against_it(lost: int) -> None:
    # A task of which the baseline lost both runs ties when they are scored as passes.
    cells = [(f"t{task}", repeat) for task in range(lost) for repeat in (1, 2)]
    finding, verdict = found(without(BAD, cells, row=True), GOOD, PASS)
    assert finding.missing == (2 * lost, 0)
    reached = 8 - lost >= 6
    assert verdict.kind == ("better" if reached else "cannot tell")
    if lost and reached:
        assert finding.placed.rescored_p[0] == Fraction(2, 2 ** (8 - lost))


def test_losing_the_failing_runs_of_one_arm_gains_nothing() -> None:
    rates = [0.5] * 8
    base, other = passes("a", rates), passes("b", rates)
    failing = [(f"t{task}", 2) for task in range(8)]
    finding, verdict = found(base, without(other, failing, row=True), PASS)
    assert finding.result.estimate == 0.5
    # p takes the first repeat of either arm, which passed in both.
    assert finding.p == 1
    assert verdict.kind != "better"


def test_within_must_survive_both_ways() -> None:
    values = [i / 10 for i in range(10)]
    near = [v + (-1) ** i / 200 for i, v in enumerate(values)]
    whole = arm("a", values, planned=True), arm("b", near, planned=True)
    assert found(*whole, SCORE)[1].kind == "within"
    runs = [*whole[1].runs[:9], replace(whole[1].runs[9], scored=False)]
    _, verdict = found(whole[0], replace(whole[1], runs=runs), SCORE)
    assert str(verdict).startswith("cannot tell: missing rows decide: 1 planned cell without")


def test_a_missing_amount_may_have_been_anything() -> None:
    a = arm("a", [100.0 + i for i in range(8)], planned=True)
    b = arm("b", [200.0 + i for i in range(8)], planned=True)
    assert found(a, b, TIME)[1].kind == "worse"
    one = replace(b, runs=[*b.runs[:7], replace(b.runs[7], scored=False)])
    two = replace(b, runs=[*b.runs[:6], *(replace(run, scored=False) for run in b.runs[6:])])
    assert [found(a, each, TIME)[1].kind for each in (one, two)] == ["cannot tell"] * 2


def test_batches_that_filled_the_plan_are_no_looks() -> None:
    runs = [replace(run, batch="one" if run.task < "t4" else "two") for run in GOOD.runs]
    assert compare(BAD, replace(GOOD, runs=runs), PASS).looks == 1


def test_a_batch_that_made_up_for_lost_runs_is_no_look() -> None:
    lost = [replace(run, batch="one", scored=False, value=None) for run in GOOD.runs[:3]]
    again = [replace(run, batch="two") for run in GOOD.runs[:3]]
    rest = [replace(run, batch="one") for run in GOOD.runs[3:]]
    finding = compare(BAD, replace(GOOD, runs=[*lost, *again, *rest]), SCORE)
    assert (finding.looks, finding.missing, finding.interim) == (1, (0, 0), "")


def test_batches_after_the_plan_multiply_p_and_the_floor() -> None:
    first = passes("b", [1] * 8, "one")
    more = [replace(run, repeat=int(run.repeat) + 2, batch="two") for run in first.runs]
    finding, verdict = found(BAD, replace(first, runs=[*first.runs, *more]), PASS)
    assert finding.looks == 2
    assert (finding.p, finding.result.floor) == (Fraction(4, 256), Fraction(4, 256))
    assert verdict.kind == "better"
    assert "p is multiplied by 2 batches: rows were added after the plan" in finding.notes


def test_batches_that_count_their_repeats_from_1_are_runs_of_their_own() -> None:
    first = passes("b", [1] * 8, "one")
    second = [replace(run, batch="two", value=0) for run in first.runs]
    finding = compare(BAD, replace(first, runs=[*first.runs, *second]), PASS)
    assert (finding.looks, finding.result.estimate) == (2, 0.5)
    # p takes repeat 1 of both batches: one pass, one failure.
    assert (finding.result.set_aside, finding.p) == (16, Fraction(4, 256))


def test_a_plan_that_was_changed_counts_its_batches() -> None:
    changed = replace(passes("b", [1] * 8), plan=Plan(8, 2, changed=True))
    runs = [replace(run, batch=str(run.repeat)) for run in changed.runs]
    assert compare(BAD, replace(changed, runs=runs), PASS).looks == 2


def test_too_many_looks_are_out_of_reach() -> None:
    six = [0.0] * 6
    a, b = (replace(passes(label, six), plan=Plan(6, 1)) for label in "ab")
    runs = [replace(run, value=1, batch=str(run.repeat)) for run in b.runs]
    _, verdict = found(a, replace(b, runs=runs), PASS)
    words = "6 tasks cannot reach 0.05 after 2 looks: the smallest p is 0.062; 7 suffice"
    assert str(verdict) == f"cannot tell: {words}"


MORE = "looks not known, p is not corrected for them"


def test_runs_beyond_the_plan_without_a_later_batch_are_said() -> None:
    first = passes("b", [1] * 8)
    more = [replace(run, repeat=int(run.repeat) + 2) for run in first.runs]
    finding, verdict = found(BAD, replace(first, runs=[*first.runs, *more]), PASS)
    assert (finding.looks, verdict.kind) == (1, "better")
    assert [note for note in finding.notes if MORE in note] == [f"b: 32 runs of 16 planned: {MORE}"]


def test_rows_that_disagree_on_the_plan_without_a_later_batch_are_said() -> None:
    changed = replace(GOOD, plan=replace(PLAN, changed=True))
    notes = compare(BAD, changed, PASS).notes
    assert f"b: the rows disagree on the plan: {MORE}" in notes


def test_a_plan_that_was_kept_or_whose_looks_are_known_is_not_remarked_on() -> None:
    batches = [replace(run, batch=str(run.repeat)) for run in GOOD.runs]
    later = replace(GOOD, runs=batches, plan=replace(PLAN, changed=True))
    lost = [replace(run, scored=False, value=None, repeat=9) for run in GOOD.runs]
    retried = replace(GOOD, runs=[*GOOD.runs, *lost])
    for treatment in (GOOD, later, retried):
        assert not any(MORE in note for note in compare(BAD, treatment, PASS).notes)
