"""The page that the suite writes, docs/calibration.md: the same measurements, the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from benchdata.numbers import MISSING
from tests.calibration import coverage, margins, power
from tests.calibration.mutants import SETS, Mutant
from tests.calibration.scenario import ERRORS, Measured, Scenario

INTRODUCTION = """\
# How often the verdicts are wrong

A verdict is only as good as its error rate. Here benchdata is given data whose truth is known,
thousands of data sets of each kind, and every answer is counted. Where both arms are alike, every
`better` or `worse` is a false alarm.

**The claim.** At most 5% of data sets give a false `better` or `worse` when the arms are
exchangeable inside every task, rows are independent, and the planned rows are in. Small samples
give far fewer: no result of five tasks can reach p ≤ .05, so five tasks never give a false alarm.

**The proof.** A test alone gets 20,000 data sets and may be wrong in at most .0562 of them, a whole
verdict 4,000 and .0638: .05 and four standard errors of so many data sets. Where one data set costs
a tenth of a second there are 500, and the limit is .089. Where the exact rate is known, the
measured one must lie within four standard errors (SE) of it. Where there is something to find, it
must be found as often as an independent calculation says. A row whose criterion is "printed" has no
limit to keep: it shows what happens outside the claim, or where the claim says nothing.

**What it does not prove.** Nothing here knows how skewed your tasks are, or whether a judge is
fair. Rows that follow their forerunner, too few for the guard to notice, do give false alarms: see
the AR(1) rows that are printed.

`T` is the number of tasks, `R` of repeats in each. Beta(.5, .5) rates are a mix of tasks that
nearly always pass and tasks that nearly always fail. The seeds are fixed. In a checkout that is set
up, `python -m tests.calibration.run` writes this page again and fails when a row does not hold.
"""
MUTANTS = f"""\
## Wrong rules, found out

Each of these rules is in use somewhere. On {SETS:,} data sets of the scenario named it breaks the
criterion, which benchdata's own rule keeps on the same data.

| wrong rule | scenario | measured | criterion |
|---|---|---|---|
"""
PRINTED = "printed"
HEAD = """\
| data | setting | data sets | measured | criterion | holds | answers |
|---|---|---|---|---|---|---|
"""
HOLDING = "Measured: how often the interval holds the true value. Printed: exceptions to .93."
NOTES = {
    coverage.RATE: HOLDING,
    coverage.LIFT: HOLDING,
    coverage.ORDER: HOLDING,
    power.FOUND: "Measured: how often it is shown. Expected: by independent calculation.",
    power.VERDICTS: "Measured: how often it is `better`. Expected: its test alone, on other data.",
    margins.MARGIN: "Measured: how often the interval says `within M` or no worse: both false.",
}


def document(results: Sequence[Measured], caught: Sequence[tuple[Mutant, Measured]]) -> str:
    """Return the page."""
    return "".join([INTRODUCTION, *_sections(results), "\n", MUTANTS, *map(_mutant, caught)])


def row(found: Measured) -> str:
    """Return the line of one scenario."""
    scenario, wanted = found.scenario, criterion(found.scenario, found.expected)
    holds = MISSING if wanted == PRINTED else "yes" if found.holds else "NO"
    cells = [
        *(scenario.what, scenario.setting, f"{found.sets:,}", rate(found.rate)),
        *(wanted, holds, answers(found)),
    ]
    return f"| {' | '.join(cells)} |\n"


def criterion(scenario: Scenario, expected: tuple[float, float] | None) -> str:
    """Return in words what must hold."""
    parts = []
    if scenario.limit is not None:
        parts.append(f"≤ {rate(scenario.limit)}")
    if scenario.least is not None:
        parts.append(f"≥ {rate(scenario.least)}")
    if expected is not None:
        parts.append(f"{rate(expected[0])} ± {ERRORS} SE")
    return ", ".join(parts) or PRINTED


def answers(found: Measured) -> str:
    """Return the share of each answer, the most frequent first."""
    ordered = sorted(found.words.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{word} {rate(count / found.sets)}" for word, count in ordered)


def rate(value: float) -> str:
    """Return a rate with four decimals and without the leading zero."""
    return f"{value:.4f}".removeprefix("0")


def _sections(results: Sequence[Measured]) -> Iterator[str]:
    for section, members in groupby(results, lambda found: found.scenario.section):
        note = f"{NOTES[section]}\n\n" if section in NOTES else ""
        yield f"\n## {section}\n\n{note}{HEAD}"
        yield from map(row, members)


def _mutant(pair: tuple[Mutant, Measured]) -> str:
    mutant, found = pair
    scenario = mutant.scenario
    where = f"{scenario.section}: {scenario.what}, {scenario.setting}"
    wanted = criterion(scenario, found.expected)
    return f"| {mutant.name} | {where} | {rate(found.rate)} | {wanted} |\n"
