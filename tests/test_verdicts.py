"""The decision table: every row holds first somewhere, and what stands above it wins."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import pytest

from benchdata import verdicts
from benchdata.comparisons.arms import Arm, Plan, Run
from benchdata.comparisons.claims import Claim, with_min_effect
from benchdata.comparisons.findings import Finding, compare
from benchdata.verdicts import Conditions
from tests.support.arms import FIXED_TIME, PASS, SCORE, TIME, arm, found, one_task

LOW, HIGH = [0.1 + i / 100 for i in range(10)], [0.5 + i / 50 for i in range(10)]
NOISE = [0.5, 0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6, 0.5]


class Case(NamedTuple):
    """Two arms, the row of the table that holds first, and words of its reason."""

    kind: str
    word: str
    words: str
    baseline: Arm
    treatment: Arm
    claim: Claim = SCORE


def timed(label: str, values: list[float]) -> Arm:
    runs = [Run("t", i, value, start=float(i)) for i, value in enumerate(values)]
    return Arm(label, runs)


DRIFT = [1.0 + i for i in range(12)]
CASES = {
    "synthetic": Case(
        "none",
        "none (pipeline proof)",
        "prove the pipeline",
        arm("a", LOW, synthetic=True),
        arm("b", HIGH, plan=Plan(20, 1)),
    ),
    "interim": Case(
        "cannot tell",
        "cannot tell",
        "interim: 10 of 12 planned cells of a have a row",
        arm("a", LOW, plan=Plan(12, 1)),
        arm("b", HIGH, plan=Plan(12, 1)),
    ),
    "dependent": Case(
        "cannot tell",
        "cannot tell",
        "rows are not independent: the rows of b follow each other",
        timed("a", [5, 1, 9, 2, 8, 3, 7, 4, 6, 5.5, 2.5, 7.5]),
        timed("b", DRIFT),
        FIXED_TIME,
    ),
    "unchecked": Case(
        "cannot tell",
        "cannot tell",
        "instrument check missing",
        arm("a", LOW, checked=True),
        arm("b", HIGH, checked=False),
    ),
    "too few": Case(
        "cannot tell", "cannot tell", "fewer than 2 units: 1 task", arm("a", [0]), arm("b", [1])
    ),
    "no rows": Case(
        *("cannot tell", "cannot tell", "fewer than 2 units: a group has no rows"),
        arm("a", LOW),
        Arm("b", []),
    ),
    "at the bound": Case(
        "cannot tell",
        "cannot tell",
        "both arms are at the bound in every task",
        arm("a", [1] * 8),
        arm("b", [1] * 8),
    ),
    "out of reach": Case(
        "cannot tell",
        "cannot tell",
        "3 against 3 repeats cannot reach 0.05: the smallest p is 0.10; 4 suffice",
        one_task("a", [1, 2, 3]),
        one_task("b", [4, 5, 6]),
        FIXED_TIME,
    ),
    "out of reach, paired": Case(
        "cannot tell",
        "cannot tell",
        "5 tasks cannot reach 0.05: the smallest p is 0.062; 6 suffice",
        arm("a", LOW[:5]),
        arm("b", HIGH[:5]),
    ),
    "missing rows": Case(
        "cannot tell",
        "cannot tell",
        "missing rows decide: 2 planned cells without a scored value could undo better",
        arm("a", [0] * 6 + [1] * 2, planned=True),
        replace(
            arm("b", [1] * 8, planned=True),
            runs=[Run(f"t{i:03}", 1, 1 if i < 6 else None, scored=i < 6) for i in range(8)],
        ),
        PASS,
    ),
    "better": Case(
        "better", "better", "p 0.0020; 10 of 10 tasks moved", arm("a", LOW), arm("b", HIGH)
    ),
    "worse": Case(
        "worse", "worse", "p 0.0020; 10 of 10 tasks moved", arm("a", HIGH), arm("b", LOW)
    ),
    "lower is better": Case(
        "better",
        "better",
        "×0.5",
        one_task("a", [2.0, 2.2, 2.4, 2.6]),
        one_task("b", [1.0, 1.1, 1.2, 1.3]),
        FIXED_TIME,
    ),
    "within": Case(
        "within",
        "within 0.05",
        "lies inside M",
        arm("a", NOISE),
        arm("b", [v + (-1) ** i / 100 for i, v in enumerate(NOISE)]),
    ),
    "within 5%": Case(
        "within",
        "within 5%",
        "lies inside M",
        arm("a", [100, 200, 300, 400, 500, 600]),
        arm("b", [101, 198, 303, 396, 505, 594]),
        TIME,
    ),
    "small but shown": Case(
        "within",
        "within 0.05",
        "lies inside M",
        arm("a", LOW),
        arm("b", [v + 0.01 + i / 1000 for i, v in enumerate(LOW)]),
    ),
    "unstable": Case(
        "unstable",
        "unstable",
        "the middle half of b spreads by more than 2",
        one_task("a", [10, 11, 12, 13, 14, 15]),
        one_task("b", [1, 2, 10, 14, 40, 100]),
        FIXED_TIME,
    ),
    "nothing": Case(
        "no difference shown",
        "no difference shown",
        "no difference of 0.05 or more shown: ",
        arm("a", NOISE),
        arm("b", NOISE[::-1]),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_row_holds_first_somewhere(name: str) -> None:
    case = CASES[name]
    _, verdict = found(case.baseline, case.treatment, case.claim)
    assert (verdict.kind, verdict.word) == (case.kind, case.word)
    assert case.words in verdict.reason
    column = f"cannot tell: {verdict.reason}" if case.kind == "cannot tell" else case.word
    assert str(verdict) == column


def test_no_row_of_the_table_is_without_a_case() -> None:
    held = set()
    for case in CASES.values():
        finding, _ = found(case.baseline, case.treatment, case.claim)
        held.add(next(i for i, row in enumerate(verdicts.TABLE) if row.reason(finding)))
    hidden = next(i for i, row in enumerate(verdicts.TABLE) if row.reason(_hidden()))
    assert held | {hidden} == set(range(len(verdicts.TABLE)))


def _hidden() -> Finding:
    return compare(arm("a", LOW), arm("b", HIGH), SCORE, hidden=("model", "sandbox"))


def test_a_hidden_field_forbids_a_verdict() -> None:
    ((_, verdict),) = verdicts.decided([_hidden()])
    assert str(verdict) == "cannot tell: groups differ in model, sandbox"


def test_a_finding_outside_a_table_has_no_verdict() -> None:
    with pytest.raises(ValueError, match=r"families\.family"):
        verdicts.decide(compare(arm("a", LOW), arm("b", HIGH), SCORE))


def test_m_is_met_by_equality() -> None:
    a, b = [0.1 * (i % 5) for i in range(10)], [0.1 * (i % 5) + 0.05 for i in range(10)]
    assert found(arm("a", a), arm("b", b), SCORE)[1].kind == "better"
    wider = with_min_effect(SCORE, 0.051)
    assert found(arm("a", a), arm("b", b), wider)[1].kind == "no difference shown"


def test_m_of_a_ratio_is_read_both_ways() -> None:
    a = [100.0 + i for i in range(8)]
    up, down = arm("b", [v * 1.06 for v in a]), arm("b", [v / 1.06 for v in a])
    assert found(arm("a", a), up, TIME)[1].kind == "worse"
    assert found(arm("a", a), down, TIME)[1].kind == "better"


def test_without_m_nothing_is_within() -> None:
    a = arm("a", NOISE)
    verdict = found(a, replace(a, label="b"), with_min_effect(SCORE, 0))[1]
    assert (verdict.kind, verdict.reason[:20]) == ("no difference shown", "no difference shown:")


def test_scores_are_never_unstable() -> None:
    _, verdict = found(arm("a", NOISE), arm("b", NOISE[::-1]), SCORE)
    assert verdict.kind == "no difference shown"


def test_a_swing_of_max_over_min_is_named_and_changes_nothing() -> None:
    finding, verdict = found(
        one_task("a", [10, 11, 12, 13, 14, 30]), one_task("b", [40, 41, 42, 43, 44, 45]), FIXED_TIME
    )
    assert finding.swings[0].words == "max/min 3"
    assert verdict.kind == "worse"


@pytest.mark.parametrize(
    ("case", "loss", "holds"),
    [
        ("better", 0.0, True),
        ("worse", 0.05, False),
        ("within", 0.05, True),
        ("within", 0.001, False),
        ("within 5%", 0.05, True),
        ("nothing", 0.05, False),
        ("nothing", 0.9, True),
        ("out of reach", 9.0, False),
        ("synthetic", 1.0, False),
        ("lower is better", 0.0, True),
    ],
)
def test_no_worse_than_reads_the_lower_end_and_nothing_from_cannot_tell(
    case: str, loss: float, holds: bool
) -> None:
    finding, _ = found(*CASES[case][3:])
    assert verdicts.no_worse(finding, loss) is holds
    assert verdicts.exit_code([finding], Conditions(no_worse_than=loss)) == (0 if holds else 3)


@pytest.mark.parametrize("case", CASES)
def test_fail_on_worse_is_3_on_worse_alone(case: str) -> None:
    finding, verdict = found(*CASES[case][3:])
    code = verdicts.exit_code([finding], Conditions(fail_on_worse=True))
    assert code == (3 if verdict.kind == "worse" else 0)


def test_missing_cells_must_not_undo_what_no_worse_than_shows() -> None:
    before = arm("a", [1, 0] * 10, planned=True)
    runs = [Run(f"t{i:03}", 1, (i + 1) % 2) for i in range(20)]
    whole = Arm("b", runs, Plan(20, 1))
    holed = replace(whole, runs=[*runs[:12], *(replace(r, scored=False) for r in runs[12:])])
    assert verdicts.no_worse(found(before, whole, PASS)[0], 0.2)
    assert not verdicts.no_worse(found(before, holed, PASS)[0], 0.2)


def test_a_a_comparisons_alarm_in_at_most_one_of_twenty() -> None:
    rng = random.Random(4)
    alarms = 0
    for _ in range(300):
        a, b = ([rng.random() for _ in range(8)] for _ in "ab")
        alarms += found(arm("a", a), arm("b", b), SCORE)[1].kind in {"better", "worse"}
    assert alarms <= 25  # 15 expected, SE 3.8


def test_p_at_the_level_is_significant() -> None:
    # Fisher and Holm meet .05 as fractions: 3 x 1/60 is no more than 1/20.
    finding, _ = found(arm("a", LOW), arm("b", HIGH), SCORE)
    standing = replace(finding.placed, adjusted_p=3 * Fraction(1, 60))
    assert verdicts.decide(replace(finding, standing=standing)).kind == "better"


@pytest.mark.parametrize(
    ("case", "loss", "words"),
    [
        ("better", 0.05, "no worse than 0.05: shown, the lower end is +0."),
        ("worse", 0.05, "no worse than 0.05: not shown, the lower end is −0."),
        ("within 5%", 0.05, "no worse than 5%: shown, the upper end is ×1.0"),
        ("out of reach", 0.5, "no worse than 50%: not shown, cannot tell"),
        ("synthetic", 0.5, "no worse than 0.5: not shown, none (pipeline proof)"),
    ],
)
def test_the_answer_to_no_worse_than_names_the_end_that_decides(
    case: str, loss: float, words: str
) -> None:
    finding, _ = found(*CASES[case][3:])
    assert verdicts.no_worse_words(finding, loss).startswith(words)


def test_the_answer_says_when_missing_cells_decide_or_an_end_is_not_reached() -> None:
    before = arm("a", [1, 0] * 10, planned=True)
    runs = [Run(f"t{i:03}", 1, (i + 1) % 2, scored=i < 12) for i in range(20)]
    holed = verdicts.no_worse_words(found(before, Arm("b", runs, Plan(20, 1)), PASS)[0], 0.35)
    assert holed.startswith("no worse than 0.35: not shown, the lower end is −0.")
    assert holed.endswith(", and 8 planned cells without a scored value could undo it")
    lost = one_task("b", [10, 11, 12, 13, 14, None, None, None])
    finding, _ = found(one_task("a", [9, 10, 11, 10, 9, 8, 9, 10]), lost, FIXED_TIME)
    assert verdicts.no_worse_words(finding, 0.05) == (
        "no worse than 5%: not shown, the upper end is not reached"
    )
