"""Build runs of several lanes under two models, with turns to green that are told in advance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.drawn import Row
from tests.support.planned import lanes

ONE = {"model": "acme/one-1.0-20260101", "agent": "claude"}
TWO = {"model": "acme/two-1.0-20260101", "agent": "codex"}
QUICK, MIDDLE, SLOW = range(4, 10), range(20, 26), range(40, 46)
TASKS = ("t1", "t2")


def under(
    model: Mapping[str, str], turns: Mapping[str, Sequence[int | None]], first: int, **fields: Any
) -> list[Row]:
    """Return a run of each lane in both tasks for each number; cost and time follow the turns."""
    rows = lanes({lane: dict.fromkeys(TASKS, green) for lane, green in turns.items()}, first)
    pins = {"max_turns": 80, "max_wall_s": 900.0, **model, **fields}
    return [
        row | {"total_cost_usd": row["turns"] / 40, "wall_s": 60.0 + row["turns"]} | pins
        for row in rows
    ]


def two_models(second: Mapping[str, Sequence[int | None]], **fields: Any) -> list[Row]:
    """Return lanes aster, birch and nestjs, quickest first under one model, and another's runs."""
    first = {"aster": QUICK, "birch": MIDDLE, "nestjs": SLOW}
    return [*under(ONE, first, 0, **fields), *under(TWO, second, 1000, **fields)]
