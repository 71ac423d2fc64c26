"""One table, one family: Holm over the comparisons whose design can reach the level."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from benchdata import verdicts
from benchdata.comparisons.families import family
from benchdata.comparisons.findings import compare
from tests.support.arms import PASS, arm

BASE = arm("none", [0] * 8)
SKILLS = [arm(f"s{k}", [1] * k + [0] * (8 - k)) for k in (8, 7, 6)]


def test_p_is_adjusted_over_the_table() -> None:
    findings = family([compare(BASE, skill, PASS) for skill in SKILLS])
    raw = [Fraction(2, 2**k) for k in (8, 7, 6)]
    assert [finding.p for finding in findings] == raw
    adjusted = [finding.placed.adjusted_p for finding in findings]
    assert adjusted == [3 * raw[0], 2 * raw[1], raw[2]]
    assert {finding.placed.size for finding in findings} == {3}


def test_a_comparison_that_cannot_reach_the_level_leaves_and_costs_nothing() -> None:
    small = compare(arm("none", [0] * 5), arm("s5", [1] * 5), PASS)
    found = family([compare(BASE, SKILLS[0], PASS), small])
    assert [finding.placed.adjusted_p for finding in found] == [Fraction(2, 256), None]
    words = [str(verdicts.decide(finding)) for finding in found]
    assert words[0] == "better"
    assert words[1] == "cannot tell: 5 tasks cannot reach 0.05: the smallest p is 0.062; 6 suffice"


def test_designs_that_reach_the_level_alone_may_not_together() -> None:
    base = arm("none", [0] * 6)
    skills = [arm(f"s{k}", [1] * 6) for k in range(2)]
    for finding in family([compare(base, skill, PASS) for skill in skills]):
        assert str(verdicts.decide(finding)) == (
            "cannot tell: 6 tasks cannot reach 0.05 after Holm over 2: the smallest p is 0.062;"
            " 7 suffice"
        )


def test_missing_cells_are_rescored_inside_the_family() -> None:
    base, skill = arm("none", [0] * 9, planned=True), arm("s", [1] * 8 + [0], planned=True)
    holed = replace(base, runs=[*base.runs[:8], replace(base.runs[8], scored=False)])
    first = compare(holed, skill, PASS)
    (alone,) = family([first])
    assert alone.placed.rescored_p[0] == Fraction(2 * (1 + 9), 512)
    assert verdicts.decide(alone).kind == "better"
    together, _ = family([first, compare(BASE, SKILLS[2], PASS)])
    assert together.placed.adjusted_p == Fraction(2 * 2, 256)
    # Rescored it comes after the other's 2/64, which is doubled.
    assert together.placed.rescored_p[0] == Fraction(2 * 2, 64)
    assert verdicts.decide(together).kind == "cannot tell"
    shared, _ = family([first, compare(BASE, SKILLS[0], PASS)])
    assert shared.placed.adjusted_p == Fraction(2 * 2, 256)
    assert shared.placed.rescored_p[0] == Fraction(2 * (1 + 9), 512)
