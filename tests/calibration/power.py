"""Scenarios with something to find: the tests find it as often as an independent oracle says.

Whole verdicts must find it as often as their exact test alone, on other data sets: the rules that
forbid a verdict cost nothing where the plan is filled.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np
from scipy import integrate, stats

from tests.calibration import batches, single_tests, whole_verdicts
from tests.calibration.noise import Array
from tests.calibration.scenario import VERDICT_SETS, Draw, Judge, Oracle, Scenario
from tests.calibration.trials import Plan, Rates
from tests.support.arms import FIXED_TIME, PASS

FOUND = "Power of a test"
VERDICTS = "Power of a whole verdict"
BETTER = frozenset({"better"})

DEVIATION = 50.0  # of `noise.normal`
ORACLE_SETS = 20_000
SLOW_ORACLE_SETS = 5_000


def shifted_differences(tasks: int, shift: float, random: np.random.Generator, sets: int) -> Array:
    """Return normal differences, deviation 50 times root 2, moved by `shift` times 50."""
    drawn = random.normal(shift * DEVIATION, DEVIATION * math.sqrt(2), (sets, tasks))
    return np.rint(drawn).astype(np.int64)


def shifted_groups(n: int, m: int, shift: float, random: np.random.Generator, sets: int) -> Array:
    """Return normal rows of two groups, the second `shift` deviations higher."""
    return random.normal(size=(sets, n + m)) + shift * (np.arange(n + m) >= n)


def unequal_rates(
    rates: tuple[float, float], n: int, random: np.random.Generator, sets: int
) -> Array:
    """Return passes of two groups of n rows, shape (data sets, 2)."""
    return random.binomial(n, rates, (sets, 2))


def all_one_way(tasks: int, shift: float) -> tuple[float, float]:
    """Return how often all normal differences have one sign: 6 tasks reach .05 in no other way."""
    up = float(stats.norm.cdf(shift / math.sqrt(2)))
    return up**tasks + (1 - up) ** tasks, 0.0


def t_test(tasks: int, shift: float) -> tuple[float, float]:
    """Return the power of Student's test, from which that of the sign-flip test differs by .01."""
    critical = stats.t.ppf(0.975, tasks - 1)
    distance = shift / math.sqrt(2) * math.sqrt(tasks)
    return 1 - float(np.diff(stats.nct.cdf([-critical, critical], tasks - 1, distance))[0]), 0.0025


def separated(n: int, shift: float) -> tuple[float, float]:
    """Return how often two groups of n do not overlap: 4 against 4 reach .05 in no other way."""

    def apart(gap: float) -> float:
        def density(x: float) -> float:
            below = stats.norm.cdf(x) ** (n - 1) * stats.norm.pdf(x)
            return float(n * below * stats.norm.sf(x - gap) ** n)

        return float(integrate.quad(density, -10, 10)[0])

    return apart(shift) + apart(-shift), 0.0


def scipys_ranks(n: int, m: int, shift: float) -> tuple[float, float]:
    """Return how often scipy's exact Mann-Whitney test finds a shift, with its standard error."""
    values = shifted_groups(n, m, shift, np.random.default_rng(0), ORACLE_SETS)
    found = stats.mannwhitneyu(values[:, :n], values[:, n:], axis=1, method="exact")
    return _share(np.asarray(found.pvalue) <= 0.05 + 1e-12)


def every_table(rates: tuple[float, float], n: int) -> tuple[float, float]:
    """Return the chance of all tables that scipy's test of Fisher calls significant."""
    chances = [stats.binom.pmf(np.arange(n + 1), n, rate) for rate in rates]
    total = 0.0
    for a, b in product(range(n + 1), repeat=2):
        table = np.array([[a, n - a], [b, n - b]])
        if stats.fisher_exact(table).pvalue <= 0.05:
            total += chances[0][a] * chances[1][b]
    return float(total), 0.0


def every_split(rates: tuple[float, float], tasks: int) -> tuple[float, float]:
    """Return the chance of all (better, worse) counts that scipy's binomial test finds.

    One trial a task, so a task moves up, down or not.
    """
    before, after = rates
    chances = [after * (1 - before), before * (1 - after)]
    chances.append(1 - sum(chances))
    total = 0.0
    for up, down in product(range(tasks + 1), repeat=2):
        moved = up + down
        if 0 < moved <= tasks and stats.binomtest(up, moved).pvalue <= 0.05 + 1e-12:
            total += float(stats.multinomial.pmf([up, down, tasks - moved], tasks, chances))
    return total, 0.0


def flips_alone(plan: Plan) -> tuple[float, float]:
    """Return how often the sign-flip test alone finds the second arm better by M or more."""
    found = batches.moves(plan.draw(np.random.default_rng(1), ORACLE_SETS))
    lift = found.every.mean(axis=1) / found.scale
    shown = batches.sign_flip(found.even) <= 0.05
    return _share(shown & (lift >= PASS.min_effect - 1e-12))


def ranks_alone(rows: int, factor: float) -> tuple[float, float]:
    """Return how often the Mann-Whitney test alone finds the second group of a task faster."""
    random = np.random.default_rng(1)
    data = whole_verdicts.Latencies(1, rows, factor=factor).draw(random, SLOW_ORACLE_SETS)
    values = data.reshape(SLOW_ORACLE_SETS, 2 * rows)
    faster = np.median(values[:, rows:], axis=1) < np.median(values[:, :rows], axis=1)
    return _share((batches.mann_whitney(values, rows) <= 0.05) & faster)


def _share(found: Array) -> tuple[float, float]:
    rate = float(found.mean())
    return rate, math.sqrt(rate * (1 - rate) / len(found))


def scenarios() -> Iterator[Scenario]:
    """Give every scenario with something to find."""
    for tasks, shift, oracle in ((6, 2.0, all_one_way), (20, 1.0, t_test), (50, 0.6, t_test)):
        yield _test(
            *("sign-flip, normal", f"n = {tasks}, shift {shift:g}"),
            partial(shifted_differences, tasks, shift),
            single_tests.by_sign_flip,
            partial(oracle, tasks, shift),
        )
    for before, after, tasks in ((0.5, 0.9, 20), (0.6, 0.8, 50)):
        plan = Plan(Rates(before, shift=after - before), tasks, (1, 1))
        yield _test(
            *("sign-flip, pass/fail", f"{before:g} → {after:g}, T = {tasks}, R = 1"),
            plan.draw,
            single_tests.by_even_repeats,
            partial(every_split, (before, after), tasks),
        )
    for n, m, shift in ((4, 4, 2.0), (10, 10, 1.5), (10, 30, 1.0)):
        yield _test(
            *("Mann-Whitney, normal", f"{n} against {m}, shift {shift:g}"),
            partial(shifted_groups, n, m, shift),
            partial(single_tests.by_ranks, n),
            partial(separated, n, shift) if n == m == 4 else partial(scipys_ranks, n, m, shift),
        )
    for rates, n in (((0.5, 0.9), 10), ((0.5, 0.9), 30)):
        yield _test(
            *("Fisher", f"{rates[0]:g} → {rates[1]:g}, {n} against {n}"),
            partial(unequal_rates, rates, n),
            partial(single_tests.by_fisher, (n, n)),
            partial(every_table, rates, n),
        )
    yield from _verdicts()


def _verdicts() -> Iterator[Scenario]:
    for before, after, tasks in ((0.5, 0.9, 10), (0.5, 0.8, 20)):
        plan = Plan(Rates(before, shift=after - before), tasks, (3, 3))
        yield _verdict(
            *("pass rate", f"{before:g} → {after:g}, T = {tasks}, R = 3"),
            plan.draw,
            whole_verdicts.by(PASS, partial(whole_verdicts.of_trials, 3)),
            partial(flips_alone, plan),
        )
    for rows, factor in ((10, 0.7), (15, 0.75)):
        yield _verdict(
            *("latency inside one task", f"{rows} against {rows}, × {factor:g}"),
            whole_verdicts.Latencies(1, rows, factor=factor).draw,
            whole_verdicts.by(FIXED_TIME, partial(whole_verdicts.of_values, 1.0)),
            partial(ranks_alone, rows, factor),
        )


def _test(what: str, setting: str, draw: Draw, judge: Judge, oracle: Oracle) -> Scenario:
    return Scenario(FOUND, what, setting, draw, judge, limit=None, oracle=oracle)


def _verdict(what: str, setting: str, draw: Draw, judge: Judge, oracle: Oracle) -> Scenario:
    return Scenario(
        *(VERDICTS, what, setting, draw, judge, VERDICT_SETS),
        limit=None,
        oracle=oracle,
        counted=BETTER,
    )
