"""Leaderboards as data: a JSON object a board, one CSV line an arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from benchdata.leaderboards.boards import Board, Entry, Lift
from benchdata.reports.comparison import compared
from benchdata.reports.comparison_data import line_data
from benchdata.reports.data import csv_text, interval_data, number_data
from benchdata.reports.leaderboard_tables import first_lines, verdict
from benchdata.stats.results import CannotTell, Interval, ends, known


def board_data(board: Board) -> dict[str, Any]:
    """Return the object form of a board."""
    return {
        "context": board.context,
        "fields": dict(board.fields),
        "metric": board.claim.metric.name,
        "minEffect": board.claim.min_effect,
        "baseline": board.baseline and board.baseline.label,
        "liftRefused": board.refused,
        "firstLines": first_lines(board),
        "entries": [_entry(board, entry) for entry in board.entries],
        "preferences": [
            asdict(each) | {"p": each.test and each.test.p} for each in board.preferences
        ],
        "tasks": [
            {"task": row.task, "cells": [cell and asdict(cell) for cell in row.cells]}
            for row in board.tasks
        ],
    }


def _entry(board: Board, entry: Entry) -> dict[str, Any]:
    summary, account = entry.summary, entry.account
    return {
        "arm": entry.label,
        "bestRank": entry.ranks.best,
        "worstRank": entry.ranks.worst,
        "statistic": summary.statistic,
        "mean": number_data(summary.estimate),
        "interval": interval_data(summary.interval),
        "descriptiveInterval": interval_data(summary.descriptive),
        "n": summary.n,
        "tasks": len(account.tasks),
        "runs": summary.runs,
        "scored": summary.scored,
        "succeeded": summary.succeeded,
        "excluded": entry.excluded,
        "endings": [asdict(ending) for ending in account.endings],
        "skillRead": account.skill_read and list(account.skill_read),
        "otherMetrics": {name: asdict(account.means[name]) for name in sorted(account.means)},
        "lift": _lift(board, entry.lift) if entry.lift else None,
        "liftRefused": entry.refused,
    }


def _lift(board: Board, lift: Lift) -> dict[str, Any]:
    return line_data(compared(board.context, lift.finding))


def as_csv(boards: Sequence[Board]) -> str:
    """Return the boards as CSV: one line an arm, the best mean of each board first."""
    lines = [_line(board, entry) for board in boards for entry in board.entries]
    names = list(dict.fromkeys(name for line in lines for name in line))
    return csv_text(names, ([line.get(name) for name in names] for line in lines))


def _line(board: Board, entry: Entry) -> dict[str, Any]:
    summary, lift = entry.summary, entry.lift
    found = lift.finding if lift else None
    return {
        "context": board.context,
        "arm": entry.label,
        "best_rank": entry.ranks.best,
        "worst_rank": entry.ranks.worst,
        "metric": board.claim.metric.name,
        "mean": known(summary.estimate),
        **_ends("", summary.interval),
        **_ends("bootstrap_", summary.descriptive),
        "lift": known(found.result.estimate) if found else None,
        **_ends("lift_", found.result.interval if found else None),
        "p": float(found.p) if found else None,
        "adjusted_p": _p(found.placed.adjusted_p) if found else None,
        "verdict": verdict(board, entry),
        "tasks": len(entry.account.tasks),
        "runs": summary.runs,
        "not_scored": entry.excluded,
        **{
            f"mean_{metric.name}": mean.value
            for metric in board.contract.metrics
            if (mean := entry.account.means.get(metric.name)) and metric != board.claim.metric
        },
    }


def _p(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _ends(prefix: str, found: Interval | CannotTell | None) -> dict[str, float | None]:
    low, high = ends(found)
    return {f"{prefix}low": low, f"{prefix}high": high}
