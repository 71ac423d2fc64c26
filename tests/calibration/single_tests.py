"""Scenarios of the tests alone: arms that do not differ, so every difference shown is false."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

import numpy as np
from scipy.stats import rankdata

from tests.calibration import batches, noise
from tests.calibration.noise import Array, Noise
from tests.calibration.scenario import Scenario, shown
from tests.calibration.trials import Arms, Plan, Rates

SIGN_FLIP = "Sign-flip over task differences"
REPEATS = "Pass/fail, repeats in tasks"
RANKS = "Mann-Whitney"
COUNTS = "Fisher"
OTHER_TASKS = "Mann-Whitney on task means of other tasks"

MIXED = "Beta(.5, .5)"
RATES = {".8": Rates(0.8), ".95": Rates(0.95), MIXED: Rates(None)}

DIFFERENCES = {"normal": noise.normal, "lognormal": noise.lognormal, "Beta(8, 1)": noise.ceiling}
# The exact rate without ties: 2/2^n times the patterns that p <= .05 admits.
SIGN_FLIP_RATES = {3: 0.0, 5: 0.0, 6: 2 / 64, 10: 50 / 1024, 20: 0.05, 50: 0.05}

# Counted over all results of all tasks; test_expected.py does it where there are few.
EXACT_REPEATS = {3: 0.0, 5: 0.0, 6: 0.0012, 10: 0.0135, 20: 0.0267, 50: 0.0354}

# (planned repeats of both arms, chance that a trial is lost)
UNEVEN = {
    "1 against 3": ((1, 3), 0.0),
    "2 against 3": ((2, 3), 0.0),
    "1 against 10": ((1, 10), 0.0),
    "10% lost": ((3, 3), 0.1),
    "30% lost": ((3, 3), 0.3),
}
EFFECTS = {
    "task effects ±.25": Rates(0.5, effect=0.25),
    "20% of cells flip 0↔1": Rates(None, flipped=0.2),
}

RANK_RATES = {
    (3, 3): 0.0,
    (4, 4): 2 / 70,
    (5, 5): 8 / 252,
    (3, 10): 14 / 286,
    (10, 10): 0.0433,
    (10, 30): 0.0498,
}
TIED = {
    "5 levels": noise.five_levels,
    "half at a cap": noise.half_at_cap,
    "30% null": noise.some_null,
    "bimodal": noise.bimodal,
    "5% outliers ×10": noise.outliers,
}
SIZES = (*RANK_RATES, (30, 30), (100, 100))

# Values that stay as they are while the groups are drawn, so the exact rate can be enumerated.
FIXED = {
    "1 1 2 2 2 3 3 3 3": ((1, 1, 2, 2, 2, 3, 3, 3, 3), 3),
    "1 2 2 2 3 3 3 4 4 4": ((1, 2, 2, 2, 3, 3, 3, 4, 4, 4), 3),
    "1 to 6, 6 at the cap": ((1, 2, 3, 4, 5, 6, *[noise.CAP] * 6), 6),
}


def two_draws(made: Noise, tasks: int, random: np.random.Generator, sets: int) -> Array:
    """Return differences of two draws from one distribution, shape (data sets, tasks)."""
    return made(random, (sets, tasks)) - made(random, (sets, tasks))


def one_group(made: Noise, rows: int, random: np.random.Generator, sets: int) -> Array:
    """Return rows from one distribution, shape (data sets, rows)."""
    return made(random, (sets, rows))


def two_rates(rate: float, sizes: tuple[int, int], random: np.random.Generator, sets: int) -> Array:
    """Return passes of two groups of one rate, shape (data sets, 2)."""
    return random.binomial(sizes, rate, (sets, 2))


def shuffled(values: Sequence[int], random: np.random.Generator, sets: int) -> Array:
    """Return the same values in random order, shape (data sets, rows)."""
    return random.permuted(np.tile(np.array(values, dtype=np.float64), (sets, 1)), axis=1)


def every_choice(values: Sequence[int], n: int) -> tuple[float, float]:
    """Return how often a test at .05 speaks, over all choices of n of the values."""
    ranks = rankdata(values)
    sums = np.array([ranks[[*chosen]].sum() for chosen in combinations(range(len(values)), n)])
    lower, upper = (
        ((sums <= each).mean() for each in sums),
        ((sums >= each).mean() for each in sums),
    )
    return float(np.mean([2 * min(tails) <= 0.05 for tails in zip(lower, upper, strict=True)])), 0.0


def by_sign_flip(differences: Array) -> Array:
    """Judge differences by the sign-flip test."""
    return shown(batches.sign_flip(differences))


def by_even_repeats(arms: Arms) -> Array:
    """Judge two arms by the sign-flip test of their even repeats."""
    return shown(batches.sign_flip(batches.moves(arms).even))


def by_ranks(n: int, values: Array) -> Array:
    """Judge the first n values against the rest by the Mann-Whitney test."""
    return shown(batches.mann_whitney(values, n))


def by_fisher(sizes: tuple[int, int], passes: Array) -> Array:
    """Judge passes of two groups by Fisher's test."""
    return shown(batches.fisher(passes, sizes))


def by_task_means(arms: Arms) -> Array:
    """Judge two arms that ran different tasks by the Mann-Whitney test of their task means."""
    return shown(batches.mann_whitney(arms.codes.reshape(len(arms.codes), -1), arms.codes.shape[2]))


def scenarios() -> Iterator[Scenario]:
    """Give every scenario of a single test."""
    for name, made in DIFFERENCES.items():
        for n, rate in SIGN_FLIP_RATES.items():
            draw = partial(two_draws, made, n)
            yield Scenario(SIGN_FLIP, name, f"n = {n}", draw, by_sign_flip, expected=rate)
    yield from _repeats()
    for name, made in {"without ties": noise.untied, **TIED}.items():
        for n, m in SIZES if made is not noise.untied else RANK_RATES:
            yield Scenario(
                *(RANKS, name, f"{n} against {m}"),
                partial(one_group, made, n + m),
                partial(by_ranks, n),
                expected=RANK_RATES[n, m] if made is noise.untied else None,
            )
    for name, (values, n) in FIXED.items():
        yield Scenario(
            *(RANKS, f"the values {name}", f"{n} against {len(values) - n}"),
            partial(shuffled, values),
            partial(by_ranks, n),
            oracle=partial(every_choice, values, n),
        )
    for rate in (0.8, 0.95):
        for sizes in ((10, 10), (30, 30), (95, 94)):
            setting = f"{sizes[0]} against {sizes[1]}"
            draw = partial(two_rates, rate, sizes)
            yield Scenario(COUNTS, f"rate {rate:g}", setting, draw, partial(by_fisher, sizes))


def _repeats() -> Iterator[Scenario]:
    for name, rates in RATES.items():
        for tasks in (3, 5, 6, 10, 20, 50):
            for repeats in (1, 2, 3):
                exact = EXACT_REPEATS[tasks] if (name, repeats) == (".8", 3) else None
                plan = Plan(rates, tasks, (repeats, repeats))
                yield _planned(REPEATS, f"rate {name}", plan, expected=exact)
    for name, (each, lost) in UNEVEN.items():
        for tasks in (6, 10, 20, 50):
            yield _planned(REPEATS, name, Plan(Rates(None), tasks, each, lost))
            yield _planned(REPEATS, f"{name}, rate .8", Plan(Rates(0.8), tasks, each, lost))
    for name, rates in EFFECTS.items():
        for tasks in (10, 20, 50):
            for repeats in (3, 10):
                yield _planned(REPEATS, name, Plan(rates, tasks, (repeats, repeats)))
    for tasks in (6, 10, 20):
        plan = Plan(Rates(None), tasks, (3, 3))
        yield Scenario(
            OTHER_TASKS, MIXED, f"T = {tasks}, R = 3", partial(other_tasks, plan), by_task_means
        )


def other_tasks(plan: Plan, random: np.random.Generator, sets: int) -> Arms:
    """Return two arms of which each ran tasks of its own."""
    first, second = (plan.draw(random, sets) for _ in range(2))
    return Arms(np.stack([first.codes[:, 0], second.codes[:, 0]], axis=1), first.cell)


def _planned(section: str, what: str, plan: Plan, expected: float | None = None) -> Scenario:
    repeats = f", R = {plan.repeats[0]}" if len({*plan.repeats}) == 1 else ""
    setting = f"T = {plan.tasks}{repeats}"
    return Scenario(section, what, setting, plan.draw, by_even_repeats, expected=expected)
