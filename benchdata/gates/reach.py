"""What a ready group can show, and what it cannot: READY allows publication, not comparison."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from benchdata.errors import counted
from benchdata.numbers import p_text
from benchdata.stats import floors
from benchdata.stats.intervals import wilson
from benchdata.stats.percentiles import is_maximum
from benchdata.stats.rationals import SIGNIFICANT
from benchdata.stats.results import CannotTell
from benchdata.stats.tables import fisher

MOST_COMPARISONS = 6
"""Up to how many comparisons the tasks that they take are listed."""


def of_rows(n: int, failed: int) -> Iterator[str]:
    """Yield what `n` scored rows of one group, `failed` of which failed, can show."""
    found = wilson(failed, n)
    if isinstance(found, CannotTell) or found.high is None:
        return
    said = [f"{counted(failed, 'failure')} of {n:,} still allows {100 * found.high:.0f}%"]
    if is_maximum(n, 95):
        said.append(f"p95 of {n:,} is the maximum")
    said += _against_none(n)
    yield f"READY allows publication, not comparison: {'; '.join(said)}"


def _against_none(n: int) -> Iterator[str]:
    """Yield the most failures of n that Fisher's test cannot tell from none of n."""
    hidden, shown = 0, Fraction(1)
    for failures in range(1, n + 1):
        p = _fisher(0, n, failures, n)
        if p <= SIGNIFICANT:
            break
        hidden, shown = failures, p
    if hidden:
        yield f"0 against {counted(hidden, 'failure')} is p {p_text(shown)}"


def of_tasks(tasks: int, comparisons: int) -> Iterator[str]:
    """Yield what a paired test over `tasks` tasks can show of that many arms and a baseline."""
    if comparisons < 1:
        yield "one arm alone: a score, and no lift"
        return
    floor = floors.sign_flip(tasks)
    afford = int(SIGNIFICANT / floor)
    words = f"{counted(tasks, 'task')} reach p {p_text(floor)} only when all of them move one way"
    if afford < MOST_COMPARISONS:
        words += f", and never for {counted(afford + 1, 'comparison')} or more"
        words += f" ({', '.join(_needed(afford + 1))})"
    yield f"READY allows publication, not a verdict: {words}"
    if comparisons > afford:
        yield f"{counted(comparisons, 'comparison')} here: every one is `cannot tell`"


def _needed(first: int) -> Iterator[str]:
    """Yield `7 tasks for 2 to 3` and so on, from `first` comparisons up to the most."""
    counts = range(first, MOST_COMPARISONS + 1)
    for tasks, group in groupby(counts, lambda count: floors.suffices(floors.sign_flip, count)):
        members = list(group)
        ends = f"{members[0]} to {members[-1]}" if len(members) > 1 else f"{members[0]}"
        yield f"{tasks} tasks for {ends}"


def _fisher(a: int, n: int, b: int, m: int) -> Fraction:
    found = fisher(a, n, b, m)
    return Fraction(1) if isinstance(found, CannotTell) else found.exact_p
