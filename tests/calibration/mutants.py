"""Rules that look right and are wrong: each must break the criterion of a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.stats import rankdata

from benchdata.stats import bootstrap, exact, tables
from benchdata.stats.results import Interval
from tests.calibration import batches, families, series, single_tests, whole_verdicts
from tests.calibration.noise import Array
from tests.calibration.scenario import SHOWN, SILENT, Judge, Scenario, shown
from tests.calibration.trials import Arms

SETS = 2_000


@dataclass(frozen=True)
class Mutant:
    """A wrong rule, and the scenario that finds it out with the right rule's data."""

    name: str
    scenario: Scenario
    judge: Judge

    @property
    def mutated(self) -> Scenario:
        """Return the scenario under the wrong rule."""
        return replace(self.scenario, judge=self.judge)


def by_percentile_interval(differences: Array) -> Array:
    """Decide by whether a bootstrap interval of the mean excludes 0."""
    found = bootstrap.batch(differences.astype(np.float64))
    out = [isinstance(each, Interval) and each.excludes(0) for each in found]
    return np.where(out, SHOWN, SILENT)


def by_unbalanced_means(arms: Arms) -> Array:
    """Flip the signs of differences of means over unequal repeats."""
    return shown(batches.sign_flip(batches.moves(arms).every))


def by_trials(repeats: int, arms: Arms) -> Array:
    """Pool the trials of all tasks into one McNemar test, as if they were independent pairs."""
    random = np.random.default_rng(0)
    before, after = arms.codes[:, 0], arms.codes[:, 1]
    both = random.hypergeometric(before, repeats - before, after)
    up, down = ((passes - both).sum(axis=1) for passes in (after, before))
    pairs = zip(up.tolist(), down.tolist(), strict=True)
    return shown(np.array([tables.mcnemar(b, c).p for b, c in pairs]))


def by_pooled_trials(repeats: int, arms: Arms) -> Array:
    """Pool the trials of unlike tasks into one Fisher test."""
    rows = arms.codes.shape[2] * repeats
    return shown(batches.fisher(arms.codes.sum(axis=2), (rows, rows)))


def by_what_is_left(arms: Arms) -> Array:
    """Judge the trials that were not lost, as if the lost ones had never been planned."""
    found = batches.moves(arms)
    better = (batches.sign_flip(found.even) <= 0.05) & (found.every.sum(axis=1) > 0)
    return np.where(better, "better", SILENT)


def without_holm(pairs: families.Pairs, arms: Arms) -> Array:
    """Judge every comparison of a table as if it were the only one."""
    return shown(families.family_ps(pairs, arms).min(axis=1))


def by_pooled_rows(data: Array) -> Array:
    """Pool the rows of all tasks into one Mann-Whitney test."""
    rows = data.shape[2] * data.shape[3]
    p = batches.mann_whitney(data.reshape(len(data), -1), rows)
    return np.where(p <= 0.05, "better", SILENT)


def one_sided(differences: Array) -> Array:
    """Choose the side after the data."""
    return shown(batches.sign_flip(differences) / 2)


def tie_blind(n: int, values: Array) -> Array:
    """Look up tied ranks in the distribution of ranks without ties."""
    return _untied_rates(n, rankdata(values, axis=1))


def in_row_order(n: int, values: Array) -> Array:
    """Rank tied values in the order of their rows."""
    return _untied_rates(n, rankdata(values, axis=1, method="ordinal"))


def _untied_rates(n: int, ranks: Array) -> Array:
    rows = ranks.shape[1]
    sums = np.floor(2 * ranks[:, :n].sum(axis=1)).astype(np.int64)
    ways = exact.rank_sums(tuple(range(2, 2 * rows + 1, 2)), n)
    both = [(ways.at_most(each), ways.at_least(each)) for each in sums.tolist()]
    return shown(np.array([min(1.0, 2 * min(tails) / ways.total) for tails in both]))


def unguarded(values: Array) -> Array:
    """Judge rows in time without asking whether they are independent."""
    return single_tests.by_ranks(values.shape[1] // 2, values)


def mutants() -> Iterator[Mutant]:
    """Give every mutant with the scenario that must catch it."""
    tests, whole = [*single_tests.scenarios()], [*whole_verdicts.scenarios()]
    normal = _of(tests, single_tests.SIGN_FLIP, "normal", "n = 10")
    yield Mutant("a percentile interval decides", normal, by_percentile_interval)
    uneven = _of(tests, single_tests.REPEATS, "1 against 10, rate .8", "T = 20")
    yield Mutant("unbalanced means are flipped", uneven, by_unbalanced_means)
    flipped = _of(tests, single_tests.REPEATS, "20% of cells flip 0↔1", "T = 20, R = 10")
    yield Mutant("McNemar over trials", flipped, partial(by_trials, 10))
    other = _of(tests, single_tests.OTHER_TASKS, single_tests.MIXED, "T = 10, R = 3")
    yield Mutant("Fisher over trials of other tasks", other, partial(by_pooled_trials, 3))
    lost = _of(whole, whole_verdicts.LOSSES, "50% of failures lost", "T = 20, R = 3")
    yield Mutant("failing runs that were lost are left out", lost, by_what_is_left)
    name = "6 arms, all pairs"
    table = _of(families.scenarios(), families.FAMILIES, name, "T = 20, R = 3")
    yield Mutant("no Holm", table, partial(without_holm, families.TABLES[name][1]))
    latency = _of(whole, whole_verdicts.LATENCY, "other tasks", "T = 6, R = 3")
    yield Mutant("Mann-Whitney over rows of many tasks", latency, by_pooled_rows)
    yield Mutant("a one-sided p", normal, one_sided)
    fixed = _of(tests, single_tests.RANKS, "the values 1 1 2 2 2 3 3 3 3", "3 against 6")
    yield Mutant("exact without regard to ties", fixed, partial(tie_blind, 3))
    capped = _of(tests, single_tests.RANKS, "half at a cap", "10 against 10")
    yield Mutant("ties ranked by row order", capped, partial(in_row_order, 10))
    following = _of(series.scenarios(), series.DEPENDENT, "AR(1) 0.9", "30 against 30")
    yield Mutant("no guard for dependent rows", following, unguarded)


def _of(scenarios: Iterable[Scenario], section: str, what: str, setting: str) -> Scenario:
    """Return the one scenario of this name."""
    asked = (section, what, setting)
    [found] = [each for each in scenarios if (each.section, each.what, each.setting) == asked]
    return found
