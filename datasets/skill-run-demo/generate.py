"""Deterministic generator of synthetic `skill-run` rows: the demo set, or more repeats of it.

Nothing here was measured. What is compared is declared in tables (`BENCHMARKS`), and which cells
end otherwise than planned in `ENDINGS`; the code only draws from them.
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
from pathlib import Path
from statistics import NormalDist
from typing import Any

SEED = 20260316
FIRST_START_MS = 1_773_648_000_000  # 2026-03-16T08:00:00Z
PAUSE_MS = 4_000
TIMEOUT_MS = 600_000
WORKER, HELPER = "acme/worker-2.1-20260105", "acme/helper-1.0"
PRICES = {  # invented USD a token
    "input_tokens": 3e-6,
    "output_tokens": 15e-6,
    "cache_creation_tokens": 3.75e-6,
    "cache_read_tokens": 0.3e-6,
}

Row = dict[str, Any]
Cell = tuple[str, str, int]


@dataclass(frozen=True)
class Task:
    """A task: the share of it that comes out right without a skill, its fields, its usual time."""

    done: float
    fields: int = 0
    seconds: float = 45.0


@dataclass(frozen=True)
class Arm:
    """An arm: the share of what is left undone that its skill adds, its tokens, how often read."""

    name: str
    gain: float = 0.0
    cost: float = 1.0
    read: float = 0.0


@dataclass(frozen=True)
class Benchmark:
    """One invocation: every arm on every task, `repeats` times."""

    category: str
    stage: str
    mode: str
    grader: str
    arms: tuple[Arm, ...]
    tasks: dict[str, Task]
    repeats: int


BENCHMARKS = (
    Benchmark(
        category="invoice-extraction",
        stage="benchmark",
        mode="document",
        grader="json-fields",
        arms=(
            Arm("none"),
            Arm("acme/skills@invoice-reader", gain=0.6, cost=1.3, read=0.95),
            Arm("local:house-style", gain=0.05, cost=1.1, read=0.6),
        ),
        tasks={
            "invoice-plain": Task(0.97, fields=6, seconds=25),
            "invoice-two-pages": Task(0.93, fields=8),
            "invoice-scanned": Task(0.78, fields=6, seconds=70),
            "invoice-foreign": Task(0.88, fields=8),
            "credit-note": Task(0.85, fields=5, seconds=35),
            "receipt-crumpled": Task(0.66, fields=5, seconds=80),
            "invoice-discounts": Task(0.86, fields=7),
            "invoice-mixed-tax": Task(0.8, fields=8, seconds=60),
            "statement-total": Task(0.65),
            "due-date": Task(0.8, seconds=20),
        },
        repeats=3,
    ),
    Benchmark(
        category="web-pages",
        stage="heldout",
        mode="agent",
        grader="rubric",
        arms=(Arm("none"), Arm("acme/skills@page-maker", gain=0.5, cost=1.6, read=0.9)),
        tasks={
            "launch-page": Task(0.5, seconds=180),
            "price-table": Task(0.6, seconds=120),
            "event-poster": Task(0.45, seconds=150),
            "status-board": Task(0.55, seconds=200),
            "travel-diary": Task(0.5, seconds=160),
            "recipe-card": Task(0.65, seconds=110),
        },
        repeats=2,
    ),
)

MISSING = "missing"
ENDINGS: dict[Cell, str] = {
    ("none", "receipt-crumpled", 1): "timeout",
    ("none", "invoice-mixed-tax", 2): "timeout",
    ("local:house-style", "invoice-scanned", 3): "timeout",
    ("local:house-style", "credit-note", 1): "agent_error",
    ("acme/skills@invoice-reader", "invoice-foreign", 2): "rate_limited",
    ("none", "status-board", 1): "setup_failed",
    ("none", "invoice-discounts", 3): "grading_error",
    ("local:house-style", "due-date", 3): MISSING,
    ("acme/skills@page-maker", "status-board", 2): "timeout",
}
"""How single cells end: an outcome, the reason of a lost run that has one retry, or not at all."""

LOST = {"rate_limited", "setup_failed"}
FAILURE_REASONS = {
    "timeout": "agent_timeout",
    "agent_error": "agent_exit",
    "grading_error": "verifier_failed",
}
UNKNOWN_CACHE = ("local:house-style", "invoice-plain", 1)
"""A cell whose agent told nothing of its cache: its tokens and cost are unknown."""


def rows(seed: int = SEED, endpoint: str = "stand_in", times: int = 1) -> Iterator[Row]:
    """Yield the rows of all benchmarks in order of start, `times` their declared repeats."""
    draw = random.Random(seed)
    clock = FIRST_START_MS
    for benchmark in BENCHMARKS:
        repeats = benchmark.repeats * times
        invocation = _uuid4(f"benchmark {benchmark.category} {seed}")
        for position, (arm, task_id, repeat) in enumerate(_plan(draw, benchmark, repeats)):
            cell = (arm.name, task_id, repeat)
            ending = ENDINGS.get(cell, "completed")
            if ending == MISSING:
                continue
            planned = _planned(benchmark, arm, task_id) | {
                "benchmark_id": invocation,
                "run_id": _uuid4(f"run {seed} {cell}"),
                "repeat": repeat,
                "planned_repeats": repeats,
                "position": position,
                "endpoint": endpoint,
            }
            if ending in LOST:
                yield _at(planned | _lost(ending), clock, {"agent": 0, "grading": 0}, 2_900)
                clock += 2_900 + PAUSE_MS
                planned |= {"retry_of": planned["run_id"], "run_id": _uuid4(f"retry {seed} {cell}")}
                ending = "completed"
            task = benchmark.tasks[task_id]
            run, timing = _executed(draw, benchmark.grader, task, arm, ending)
            if cell == UNKNOWN_CACHE:
                run["usage"][0] |= {"cache_creation_tokens": None, "cache_read_tokens": None}
                run["total_cost_usd"] = None
            total = sum(timing.values()) + 600 + int(900 * draw.random())
            yield _at(planned | run, clock, timing, total)
            clock += total + PAUSE_MS + int(2_000 * draw.random())


def _plan(
    draw: random.Random, benchmark: Benchmark, repeats: int
) -> Iterator[tuple[Arm, str, int]]:
    """Yield every cell in a random order in which repeats follow one another."""
    for repeat in range(1, repeats + 1):
        cells = [(arm, task) for arm in benchmark.arms for task in benchmark.tasks]
        keyed = sorted((draw.random(), index) for index in range(len(cells)))
        yield from ((*cells[index], repeat) for _, index in keyed)


def _planned(benchmark: Benchmark, arm: Arm, task_id: str) -> Row:
    """Return every field of a row, in order, as it is before anything ran."""
    compared = f"{benchmark.category} {benchmark.stage}"
    return {
        "schema_version": 1,
        "run_id": "",
        "benchmark_id": "",
        "spec_digest": _sha256(f"spec {compared}"),
        "harness_version": "0.1.0",
        "stage": benchmark.stage,
        "started_at": "",
        "ended_at": "",
        "category": benchmark.category,
        "arm": arm.name,
        "skill_digest": None if arm.name == "none" else _sha256(f"skill {arm.name}"),
        "task_id": task_id,
        "task_digest": _sha256(f"task {task_id}"),
        "repeat": 0,
        "planned_tasks": len(benchmark.tasks),
        "planned_repeats": 0,
        "position": 0,
        "agent": "scripted",
        "agent_version": "0.1.0",
        "model": WORKER,
        "endpoint": "",
        "billing": "none",
        "mode": benchmark.mode,
        "sandbox": "bubblewrap",
        "timeout_ms": TIMEOUT_MS,
        "grader": _grader(benchmark, task_id),
        "grader_model": None,
        "outcome": "",
        "failure_reason": None,
        "passed": None,
        "score": None,
        "fields_correct": None,
        "fields_total": None,
        "usage": [],
        "turns": None,
        "total_cost_usd": None,
        "timing_ms": {},
        "skill_installed": None,
        "skill_listed": None,
        "skill_read": None,
        "other_skills": None,
        "retry_of": None,
    }


def _grader(benchmark: Benchmark, task_id: str) -> str:
    """Return how a task is graded: one without fields to compare has one exact answer."""
    exact = benchmark.grader == "json-fields" and not benchmark.tasks[task_id].fields
    return "exact" if exact else benchmark.grader


def _lost(reason: str) -> Row:
    """Return how a run ends that never gave the agent its task."""
    return {"outcome": "infrastructure", "failure_reason": reason}


def _executed(
    draw: random.Random, grader: str, task: Task, arm: Arm, outcome: str
) -> tuple[Row, dict[str, int]]:
    """Return what a run brought, and how long agent and grading took."""
    cut = {"timeout": 0.5, "agent_error": 0.3}.get(outcome, 1.0)
    done = (task.done + (1 - task.done) * arm.gain) * cut
    seconds = _lognormal(draw, task.seconds * (0.6 + 0.4 * arm.cost), 0.3)
    agent = TIMEOUT_MS if outcome == "timeout" else int(1_000 * seconds * cut)
    usage = _usage(draw, arm, seconds)
    skill = arm.name != "none"
    graded = {} if outcome == "grading_error" else _graded(draw, grader, task.fields, done)
    return {
        "outcome": outcome,
        "failure_reason": FAILURE_REASONS.get(outcome),
        **graded,
        "usage": usage,
        "turns": 1 + int(_lognormal(draw, 4.0, 0.4)),
        "total_cost_usd": _cost(usage),
        "skill_installed": skill,
        "skill_listed": skill,
        "skill_read": draw.random() < arm.read,
        "other_skills": 0,
    }, {"agent": agent, "grading": 0 if grader == "rubric" else 80 + int(300 * draw.random())}


def _graded(draw: random.Random, grader: str, fields: int, done: float) -> Row:
    """Return what the grader says; a rubric's verdict stands in a judgment."""
    if grader == "rubric":
        return {}
    if not fields:
        passed = draw.random() < done
        return {"passed": passed, "score": float(passed)}
    correct = sum(draw.random() < done for _ in range(fields))
    return {
        "passed": correct == fields,
        "score": round(correct / fields, 6),
        "fields_correct": correct,
        "fields_total": fields,
    }


def _usage(draw: random.Random, arm: Arm, seconds: float) -> list[Row]:
    """Return the tokens of the working model and, now and then, of a helping one."""
    tokens = {
        "input_tokens": int(_lognormal(draw, 900.0, 0.4)),
        "output_tokens": int(_lognormal(draw, 18.0 * seconds, 0.25)),
        "cache_creation_tokens": int(_lognormal(draw, 4_000.0 * arm.cost, 0.3)),
        "cache_read_tokens": int(_lognormal(draw, 15_000.0 * arm.cost, 0.5)),
    }
    used: list[Row] = [{"model": WORKER, **tokens}]
    if draw.random() < 0.25:
        few = {"input_tokens": int(_lognormal(draw, 200.0, 0.4)), "output_tokens": 20}
        used.append({"model": HELPER, **dict.fromkeys(PRICES, 0), **few})
    return used


def _cost(usage: Sequence[Row]) -> float:
    """Return the notional price of what was used, in USD."""
    total: float = sum(used[name] * price for used in usage for name, price in PRICES.items())
    return round(total, 6)


def _at(row: Row, start_ms: int, timing: dict[str, int], total: int) -> Row:
    """Return a row with its times; the wall clock agrees with the monotonic one."""
    return row | {
        "started_at": _instant(start_ms),
        "ended_at": _instant(start_ms + total),
        "timing_ms": {**timing, "total": total},
    }


def _instant(ms: int) -> str:
    time = datetime.fromtimestamp(ms / 1_000, UTC).replace(tzinfo=None)
    return time.isoformat(timespec="milliseconds") + "Z"


def _lognormal(draw: random.Random, median: float, sigma: float) -> float:
    # only random() is drawn: its stream stays put from one Python to the next
    return median * math.exp(sigma * NormalDist().inv_cdf(min(max(draw.random(), 1e-9), 1 - 1e-9)))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _uuid4(text: str) -> str:
    return str(uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the demo set or, with `--times`, one of more repeats to a file."""
    parser = argparse.ArgumentParser(description="Write synthetic skill-run rows (NDJSON).")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--seed", type=int, default=SEED, help="default %(default)s")
    parser.add_argument("--times", type=int, default=1, help="multiplies the repeats (default 1)")
    options = parser.parse_args(arguments)
    if options.times < 1:
        parser.error("--times must be at least 1")
    lines = (
        json.dumps(row, separators=(",", ":")) for row in rows(options.seed, times=options.times)
    )
    try:
        options.out.write_bytes("".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        parser.error(f"cannot write {options.out}: {error.strerror}")


if __name__ == "__main__":
    main()
