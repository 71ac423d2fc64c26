"""A contract and rows of what engines are apt to say each in its own way."""

from __future__ import annotations

import random
from typing import Annotated, Any

from benchdata.contracts import Contract
from benchdata.contracts.fields import SAFE_INTEGER, Count, Number, Row, Text, Timestamp
from benchdata.contracts.meaning import Design, Metric, Outcome, Throughput

Words = Annotated[str, Text("any text")]


class Used(Row):
    """What one part of a run used."""

    tokens: Count | None
    cost: Number | None


class Nasty(Row):
    """One run."""

    run: Words
    lot: Count
    setting: Words
    size: Number | None
    fresh: bool
    arm: Words
    kind: Words | None
    task: Words | None
    repeat: Count | None
    place: Number | None
    release: Words | None
    at: Timestamp | None
    until: Timestamp | None
    start_ms: Number | None
    end_ms: Number | None
    wall: Number | None
    used: list[Used] | None
    ok: bool
    half: bool
    lost: bool
    why: Words | None


NASTY = Contract(
    name="nasty-run",
    models={1: Nasty},
    identity=("run", "lot"),
    group=("setting", "size", "fresh"),
    shown=("setting", "size"),
    metrics=(
        Metric("wall", "wall", "ms"),
        Metric("gain", "wall", "ms", "higher"),
        Metric("tokens", "used", "it's", items=("tokens",)),
        Metric("cost", "used", "\\USD", "neither", items=("cost",)),
        Metric("both", "used", "", "higher", items=("cost", "tokens")),
        Metric("ok", "ok", "", "higher"),
    ),
    outcome=Outcome(success="ok", partial="half", unscored="lost", reason="why"),
    order="at",
    until="until",
    followed="release",
    throughput=Throughput("rate", "start_ms", "end_ms"),
    design=Design(("arm", "kind"), ("O'Neill", "none"), "task", "repeat", sequence="place"),
)
TEXTS = (
    *("a", "A", "Z", "z", "_", "-", "é", "e\u0301", "日本語", "😀", "\uffee", "O'Neill", "''"),
    *(
        'a"b',
        "back\\slash",
        "\\n",
        "a,b",
        "{x}",
        "%_",
        "a:b",
        "a\u2028b",
        "null",
        "not given",
        "10",
    ),
)
NUMBERS = (
    *(0.0, -0.0, -1.5, 1 / 3, 0.1, 0.2, 0.1 + 0.2, 7.0, 7.0, 1e300, -1e300, 1e-300, 5e-324),
    *(float(SAFE_INTEGER), 2.0**53, 1e15 + 0.3, -1e15),
)
TIMES = (
    *("0900-02-28T23:59:59.999Z", "1582-10-10T00:00:00.000Z", "1899-12-31T23:59:59.001Z"),
    *("1970-01-01T00:00:00.000Z", "2026-03-29T01:30:00.000Z", "2026-10-25T00:30:00.500Z"),
    "9999-12-31T23:59:59.999Z",
)


def nasty_rows(count: int = 240, seed: int = 3) -> list[dict[str, Any]]:
    """Return rows in a few groups, one of a row alone, with ties, nulls and values without one."""
    rng = random.Random(seed)
    rows = [_row(rng, number) for number in range(count)]
    rows += [row | {"run": f"again {number}"} for number, row in enumerate(rows[:7])]
    rows += [rows[0] | {"run": "alone", "setting": "alone"}]
    nothing = dict.fromkeys(("wall", "used", "why", "task", "at", "start_ms", "end_ms", "size"))
    return rows + [rows[1] | nothing | {"run": f"none {number}"} for number in range(3)]


def _row(rng: random.Random, number: int) -> dict[str, Any]:
    start = rng.choice([None, *NUMBERS[:9]])
    return {
        "run": f"{rng.choice(TEXTS)} {number}",
        "lot": rng.choice([0, SAFE_INTEGER - 1]),
        "setting": rng.choice(TEXTS[:16:4]),
        "size": rng.choice([None, 0.0, 1e-7]),
        "fresh": rng.random() < 0.5,
        "arm": rng.choice(["none", "O'Neill", 'a"b\\', "é"]),
        "kind": rng.choice([None, "x", "日本"]),
        "task": rng.choice([None, *TEXTS[7:11]]),
        "repeat": rng.choice([None, 1, 2, SAFE_INTEGER]),
        "place": rng.choice([None, *NUMBERS]),
        "release": rng.choice([None, "1.10", "1.9"]),
        "at": rng.choice([None, *TIMES]),
        "until": rng.choice([None, *TIMES]),
        "start_ms": start,
        "end_ms": None if start is None else start + rng.random() * 1e6,
        "wall": rng.choice([None, *NUMBERS]),
        "used": rng.choice([None, [], [_used(rng)], [_used(rng) for _ in range(9)]]),
        "ok": rng.random() < 0.6,
        "half": rng.random() < 0.2,
        "lost": rng.random() < 0.15,
        "why": rng.choice([None, *TEXTS]),
    }


def _used(rng: random.Random) -> dict[str, Any]:
    tokens = rng.choice([None, 0, 1, *[SAFE_INTEGER - rng.randrange(9)] * 9])
    return {"tokens": tokens, "cost": rng.choice([None, *NUMBERS[:9] * 4])}
