"""Deterministic generator of synthetic `build-run` rows: the demo set and sets of any size.

Nothing here was measured. Lanes and tasks are declared in tables (`LANES`, `TASKS`); the code only
draws from them. A probe first passes at some turn of an attempt, and passes from then on.
"""

import argparse
import hashlib
import json
import math
import random
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from statistics import NormalDist
from typing import Any

SEED = 20260309
REPEATS = 12
FIRST_START_MS = 1_773_043_200_000  # 2026-03-09T08:00:00Z
SPACING_MS = 1_500_000
BATCH_GAP_MS = 7 * 24 * 3_600_000
MAX_TURNS, MAX_WALL_S, SUITE_TIMEOUT_S = 30, 900.0, 60.0
MODEL = "acme/builder-2.0-20260201"
HARNESS = "0.1.0"
PRICES = {  # invented USD a token
    "input_tokens": 5e-6,
    "output_tokens": 25e-6,
    "cache_creation_tokens": 6.25e-6,
    "cache_read_tokens": 0.5e-6,
}

Row = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """What is asked for: names of core and extra probes, and how hard they are to satisfy."""

    core: tuple[str, ...]
    extra: tuple[str, ...]
    hardness: float


@dataclass(frozen=True)
class Lane:
    """An invented framework at one version: how soon probes pass (`pace`), which one it `skips`."""

    name: str
    framework_version: str
    runtime_version: str
    pace: float
    skips: str = ""


TASKS = {
    "t1": Task(
        core=(
            *("create-item", "read-item", "list-items", "change-item", "delete-item"),
            *("bad-body", "unknown-id", "item-of-order", "after-restart", "typed-answers"),
        ),
        extra=("empty-change", "wrong-method", "two-at-once"),
        hardness=1.0,
    ),
    "t2": Task(
        core=(
            *("start-flow", "pay-flow", "cancel-flow", "repeat-event", "late-event"),
            *("queued-job", "daily-job", "state-after-restart"),
        ),
        extra=("unknown-event", "events-at-once"),
        hardness=1.8,
    ),
}
LANES = (
    Lane("aster", "1.4.0", "22.1.0", 0.42, skips="wrong-method"),
    Lane("birch", "5.2.1", "22.1.0", 0.34),
    Lane("cedar", "0.9.3", "2.4.0", 0.22),
)
NEWER = Lane("aster", "1.5.0", "22.1.0", 0.55, skips="wrong-method")
LOST = {("5.2.1", "t1", 4), ("0.9.3", "t2", 9)}
"""Attempts that the machine lost, by framework version, task and repeat; each has one retry."""
CRASHED = {("0.9.3", "t1", 7)}


def rows(
    repeats: int = REPEATS, seed: int = SEED, endpoint: str = "stand_in"
) -> Iterator[list[Row]]:
    """Yield the rows as two batches in order of start: all lanes, and a week later the newer one.

    A batch begins with a conformance row a lane and task, then has `repeats` attempts of each in
    random order. The same arguments give the same rows.
    """
    draw = random.Random(seed)
    clock = FIRST_START_MS
    for lanes in (LANES, (NEWER,)):
        batch: list[Row] = []
        suite_id = _uuid4(f"suite {seed} {clock}")
        for lane, task_id, repeat, position in _plan(draw, lanes, repeats):
            cell = (lane.framework_version, task_id, repeat)
            base = _base(suite_id, lane, task_id, clock)
            if repeat == 0:
                batch.append(_ended(base | _conformance(draw, lane, TASKS[task_id])))
                clock += SPACING_MS // 10
                continue
            base |= {"repeat": repeat, "planned_repeats": repeats, "position": position}
            base |= _agent(endpoint)
            if cell in LOST:
                lost = _ended(base | {"ended_at": clock + 3_000})
                batch.append(lost)
                clock += SPACING_MS // 10
                base |= {"started_at": clock, "retry_of": lost["run_id"]}
                base |= {"run_id": _uuid4(f"retry {lost['run_id']}")}
            base |= _attempt(draw, lane, TASKS[task_id], crashes=cell in CRASHED)
            batch.append(_ended(base))
            clock += int(SPACING_MS * (0.8 + 0.4 * draw.random()))
        yield batch
        clock += BATCH_GAP_MS


def _plan(
    draw: random.Random, lanes: Sequence[Lane], repeats: int
) -> Iterator[tuple[Lane, str, int, int]]:
    """Yield (lane, task, repeat, position) of a batch; repeat 0 is conformance."""
    for lane, task_id in product(lanes, TASKS):
        yield lane, task_id, 0, 0
    cells = list(product(range(1, repeats + 1), lanes, TASKS))
    keyed = sorted((draw.random(), index) for index in range(len(cells)))
    for position, (_, index) in enumerate(keyed):
        repeat, lane, task_id = cells[index]
        yield lane, task_id, repeat, position


def _base(suite_id: str, lane: Lane, task_id: str, start_ms: int) -> Row:
    """Return every field of a row, as it is when nothing ran."""
    pinned = f"{lane.name} {lane.framework_version}"
    return {
        "schema_version": 1,
        "run_id": _uuid4(f"run {suite_id} {start_ms}"),
        "suite_id": suite_id,
        "started_at": start_ms,
        "ended_at": start_ms,
        "kind": "conformance",
        "task_id": task_id,
        "lane": lane.name,
        "variant": "plain",
        "task_digest": _digest(f"task {task_id} {pinned}"),
        "suite_digest": _digest(f"suite {task_id}"),
        "rubric_digest": None,
        "repeat": 1,
        "planned_repeats": 1,
        "position": 0,
        "retry_of": None,
        "agent": None,
        "agent_version": None,
        "model": None,
        "endpoint": None,
        "billing": None,
        "framework_version": lane.framework_version,
        "runtime_version": lane.runtime_version,
        "lockfile_digest": _digest(f"lock {pinned}"),
        "sandbox": "bubblewrap",
        "harness_version": HARNESS,
        "seed": SEED,
        "max_turns": MAX_TURNS,
        "max_wall_s": MAX_WALL_S,
        "suite_timeout_s": SUITE_TIMEOUT_S,
        "probes": [],
        "test_pass_rate": None,
        "turns": 0,
        "best_turn": None,
        "turns_to_green": None,
        "turn_pass_rates": [],
        "boot_ms": [],
        "suite_ms": [],
        "usage": [],
        "total_cost_usd": None,
        "wall_s": 0.0,
        "lines_of_code": 0,
        "rubric": None,
        "rubric_judge": None,
        "rubric_pass_rate": None,
        "extended": None,
        "stop_cause": "infrastructure",
    }


def _agent(endpoint: str) -> Row:
    """Return the fields that tell an agent's row from a conformance row."""
    return {
        "kind": "agent",
        "agent": "builder",
        "agent_version": "3.2.0",
        "model": MODEL,
        "endpoint": endpoint,
        "billing": "none" if endpoint == "stand_in" else "api-key",
    }


def _conformance(draw: random.Random, lane: Lane, task: Task) -> Row:
    """Return what the lane's own reference scores: every probe passes."""
    probes = _probes(draw, lane, task, {}, 0)
    return {
        "probes": probes,
        "test_pass_rate": _rate(probes),
        "max_turns": 0,
        "max_wall_s": 0.0,
        "boot_ms": [_lognormal(draw, 900, 0.2)],
        "suite_ms": [sum(probe["duration_ms"] for probe in probes)],
        "total_cost_usd": 0.0,
        "stop_cause": "completed",
    }


def _attempt(draw: random.Random, lane: Lane, task: Task, *, crashes: bool) -> Row:
    """Return what is measured of one attempt of an agent."""
    names = [name for name in (*task.core, *task.extra) if name != lane.skips]
    pace: float = lane.pace / task.hardness * math.exp(0.35 * _normal(draw))
    firsts = {name: 2 + math.floor(_exponential(draw) / pace) for name in names}
    gives_up = 6 + math.floor(_exponential(draw) * 40)
    green = max(firsts.values())
    walls: list[float] = []
    turns, cause = 0, ""
    while not cause:
        turns += 1
        walls.append(_lognormal(draw, 24_000 * math.sqrt(task.hardness), 0.5) / 1000)
        if turns == green:
            cause = "green"
        elif crashes and turns == 4:
            cause = "error"
        elif sum(walls) >= MAX_WALL_S:
            cause = "max_wall"
        elif turns == MAX_TURNS:
            cause = "max_turns"
        elif turns == gives_up:
            cause = "agent_ended"
    rates = [sum(first <= turn for first in firsts.values()) for turn in range(1, turns + 1)]
    best = rates.index(max(rates)) + 1
    probes = _probes(draw, lane, task, firsts, best)
    usage = _usage(draw, turns)
    return {
        "probes": probes,
        "test_pass_rate": _rate(probes),
        "turns": turns,
        "best_turn": best,
        "turns_to_green": green if cause == "green" else None,
        "turn_pass_rates": [round(rate / len(names), 4) for rate in rates],
        "boot_ms": [_lognormal(draw, 1_100, 0.3) for _ in rates],
        "suite_ms": [_lognormal(draw, 2_500, 0.3) for _ in rates],
        "usage": [{"model": MODEL, **usage}],
        "total_cost_usd": round(sum(usage[name] * price for name, price in PRICES.items()), 6),
        "wall_s": round(min(sum(walls), MAX_WALL_S), 3),
        "lines_of_code": _lognormal(draw, 260 * task.hardness, 0.25),
        "stop_cause": cause,
    }


def _probes(
    draw: random.Random, lane: Lane, task: Task, firsts: dict[str, int], turn: int
) -> list[Row]:
    """Return the verdict of each probe at a turn; without `firsts` all pass."""
    return [
        {
            "id": name,
            "set": "core" if name in task.core else "extra",
            "verdict": "skip"
            if name == lane.skips
            else ("pass" if firsts.get(name, 0) <= turn else "fail"),
            "duration_ms": 0 if name == lane.skips else _lognormal(draw, 120, 0.6),
        }
        for name in (*task.core, *task.extra)
    ]


def _rate(probes: list[Row]) -> float:
    passed = sum(probe["verdict"] == "pass" for probe in probes)
    failed = sum(probe["verdict"] == "fail" for probe in probes)
    return float(passed / (passed + failed))


def _usage(draw: random.Random, turns: int) -> dict[str, int]:
    """Return tokens: what is read from the cache grows with every turn."""
    return {
        "input_tokens": sum(_lognormal(draw, 900, 0.5) for _ in range(turns)),
        "output_tokens": sum(_lognormal(draw, 800, 0.5) for _ in range(turns)),
        "cache_creation_tokens": sum(_lognormal(draw, 1_800, 0.4) for _ in range(turns)),
        "cache_read_tokens": sum(2_700 * turn + 11_000 for turn in range(turns)),
    }


def _ended(row: Row) -> Row:
    """Return a row with its times as text; the suites of each turn take time besides the agent."""
    spent = int(row["wall_s"] * 1000) + sum(row["boot_ms"]) + sum(row["suite_ms"])
    end = max(row["ended_at"], row["started_at"] + spent)
    return row | {"started_at": _timestamp(row["started_at"]), "ended_at": _timestamp(end)}


def _timestamp(ms: int) -> str:
    time = datetime.fromtimestamp(ms // 1000, UTC).replace(microsecond=ms % 1000 * 1000)
    return time.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _uuid4(text: str) -> str:
    return str(uuid.UUID(_digest(text)[:32], version=4))


# Only random() is drawn: its stream stays put from one Python release to the next.
def _normal(draw: random.Random) -> float:
    return NormalDist().inv_cdf(0.5 + (draw.random() - 0.5) * (1 - 1e-12))


def _exponential(draw: random.Random) -> float:
    return -math.log(1 - draw.random())


def _lognormal(draw: random.Random, median: float, sigma: float) -> int:
    value: float = median * math.exp(sigma * _normal(draw))
    return round(value)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the demo set, or one with another number of repeats, to a file."""
    parser = argparse.ArgumentParser(description="Write synthetic build-run rows (NDJSON).")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="default %(default)s")
    parser.add_argument("--seed", type=int, default=SEED, help="default %(default)s")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error("--repeats must be at least 1")
    if options.seed < 0:
        parser.error("--seed must be 0 or more")
    made = (row for batch in rows(options.repeats, options.seed) for row in batch)
    try:
        with options.out.open("w", encoding="ascii", newline="\n") as file:
            file.writelines(json.dumps(row, separators=(",", ":")) + "\n" for row in made)
    except OSError as error:
        parser.error(f"cannot write {options.out}: {error.strerror}")


if __name__ == "__main__":
    main()
