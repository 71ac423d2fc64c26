"""A benchmark with everything bound: tasks and skills by digest, agent by version, who pays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from collectors.harness import plan, stage_file
from collectors.harness.attempt import Setting
from collectors.harness.cluster import Cluster
from collectors.harness.plan import Plan
from collectors.harness.stage_file import Experiment
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.estimate import estimate
from collectors.skill_eval.graders import grading
from collectors.skill_eval.row import MS
from collectors.skill_eval.tasks import Task


@dataclass(frozen=True)
class Resolved:
    """What a plan is about; two that are equal give rows that compare.

    `notes` are what the plan says besides, such as a baseline that was added. `executor` is the
    address of the cluster where it runs, None for this machine.
    """

    name: str
    category: str
    tasks: tuple[Task, ...]
    arms: tuple[Arm, ...]
    runs: int
    concurrency: int
    model: str
    judge_model: str | None
    agent_version: str
    setting: Setting
    notes: tuple[str, ...] = ()
    executor: str | None = None

    @cached_property
    def arm_of(self) -> Mapping[str, Arm]:
        """The arms by name."""
        return {arm.name: arm for arm in self.arms}

    @cached_property
    def task_of(self) -> Mapping[str, Task]:
        """The tasks by id."""
        return {task.line.id: task for task in self.tasks}

    @property
    def timeout_ms(self) -> int:
        """The time limit of one execution."""
        return round(self.setting.timeout_s * MS)

    @property
    def experiment(self) -> Experiment:
        """What is compared and how often."""
        return Experiment(tuple(self.arm_of), tuple(self.task_of), self.runs, self.spec)

    @property
    def spec(self) -> dict[str, Any]:
        """All that makes two results comparable, in JSON."""
        script = self.setting.script
        return {
            "category": self.category,
            "arms": {arm.name: arm.skill and arm.skill.digest for arm in self.arms},
            "tasks": {task.line.id: task.digest for task in self.tasks},
            "judge": self.judge_model
            and {
                "model": self.judge_model,
                "prompt": grading.prompt_digest(),
            },
            "timeout_ms": self.timeout_ms,
            **self.setting.pins(self.agent_version, self.model),
            "script": script and stage_file.digest(script),
        }

    @property
    def sources(self) -> tuple[Path, ...]:
        """The folders that runs are given copies of."""
        workspaces = {task.workspace for task in self.tasks if task.workspace}
        return tuple(sorted(workspaces | {arm.skill.folder for arm in self.arms if arm.skill}))

    @property
    def cluster(self) -> Cluster | None:
        """Where runs are executed, if not on this machine."""
        if self.executor is None:
            return None
        return Cluster(self.executor, self.setting, self.agent_version, self.sources)

    def plan(self) -> Plan:
        """Return the plan to show before anything runs."""
        return plan.of(
            self.setting,
            arms=len(self.arms),
            tasks=len(self.tasks),
            repeats=self.runs,
            concurrency=self.concurrency,
            agent_version=self.agent_version,
            model=self.model,
            estimate=estimate(self.tasks, self.model, self.setting.prices),
        )

    def shown(self, due: int) -> list[str]:
        """Say the plan for a reader, with its notes; `due` executions are still to run."""
        cluster = (self.cluster.sentence,) if self.cluster else ()
        return [*self.plan().lines(due), *cluster, *self.notes]
