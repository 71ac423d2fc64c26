"""Scenarios of many comparisons: families under Holm, releases, looks before the rows are in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations

import numpy as np

from benchdata.stats import families, floors
from tests.calibration import batches
from tests.calibration.noise import Array
from tests.calibration.scenario import (
    SHOWN,
    SILENT,
    VERDICT_LIMIT,
    VERDICT_SETS,
    Draw,
    Judge,
    Scenario,
    shown,
)
from tests.calibration.trials import Arms, Plan, Rates

FAMILIES = "A family of comparisons, any difference shown"
RELEASES = "20 releases against a pinned baseline, 10 rows each"
LOOKS = "Looking again after more rows"

MANY = 20  # releases in a course
ROWS = 10  # of a release, and of each group at the plan
LOOK_ROWS = 5  # looks, of which the first is the plan
ONE_BY_ONE = 30  # rows of a group at the last of the looks after every row

Pairs = tuple[tuple[int, int], ...]


def baseline_and(skills: int) -> Pairs:
    """Return the comparisons of a table of skills with one baseline."""
    return tuple((0, arm) for arm in range(1, skills + 1))


# How many arms, and which of them are compared.
TABLES: dict[str, tuple[int, Pairs]] = {
    "2 skills, one baseline": (3, baseline_and(2)),
    "5 skills, one baseline": (6, baseline_and(5)),
    "6 skills, one baseline": (7, baseline_and(6)),
    "6 arms, all pairs": (6, tuple(combinations(range(6), 2))),
    "21 cells of two arms": (42, tuple((2 * cell, 2 * cell + 1) for cell in range(21))),
}


def family_ps(pairs: Pairs, arms: Arms) -> Array:
    """Return the raw p of each comparison, shape (data sets, comparisons)."""
    flips = [batches.sign_flip(batches.moves(arms, pair).even) for pair in pairs]
    return np.stack(flips, axis=1)


def by_holm(pairs: Pairs, arms: Arms) -> Array:
    """Judge a table: does `families.family` show any difference?"""
    ps = family_ps(pairs, arms)
    floor = floors.sign_flip(arms.codes.shape[2])

    @cache
    def any_shown(*row: float) -> bool:
        members = families.family([families.Comparison(i, p, floor) for i, p in enumerate(row)])
        return any(member.shown for member in members)

    return np.where([any_shown(*sorted(row)) for row in ps.tolist()], SHOWN, SILENT)


def course(rows: int, random: np.random.Generator, sets: int) -> Array:
    """Return values of `rows` rows of a baseline, then those of 20 releases, twice.

    Shape (data sets, 2, baseline and releases): the second time are the fresh repeats of both.
    """
    values: Array = random.normal(size=(sets, 2, rows + MANY * ROWS))
    return values


def alarms(rows: int, values: Array, repeat: int) -> Array:
    """Return the direction of the difference shown for each release, 0 for none."""
    baseline, releases = values[:, repeat, :rows], values[:, repeat, rows:]
    found = np.zeros((len(values), MANY), dtype=np.int64)
    for release in range(MANY):
        rival = releases[:, release * ROWS : (release + 1) * ROWS]
        p = batches.mann_whitney(np.concatenate([baseline, rival], axis=1), rows)
        higher = (rival[:, :, np.newaxis] > baseline[:, np.newaxis, :]).mean(axis=(1, 2))
        found[:, release] = np.where(p <= 0.05, np.sign(higher - 0.5), 0)
    return found


def by_release(rows: int, values: Array) -> Array:
    """Judge every release for itself: one word a release."""
    return np.where(alarms(rows, values, 0).ravel() != 0, SHOWN, SILENT)


def by_course(rows: int, values: Array) -> Array:
    """Judge a course: is any release shown to differ?"""
    return np.where((alarms(rows, values, 0) != 0).any(axis=1), SHOWN, SILENT)


def by_confirmed_course(rows: int, values: Array) -> Array:
    """Judge a course: is any release shown to differ, and the same way in fresh repeats?"""
    both = alarms(rows, values, 0) * alarms(rows, values, 1)
    return np.where((both > 0).any(axis=1), SHOWN, SILENT)


def two_columns(rows: int, random: np.random.Generator, sets: int) -> Array:
    """Return rows of two groups in the order they came in, shape (data sets, 2, rows)."""
    return random.normal(size=(sets, 2, rows))


def look(rows: int, number: int, values: Array) -> Array:
    """Return p of look `number` at the first rows of both groups, after its correction."""
    seen = values[:, :, :rows].reshape(len(values), -1)
    ps: Array = np.minimum(batches.mann_whitney(seen, rows) * number, 1)
    return ps


def by_look(number: int, values: Array) -> Array:
    """Judge by one look: ten rows a group at the plan, ten more at each one after."""
    return shown(look(number * ROWS, number, values))


def by_all_looks(values: Array) -> Array:
    """Judge a course of five looks: did any show a difference?"""
    ps = [look(number * ROWS, number, values) for number in range(1, LOOK_ROWS + 1)]
    return shown(np.min(ps, axis=0))


def by_every_row(values: Array) -> Array:
    """Judge a course of a look after every row beyond the plan: did any show a difference?"""
    ps = [look(rows, rows - ROWS + 1, values) for rows in range(ROWS, ONE_BY_ONE + 1)]
    return shown(np.min(ps, axis=0))


def scenarios() -> Iterator[Scenario]:
    """Give every scenario of many comparisons."""
    for name, (arms, pairs) in TABLES.items():
        for tasks in (6, 10, 20):
            plan = Plan(Rates(None), tasks, (3,) * arms)
            judge = partial(by_holm, pairs)
            yield _whole(FAMILIES, name, f"T = {tasks}, R = 3", plan.draw, judge)
    for rows in (10, 30):
        draw, setting = partial(course, rows), f"baseline of {rows}"
        whole = partial(_whole, RELEASES)
        yield whole("each release", setting, draw, partial(by_release, rows))
        yield whole("a course, unconfirmed", setting, draw, partial(by_course, rows), limit=None)
        yield whole("a course, confirmed", setting, draw, partial(by_confirmed_course, rows))
    draw = partial(two_columns, LOOK_ROWS * ROWS)
    for number in range(1, LOOK_ROWS + 1):
        setting = f"{number * ROWS} against {number * ROWS}, p × {number}"
        yield _whole(LOOKS, f"look {number}", setting, draw, partial(by_look, number))
    yield _whole(LOOKS, "any of 5 looks", "10 to 50 rows a group", draw, by_all_looks, limit=None)
    draw = partial(two_columns, ONE_BY_ONE)
    yield _whole(LOOKS, "a look after every row", "10 to 30", draw, by_every_row, limit=None)


def _whole(
    section: str,
    what: str,
    setting: str,
    draw: Draw,
    judge: Judge,
    *,
    limit: float | None = VERDICT_LIMIT,
) -> Scenario:
    return Scenario(section, what, setting, draw, judge, VERDICT_SETS, limit)
