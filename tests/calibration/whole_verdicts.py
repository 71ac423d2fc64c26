"""Scenarios of whole verdicts: rows in memory, through plan, guard, family and decision table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchdata import verdicts
from benchdata.comparisons.arms import Arm, Plan, Run
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import compare
from tests.calibration import noise, trials
from tests.calibration.noise import Array
from tests.calibration.scenario import (
    SHOWN,
    SILENT,
    VERDICT_LIMIT,
    VERDICT_SETS,
    Draw,
    Judge,
    Scenario,
)
from tests.calibration.single_tests import other_tasks
from tests.calibration.trials import Arms, Rates
from tests.support.arms import FIXED_SCORE, FIXED_TIME, PASS, SCORE, TIME

PASSES = "Verdict on a pass rate"
LOSSES = "Verdict on a pass rate when failing runs of the treatment are lost"
TABLES = "Verdicts of a table, any better or worse"
SCORES = "Verdict on a score"
LATENCY = "Verdict on a latency"

EITHER = frozenset({"better", "worse"})

Two = tuple[Arm, Arm]


def of_cells(label: str, cells: Sequence[Sequence[Any]], repeats: int, first: int = 0) -> Arm:
    """Return an arm of these scored values by task; planned repeats without one were lost.

    Tasks are numbered from `first`.
    """
    runs = [
        Run(f"t{first + task}", repeat, values[repeat] if repeat < len(values) else None,
            scored=repeat < len(values))
        for task, values in enumerate(cells)
        for repeat in range(max(repeats, len(values)))
    ]  # fmt: skip
    return Arm(label, runs, Plan(len(cells), repeats))


def in_order(arm: Arm, starts: Sequence[float]) -> Arm:
    """Return the arm with start times, which sets the guard to work."""
    pairs = zip(arm.runs, starts, strict=True)
    runs = [Run(r.task, r.repeat, r.value, r.scored, r.success, start) for r, start in pairs]
    return Arm(arm.label, runs, arm.plan)


def of_trials(repeats: int, data: Arms, index: int) -> Two:
    """Return two arms of pass/fail trials of the same tasks."""
    before, after = data.cells(index)
    return of_cells("a", before, repeats), of_cells("b", after, repeats)


def in_random_order(repeats: int, data: Arms, index: int) -> Two:
    """Return two arms of pass/fail trials whose rows ran in a random order."""
    random = np.random.default_rng(index)
    first, second = (
        in_order(arm, random.random(len(arm.runs)).tolist())
        for arm in of_trials(repeats, data, index)
    )
    return first, second


def of_other_tasks(repeats: int, data: Arms, index: int) -> Two:
    """Return two arms of pass/fail trials, each of tasks of its own."""
    before, after = data.cells(index)
    return of_cells("a", before, repeats), of_cells("b", after, repeats, len(before))


def of_values(unit: float, data: Array, index: int) -> Two:
    """Return two arms of values in whole `unit`s, shape (data sets, 2, tasks, repeats)."""
    before, after = np.where(np.isnan(data[index]), np.nan, data[index] * unit).tolist()
    cells = [[[_or_none(v) for v in task] for task in arm] for arm in (before, after)]
    repeats = data.shape[3]
    return of_cells("a", cells[0], repeats), of_cells("b", cells[1], repeats)


def of_values_of_other_tasks(data: Array, index: int) -> Two:
    """Return two arms of values, each of tasks of its own."""
    before, after = data[index].tolist()
    tasks, repeats = data.shape[2:]
    return of_cells("a", before, repeats), of_cells("b", after, repeats, tasks)


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value


def scores(tasks: int, repeats: int, random: np.random.Generator, sets: int) -> Array:
    """Return scores of two arms from Beta(8, 1), shape (data sets, 2, tasks, repeats)."""
    return noise.ceiling(random, (sets, 2, tasks, repeats)).astype(np.float64)


@dataclass(frozen=True)
class Latencies:
    """Rows of two arms: tasks spread by e either way, rows by a third.

    `effect` is the deviation of the logarithm of each arm's own factor in a task, `factor` that of
    the second arm in all tasks, `null` the chance of a row without a value. With `other_tasks` each
    arm has tasks of its own.
    """

    tasks: int
    repeats: int
    effect: float = 0.0
    factor: float = 1.0
    null: float = 0.0
    other_tasks: bool = False

    def draw(self, random: np.random.Generator, sets: int) -> Array:
        """Return whole milliseconds, shape (data sets, 2, tasks, repeats)."""
        level = random.normal(6, 1, (sets, 2 if self.other_tasks else 1, self.tasks, 1))
        own = random.normal(0, self.effect, (sets, 2, self.tasks, 1)) if self.effect else 0.0
        noises = random.normal(0, 0.3, (sets, 2, self.tasks, self.repeats))
        rows: Array = np.exp(level + own + noises)
        rows[:, 1] *= self.factor
        rows = np.ceil(rows)
        return np.where(random.random(rows.shape) < self.null, np.nan, rows) if self.null else rows


def by_table(repeats: int, data: Arms) -> Array:
    """Judge tables of one baseline and some skills: is any of them called better or worse?"""
    words = []
    for index in range(len(data.codes)):
        baseline, *skills = [
            of_cells(str(number), cells, repeats) for number, cells in enumerate(data.cells(index))
        ]
        table = verdicts.decided([compare(baseline, skill, PASS) for skill in skills])
        words.append(SHOWN if any(found.kind in EITHER for _, found in table) else SILENT)
    return np.array(words)


def by_verdict(claim: Claim, arms: Callable[[Any, int], Two], data: Any) -> Array:
    """Judge every data set by the verdict of its one comparison."""
    sets = len(data.codes) if isinstance(data, Arms) else len(data)
    return np.array([verdict(claim, arms(data, index)).kind for index in range(sets)])


def verdict(claim: Claim, arms: Two) -> verdicts.Verdict:
    """Return the verdict on two arms that are a table of their own."""
    [(_, found)] = verdicts.decided([compare(*arms, claim)])
    return found


def scenarios() -> Iterator[Scenario]:
    """Give every scenario of a whole verdict."""
    for name, rates in (("rate .8", Rates(0.8)), ("rate Beta(.5, .5)", Rates(None))):
        for tasks in (6, 10, 20):
            yield _trials(PASSES, name, trials.Plan(rates, tasks, (3, 3)))
    plan = trials.Plan(Rates(None), 10, (3, 3))
    yield _trials(PASSES, "rows in random order", plan, in_random_order)
    yield _trials(PASSES, "30% lost", trials.Plan(Rates(None), 20, (3, 3), lost=0.3))
    draw = partial(other_tasks, plan)
    yield _whole(PASSES, "other tasks", (10, 3), draw, by(PASS, partial(of_other_tasks, 3)))
    for skills, tasks in ((2, 20), (5, 10)):
        plan = trials.Plan(Rates(None), tasks, (3,) * (skills + 1))
        name = f"{skills} skills, one baseline"
        table = partial(by_table, 3)
        yield _whole(TABLES, name, (tasks, 3), plan.draw, table, frozenset({SHOWN}))
    for share in (0.1, 0.3, 0.5):
        for tasks in (10, 20, 50):
            plan = trials.Plan(Rates(0.8), tasks, (3, 3), lost_failures=share)
            name = f"{share:.0%} of failures lost"
            yield _trials(LOSSES, name, plan, counted=frozenset({"better"}))
    for what, claim, tasks, repeats in (
        ("Beta(8, 1)", SCORE, 10, 1),
        ("Beta(8, 1), fixed tasks", FIXED_SCORE, 3, 3),
    ):
        judge = by(claim, partial(of_values, 1 / 1000))
        shape = (tasks, repeats)
        yield _whole(SCORES, what, shape, partial(scores, *shape), judge)
    for what, claim, rows in (
        ("over tasks, task effects", TIME, Latencies(8, 5, effect=0.3)),
        ("inside one task", FIXED_TIME, Latencies(1, 10)),
        ("inside one task, 20% null", FIXED_TIME, Latencies(1, 20, null=0.2)),
    ):
        shape = (rows.tasks, rows.repeats)
        yield _whole(LATENCY, what, shape, rows.draw, by(claim, partial(of_values, 1.0)))
    other = Latencies(6, 3, other_tasks=True)
    yield _whole(LATENCY, "other tasks", (6, 3), other.draw, by(TIME, of_values_of_other_tasks))


def by(claim: Claim, arms: Callable[[Any, int], Two]) -> Judge:
    """Return the judge of a claim about these arms."""
    return partial(by_verdict, claim, arms)


def _trials(
    section: str,
    what: str,
    plan: trials.Plan,
    arms: Callable[[int, Arms, int], Two] = of_trials,
    counted: frozenset[str] = EITHER,
) -> Scenario:
    shape = (plan.tasks, plan.repeats[0])
    return _whole(section, what, shape, plan.draw, by(PASS, partial(arms, shape[1])), counted)


def _whole(
    section: str,
    what: str,
    shape: tuple[int, int],
    draw: Draw,
    judge: Judge,
    counted: frozenset[str] = EITHER,
) -> Scenario:
    setting = f"T = {shape[0]}, R = {shape[1]}"
    return Scenario(
        *(section, what, setting, draw, judge, VERDICT_SETS, VERDICT_LIMIT), counted=counted
    )
