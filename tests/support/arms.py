"""Arms and claims made in memory: endpoint `vendor`, so that they may have a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchdata import verdicts
from benchdata.comparisons.arms import Arm, Plan, Run
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding, compare
from benchdata.contracts.meaning import Metric
from benchdata.verdicts import Verdict

PASSED = Metric("passed", "passed", "", "higher", bounds=(0, 1))
QUALITY = Metric("quality", "quality", "", "higher", bounds=(0, 3))
LATENCY = Metric("latency", "ms", "ms", null_ranks="worst", failure_ranks="worst")

PASS = Claim(PASSED, "pass", "sampled", 0.05)
SCORE = Claim(Metric("score", "score", "", "higher", bounds=(0, 1)), "score", "sampled", 0.05)
TIME = Claim(LATENCY, "amount", "sampled", 0.05)
FIXED_PASS, FIXED_SCORE, FIXED_TIME = (replace(c, tasks="fixed") for c in (PASS, SCORE, TIME))

Values = Mapping[str, Sequence[Any]] | Sequence[Any]


def arm(label: str, values: Values, *, planned: bool = False, **parts: Any) -> Arm:
    """Return an arm of these values by task and repeat; a plain list is one run a task.

    `planned` says that these are all the cells of the plan; `parts` replace what the arm has.
    """
    by_task = (
        values if isinstance(values, Mapping) else {f"t{i:03}": [v] for i, v in enumerate(values)}
    )
    runs = [
        Run(task, repeat, value)
        for task, cell in by_task.items()
        for repeat, value in enumerate(cell, 1)
    ]
    plan = Plan(len(by_task), max(map(len, by_task.values()))) if planned else Plan()
    return replace(Arm(label, runs, plan), **parts)


def one_task(label: str, values: Sequence[Any], **parts: Any) -> Arm:
    """Return an arm of runs of one task."""
    return arm(label, {"t": values}, **parts)


def found(baseline: Arm, treatment: Arm, claim: Claim) -> tuple[Finding, Verdict]:
    """Return the only comparison of a table, and its verdict."""
    (pair,) = verdicts.decided([compare(baseline, treatment, claim)])
    return pair
