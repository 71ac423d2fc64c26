"""The table of paired tasks of a leaderboard: both means, their difference, how often each ran."""

from __future__ import annotations

from collections.abc import Iterator

from benchdata.comparisons import details
from benchdata.leaderboards.boards import Board, Entry
from benchdata.numbers import MISSING, display
from benchdata.reports.leaderboard_tables import about
from benchdata.reports.tables import Table

HEAD = ("Arm", "Task", "Baseline", "With it", "Difference", "Scored repeats")


def paired(board: Board) -> Table:
    """Return a line for each task that an arm and the baseline both scored."""
    rows = [row for entry in board.lifts for row in _rows(entry)]
    return Table(
        about("Paired tasks", board),
        HEAD,
        tuple(rows) or ((MISSING,) * len(HEAD),),
        ("left", "left", "right", "right", "right", "right"),
    )


def _rows(entry: Entry) -> Iterator[tuple[str, ...]]:
    if entry.lift is None:
        return
    for pair in details.task_pairs(entry.lift.finding):
        before, after = pair.repeats
        yield (
            entry.label,
            pair.task,
            display(pair.baseline),
            display(pair.treatment),
            MISSING if pair.effect is None else _signed(pair.effect),
            f"{before:,} and {after:,}",
        )


def _signed(value: float) -> str:
    """Return a difference with four decimals and its sign; what rounds to zero has none."""
    text = f"{value:+.4f}".replace("-", "\N{MINUS SIGN}")
    return text if float(f"{value:.4f}") else "0"
