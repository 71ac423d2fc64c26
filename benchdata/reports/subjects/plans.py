"""What the plan of a board can find: the lift found 8 times in 10, by its number of tasks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import polars as pl

from benchdata import charts
from benchdata.comparisons import details
from benchdata.leaderboards.boards import Board, Entry
from benchdata.reports.leaderboard_tables import about
from benchdata.reports.report import Prose
from benchdata.reports.subjects import findings
from benchdata.stats import floors
from benchdata.stats.detectable import detectable_mean
from benchdata.stats.results import CannotTell
from benchdata.stats.samples import sample, variance

if TYPE_CHECKING:
    import altair as alt

SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100)
BEYOND = 2  # times the plan: so far the curve goes
SCHEMA = {"tasks": pl.Int64, "smallest_p": pl.Float64, "effect": pl.Float64}


def reach(board: Board) -> alt.TopLevelMixin | Prose:
    """Draw the smallest p and the lift in reach by number of tasks, for the family of the board.

    The spread between tasks is that of the lift that spreads most, an estimate from these rows.
    """
    title = about("Reach of the plan", board)
    spreads = [spread for entry in board.lifts if (spread := _spread(entry)) is not None]
    if not spreads or not max(spreads):
        return Prose(f"{title}: no spread between tasks was seen.")
    planned = _planned(board)
    return charts.reach(
        pl.DataFrame([*_rows(board, planned, max(spreads))], SCHEMA, orient="row"),
        planned,
        subject=f"{title}: lift found 8 times in 10",
        unit=findings.unit_of(board.claim, "difference"),
    )


def _rows(board: Board, planned: int, spread: float) -> Iterator[tuple[int, float, float | None]]:
    comparisons = len(board.lifts)
    most = max(BEYOND * planned, SIZES[0])
    for tasks in sorted({planned, *(size for size in SIZES if size <= most)}):
        found = detectable_mean(tasks, comparisons) if tasks > 1 else CannotTell("one task")
        effect = None if isinstance(found, CannotTell) else found * spread
        inside = effect is not None and effect <= board.claim.metric_range
        smallest = min(1.0, float(floors.sign_flip(tasks)) * comparisons)
        yield tasks, smallest, effect if inside else None


def _planned(board: Board) -> int:
    """Return the planned tasks, else those that were run."""
    plans: Sequence[int] = [
        entry.arm.plan.tasks for entry in board.entries if entry.arm.plan.tasks is not None
    ]
    return max(plans, default=len(board.tasks))


def _spread(entry: Entry) -> float | None:
    if entry.lift is None:
        return None
    effects = [pair.effect for pair in details.task_pairs(entry.lift.finding)]
    known = [effect for effect in effects if effect is not None]
    return math.sqrt(variance(sample(known))) if len(known) > 1 else None
