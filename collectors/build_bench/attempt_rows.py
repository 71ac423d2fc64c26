"""The row of an attempt by an agent, and the trace beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchdata.contracts.build_run import StopCause
from benchdata.contracts.usage import ModelUsage
from benchdata.stats.pricing import known_cost
from collectors.build_bench.bench import TOOLS, Bench
from collectors.build_bench.evaluation import Evaluation
from collectors.build_bench.rows import Cell, extended, pins, probes
from collectors.build_bench.rubric import Rubric
from collectors.build_bench.tasks import task_digest
from collectors.build_bench.turns import Turn, Turns
from collectors.harness.attempt import Execution
from collectors.harness.gateway.exchanges import summed
from collectors.harness.schedule import Attempt

CAUSES: dict[str, StopCause] = {
    "completed": "agent_ended",
    "agent_error": "error",
    "timeout": "max_wall",
    "infrastructure": "infrastructure",
    "interrupted": "interrupted",
}
"""How an attempt stopped that is not green, by how the run of its agent ended."""


@dataclass(frozen=True, slots=True)
class Made:
    """What came of an attempt; without an execution the agent never ended, for our own fault.

    `lines` are the source lines of the scoring turn beyond those that the agent was given,
    `checked` is what the checks of its page said.
    """

    execution: Execution | None = None
    turns: Turns | None = None
    lines: int = 0
    rubric: Rubric | None = None
    checked: Evaluation | None = None

    @property
    def stop_cause(self) -> StopCause:
        """Why it stopped. Green wins over a cap that the same turn reaches."""
        if self.turns and self.turns.green:
            return "green"
        if self.turns and self.turns.cut:
            return "interrupted"
        if self.execution is None:
            return "infrastructure"
        if self.execution.stopped == "max_turns":
            return "max_turns"
        return CAUSES[self.execution.outcome]

    @property
    def done(self) -> list[Turn]:
        """The turns that were judged."""
        return self.turns.done if self.turns else []

    @property
    def best(self) -> Turn | None:
        """The scoring turn."""
        return self.turns.best if self.turns else None

    @property
    def count(self) -> int:
        """The number of turns."""
        return max(self.execution.turns if self.execution else 0, len(self.done))


def attempt_row(
    bench: Bench,
    cell: Cell,
    attempt: Attempt,
    made: Made,
    *,
    suite_id: str,
    seed: int,
    span: tuple[datetime, datetime],
) -> dict[str, Any]:
    """Return the row of an attempt, of contract build-run."""
    setting, execution, best, rubric = bench.setting, made.execution, made.best, made.rubric
    usage = execution.usage if execution else []
    green = made.turns and made.turns.green
    evaluated = [turn.evaluation for turn in made.done if turn.fresh]
    return {
        "run_id": attempt.run_id,
        "suite_id": suite_id,
        "kind": "scripted" if setting.driver.name == "scripted" else "agent",
        "variant": bench.variant,
        "task_digest": task_digest(cell.task, cell.lane, TOOLS),
        "retry_of": attempt.retry_of,
        **setting.pins(bench.agent_version, bench.model),
        "billing": setting.payer.billing,
        **pins(cell, bench.starters[cell.lane.id], span),
        "seed": seed,
        "max_turns": bench.max_turns,
        "max_wall_s": setting.timeout_s,
        **probes(best.evaluation if best else None),
        "turns": made.count,
        "best_turn": best.number if best and made.done else None,
        "turns_to_green": green.number if green else None,
        "turn_pass_rates": [turn.pass_rate for turn in made.done],
        "boot_ms": [boot for evaluation in evaluated for boot in evaluation.boot_ms],
        "suite_ms": [evaluation.suite_ms for evaluation in evaluated],
        "usage": [each.model_dump() for each in usage],
        "total_cost_usd": known_cost(setting.prices, usage),
        "wall_s": max(0.0, round(execution.agent_s, 3)) if execution else 0,
        "lines_of_code": made.lines,
        "rubric": rubric.rows if rubric else None,
        "rubric_judge": rubric.reader if rubric else None,
        "rubric_pass_rate": rubric.pass_rate if rubric else None,
        "extended": extended(cell.task, made.checked),
        "stop_cause": made.stop_cause,
    }


def trace(bench: Bench, cell: Cell, attempt: Attempt, made: Made) -> Iterator[dict[str, Any]]:
    """Yield the lines of a trace: a header, then one a turn with what it had cost by then."""
    yield {
        "kind": "trace-header",
        "run": attempt.run_id,
        "task": cell.task.id,
        "lane": cell.lane.id,
        "repeat": cell.repeat,
        "stop_cause": made.stop_cause,
    }
    green = made.turns and made.turns.green
    for turn in made.done:
        used = _used_until(made.execution, turn.number)
        yield {
            "kind": "turn",
            "turn": turn.number,
            **probes(turn.evaluation),
            "cost_usd": known_cost(bench.setting.prices, used),
            "first_green": turn is green,
        }


def lines(documents: Iterator[dict[str, Any]]) -> str:
    """Return documents as JSON Lines."""
    return "".join(f"{json.dumps(each)}\n" for each in documents)


def _used_until(execution: Execution | None, turn: int) -> list[ModelUsage]:
    """Return what was used before the first request of any later turn."""
    exchanges = execution.exchanges if execution else ()
    later = (i for i, each in enumerate(exchanges) if each.turn is not None and each.turn > turn)
    return summed(each.usage for each in exchanges[: next(later, len(exchanges))] if each.usage)
