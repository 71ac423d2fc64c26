"""What exact tests and bootstrap intervals of many groups cost, against scipy on the same groups.

scipy works through a sample of the groups and its CPU time is scaled to all of them; its answers on
that sample must be ours. Both run in one process with one thread; the fastest of three rounds
counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
GROUPS = 1_000
TASKS = 50
DRAWS = 10_000
PAIRS = 12
ROWS = 10
LEAST_RATIO = 20
EVERY = 10**9  # more permutations than there are, so scipy looks at all

# As a share of the width: how far the ends of two sets of 10,000 draws lie apart, at most.
MONTE_CARLO = 0.06


def main() -> None:
    """Run the comparison in a process of its own, with one thread."""
    command = [sys.executable, "-m", "tests.bench.statistics"]
    subprocess.run(command, env=os.environ | ONE_THREAD, check=True)


def _compare() -> None:
    """Print our CPU seconds for all groups, scipy's scaled to them, the ratio, our peak memory."""
    import numpy as np

    from benchdata.stats import bootstrap, ranks, sign_flips
    from tests.bench.measure import peak

    random = np.random.default_rng(7)
    tasks = random.beta(2, 1, (GROUPS, TASKS))
    pairs = random.normal(0.3, 1, (GROUPS, PAIRS))
    rows = random.integers(0, 6, (GROUPS, 2, ROWS)).tolist()
    before = peak(os.getpid())
    # Another purpose is other draws, so that no round uses those of the round before.
    ours: dict[str, tuple[float, Any]] = {
        "percentile bootstrap": _fastest(lambda i: bootstrap.batch(tasks, purpose=f"round {i}")),
        "BCa bootstrap": _fastest(
            lambda i: bootstrap.batch(tasks, method="bca", purpose=f"BCa, round {i}")
        ),
        "exact sign-flip": _fastest(lambda _: sign_flips.sign_flips([*pairs])),
        "exact Mann-Whitney, ties": _fastest(lambda _: ranks.mann_whitneys(rows)),
    }
    memory = peak(os.getpid())

    theirs: dict[str, tuple[Callable[[int], Any], int]] = {
        "percentile bootstrap": (lambda group: _resampled(tasks[group], "percentile"), 40),
        "BCa bootstrap": (lambda group: _resampled(tasks[group], "BCa"), 40),
        "exact sign-flip": (lambda group: _flipped(pairs[group]), 40),
        "exact Mann-Whitney, ties": (lambda group: _permuted(rows[group]), 4),
    }
    print(
        f"{GROUPS:,} groups; {DRAWS:,} draws of {TASKS} tasks, {PAIRS} pairs, {ROWS} + {ROWS} rows"
    )
    print(f"{'case':26} {'s':>7} {'scipy s':>8} {'scipy ran':>10} {'ratio':>6}")
    for case, (single, sampled) in theirs.items():
        seconds, answers = ours[case]
        taken, found = _fastest(partial(_each, single, sampled))
        ratio = taken * GROUPS / sampled / seconds
        print(f"{case:26} {seconds:7.2f} {ratio * seconds:8.1f} {sampled:10} {ratio:6.0f}")
        if not all(map(_equal, answers, found)):
            raise SystemExit(f"{case}: scipy's answers are not ours")
        if "bootstrap" in case:
            held = "at least" if ratio >= LEAST_RATIO else "BELOW"
            print(f"  times faster than scipy: {held} {LEAST_RATIO}")
    print(f"peak {memory:.0f} MiB, {before:.0f} of them before the first case")


def _each(single: Callable[[int], Any], count: int, _: int) -> list[Any]:
    return [single(group) for group in range(count)]


def _resampled(values: Any, method: Any) -> Any:
    import numpy as np
    from scipy import stats

    found = stats.bootstrap((values,), np.mean, method=method, n_resamples=DRAWS, rng=7)
    return found.confidence_interval


def _flipped(differences: Any) -> Any:
    from scipy import stats

    def total(values: Any, axis: int) -> Any:
        return values.sum(axis=axis)

    return stats.permutation_test(
        (differences,), total, permutation_type="samples", vectorized=True, n_resamples=EVERY
    ).pvalue


def _permuted(groups: Any) -> Any:
    import numpy as np
    from scipy import stats

    def total(first: Any, _: Any, axis: int) -> Any:
        return first.sum(axis=axis)

    ranked = stats.rankdata(np.concatenate(groups))
    both = (ranked[:ROWS], ranked[ROWS:])
    return stats.permutation_test(both, total, vectorized=True, n_resamples=EVERY).pvalue


def _equal(ours: Any, theirs: Any) -> bool:
    """Return whether two p are the same, or two intervals but for the error of their draws."""
    if not hasattr(theirs, "high"):
        return abs(float(getattr(ours, "p", ours)) - float(theirs)) < 1e-12
    allowed = MONTE_CARLO * float(theirs.high - theirs.low)
    ends = (ours.low - theirs.low, ours.high - theirs.high)
    return all(abs(float(end)) <= allowed for end in ends)


def _fastest(work: Callable[[int], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of the fastest of three rounds, and the last answer."""
    seconds, found = [], None
    for number in range(3):
        before = time.process_time()
        found = work(number)
        seconds.append(time.process_time() - before)
    return min(seconds), found


if __name__ == "__main__":
    _compare()
