"""A contract that ships nowhere: lists of objects, nulls, fractions, two fields of identity."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from benchdata.contracts import Contract
from benchdata.contracts.fields import Count, Label, Number, Row, Timestamp
from benchdata.contracts.meaning import Metric, Outcome


class Part(Row):
    """One step of a run."""

    name: Label
    ms: Number | None


class Probe(Row):
    """One run."""

    series: Label
    seq: Count
    subject: Label
    lane: Literal["inner", "outer"]
    fresh: bool
    started_at: Timestamp | None
    wall_ms: Number | None
    score: Number
    parts: list[Part]
    passed: bool
    skipped: bool
    why: Label | None


PROBE = Contract(
    name="probe-run",
    models={1: Probe},
    identity=("series", "seq"),
    group=("subject", "lane", "fresh"),
    shown=("subject", "lane"),
    metrics=(
        Metric("wall", "wall_ms", "ms"),
        Metric("score", "score", "", "higher"),
    ),
    outcome=Outcome(success="passed", unscored="skipped", reason="why"),
    order="started_at",
)
TWIN = replace(PROBE, name="twin-run")
"""The same fields under another name: rows of one cannot be told from rows of the other."""


def probe_row(seq: int, **changes: Any) -> dict[str, Any]:
    """Return a valid row of `PROBE` that passed."""
    row = {
        "series": "one",
        "seq": seq,
        "subject": "lamp",
        "lane": "inner",
        "fresh": True,
        "started_at": f"2026-03-02T08:00:{seq % 60:02}.000Z",
        "wall_ms": 10.5 * seq,
        "score": 0.1 * seq,
        "parts": [{"name": "warm", "ms": 1.5}, {"name": "run", "ms": None}],
        "passed": True,
        "skipped": False,
        "why": None,
    }
    return row | changes
