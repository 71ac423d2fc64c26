"""Jev Social rows of one release after the other, of endpoint-free vendor runs."""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.armed import attempts
from tests.support.drawn import Row

FAST = [10000, 14000, 11000, 13000, 12000]
SLOW = [25000, 22000, 28000, 21000, 24000]


def release(letter: str, totals: Sequence[int], day: int, first: int = 0) -> list[Row]:
    """Return attempts of a release on one day; `letter` is its commit, `first` numbers its rows."""
    rows = attempts(
        day * 1000 + first, totals, jev_social_commit=letter * 40, jev_social_version="0.4.0"
    )
    return [_on(row, day) for row in rows]


def _on(row: Row, day: int) -> Row:
    times = {name: f"2026-03-{day:02d}{row[name][10:]}" for name in ("started_at", "ended_at")}
    return row | times
