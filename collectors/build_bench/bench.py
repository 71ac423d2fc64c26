"""A batch of attempts with everything bound: lanes, tasks, agent, caps, and who pays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchdata.contracts.usage import ModelUsage
from collectors.build_bench import reading
from collectors.build_bench.evaluation import SUITE_S
from collectors.build_bench.lanes import Lane
from collectors.build_bench.prompts import Variant
from collectors.build_bench.rows import Cell
from collectors.build_bench.starters import Starter
from collectors.build_bench.tasks import Task, rubric_digest, suite_digest, task_digest
from collectors.harness import plan, schedule
from collectors.harness.attempt import Setting
from collectors.harness.cluster import Cluster
from collectors.harness.plan import Estimate, Plan
from collectors.harness.stage_file import Experiment

TOOLS = ("agent",)
"""The harness's name for the tools that an agent has."""
A_TURN = {
    "input_tokens": 500,
    "output_tokens": 1_500,
    "cache_creation_tokens": 2_500,
    "cache_read_tokens": 60_000,
}
"""Tokens of one turn of a long attempt. A guess: nothing is known yet."""


@dataclass(frozen=True)
class Bench:
    """What a plan is about; two that are equal give rows that compare.

    `setting` has the caps and no lane; `notes` are what the plan says besides. `executor` is the
    address of the cluster where it runs, None for this machine.
    """

    lanes: tuple[Lane, ...]
    starters: Mapping[str, Starter]
    tasks: tuple[Task, ...]
    variant: Variant
    repeats: int
    concurrency: int
    model: str
    judge_model: str | None
    agent_version: str
    setting: Setting
    max_turns: int
    notes: tuple[str, ...] = ()
    executor: str | None = None

    def cell(self, cell: schedule.Cell) -> Cell:
        """Return a cell of the schedule with its lane and task."""
        lane = next(lane for lane in self.lanes if lane.id == cell.arm)
        task = next(task for task in self.tasks if task.id == cell.task)
        return Cell(lane, task, cell.repeat, self.repeats, cell.position)

    @property
    def experiment(self) -> Experiment:
        """What is compared and how often."""
        lanes = tuple(lane.id for lane in self.lanes)
        return Experiment(lanes, tuple(task.id for task in self.tasks), self.repeats, self.spec)

    @cached_property
    def spec(self) -> dict[str, Any]:
        """All that makes two results comparable, in JSON."""
        return {
            "lanes": {lane.id: self._pins(lane) for lane in self.lanes},
            "tasks": {
                task.id: {
                    "suite": suite_digest(task.suite),
                    "rubric": rubric_digest(task),
                    "told": {lane.id: task_digest(task, lane, TOOLS) for lane in self.lanes},
                }
                for task in self.tasks
            },
            "variant": self.variant,
            "max_turns": self.max_turns,
            "max_wall_s": self.setting.timeout_s,
            "suite_timeout_s": SUITE_S,
            "judge": self.judge_model
            and {"model": self.judge_model, "prompt": reading.prompt_digest()},
            **self.setting.pins(self.agent_version, self.model),
            "billing": self.setting.payer.billing,
        }

    def _pins(self, lane: Lane) -> dict[str, str]:
        starter = self.starters[lane.id]
        return {
            "framework_version": starter.framework_version,
            "runtime_version": starter.runtime_version,
            "lockfile_digest": starter.lockfile_digest,
        }

    @property
    def cluster(self) -> Cluster | None:
        """Where attempts are made, if not on this machine."""
        if self.executor is None:
            return None
        starters = self.starters.values()
        seen = {path for each in starters for path in (*each.path, *each.readable)}
        return Cluster(self.executor, self.setting, self.agent_version, tuple(sorted(seen)))

    def shown(self, due: int) -> list[str]:
        """Say the plan for a reader, with its notes; `due` attempts are still to be made."""
        cluster = (self.cluster.sentence,) if self.cluster else ()
        return [*self.plan().lines(due), *cluster, *self.notes]

    def plan(self) -> Plan:
        """Return the plan to show before anything runs."""
        return plan.of(
            self.setting,
            arms=len(self.lanes),
            tasks=len(self.tasks),
            repeats=self.repeats,
            concurrency=self.concurrency,
            agent_version=self.agent_version,
            model=self.model,
            estimate=self._worst(),
        )

    def _worst(self) -> Estimate | None:
        """Return what an attempt costs that uses all its turns; None without a price."""
        turn = ModelUsage(model=self.model, **A_TURN)
        tokens = sum(A_TURN.values())
        return Estimate.of(
            [turn] * self.max_turns,
            self.setting.prices,
            f"at worst, {self.max_turns} turns with a guess of {tokens:,} tokens each",
        )
