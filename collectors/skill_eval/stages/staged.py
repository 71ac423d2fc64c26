"""A stage with everything bound: suite, arms, agent, who pays, and what it will be judged with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from benchdata.contracts.grammar import Stage
from benchdata.errors import counted
from benchdata.stats import floors
from collectors.harness import plan, stage_file
from collectors.harness.attempt import Setting
from collectors.harness.plan import Estimate, Plan
from collectors.harness.stage_file import Experiment
from collectors.skill_eval import estimate
from collectors.skill_eval.judge.judge import Judge
from collectors.skill_eval.row import MS
from collectors.skill_eval.stages.arms import StageArm
from collectors.skill_eval.stages.pins import PROTOCOL, Pins
from collectors.skill_eval.suite.suite import Suite, SuiteTask


@dataclass(frozen=True)
class Staged:
    """What a plan is about; two that are equal give rows that compare.

    The first arm is the one that the others are compared with. `inputs` are the digests of what
    agents start from, by task, and `notes` what the plan says besides.
    """

    stage: Stage
    suite: Suite
    inputs: Mapping[str, str]
    arms: tuple[StageArm, ...]
    repeats: int
    concurrency: int
    model: str
    agent_version: str
    setting: Setting
    judge: Judge
    pins: Pins
    notes: tuple[str, ...] = ()

    @cached_property
    def arm_of(self) -> Mapping[str, StageArm]:
        """The arms by name."""
        return {arm.name: arm for arm in self.arms}

    @cached_property
    def task_of(self) -> Mapping[str, SuiteTask]:
        """The tasks by id."""
        return {task.id: task for task in self.suite.tasks}

    @property
    def experiment(self) -> Experiment:
        """What is compared and how often."""
        return Experiment(tuple(self.arm_of), tuple(self.task_of), self.repeats, self.spec)

    @property
    def spec(self) -> dict[str, Any]:
        """All that makes two results comparable, in JSON."""
        script = self.setting.script
        return {
            "protocol": PROTOCOL,
            "stage": self.stage,
            "category": self.suite.name,
            "suite": self.suite.digest,
            "arms": {arm.name: arm.spec for arm in self.arms},
            "tasks": {task.id: task.digest for task in self.suite.tasks},
            "contents": {task.id: task.content for task in self.suite.tasks},
            "timeout_ms": round(self.setting.timeout_s * MS),
            **self.setting.pins(self.agent_version, self.model),
            "script": script and stage_file.digest(script),
            **asdict(self.pins),
        }

    @property
    def plan(self) -> Plan:
        """How much is to run."""
        return plan.of(
            self.setting,
            arms=len(self.arms),
            tasks=len(self.suite.tasks),
            repeats=self.repeats,
            concurrency=self.concurrency,
            agent_version=self.agent_version,
            model=self.model,
            estimate=estimate.mean(
                [("agent", task.file.prompt) for task in self.suite.tasks],
                len(self.suite.tasks),
                self.model,
                self.setting.prices,
            ),
        )

    @property
    def pairs(self) -> int:
        """How many pairs of runs there are: each arm but the first with it, on a task, a time."""
        return (len(self.arms) - 1) * len(self.suite.tasks) * self.repeats

    @property
    def look(self) -> Estimate | None:
        """What one call of the judge would cost."""
        prompts = [("look", task.file.prompt) for task in self.suite.tasks]
        return estimate.mean(prompts, len(prompts), self.judge.model, self.setting.prices)

    def shown(self, due: int, seed: int) -> list[str]:
        """Say the plan for a reader; `due` executions are still to run, in the order of `seed`."""
        return [*self.plan.lines(due), *self._to_come(), *self._odds(seed), *self.notes]

    def _to_come(self) -> Iterator[str]:
        calls = self.plan.executions
        yield (
            f"Judge: {self.judge.name}, model {self.judge.model}:"
            f" {counted(calls, 'call')} to come, one an artefact, and {2 * self.pairs:,} more with"
            " --pairwise."
        )
        yield f"Judge: {self.judge.paid}"
        yield f"Cost of judging: {cost(self.look, calls)}"
        yield (
            f"Instrument: protocol {PROTOCOL}, prompt {self.pins.prompt_version},"
            f" renderer {self.pins.render_version}."
        )

    def _odds(self, seed: int) -> Iterator[str]:
        tasks = len(self.suite.tasks)
        floor = float(floors.sign_flip(tasks))
        yield f"Order: drawn with seed {seed}, the arms of a task one right after the other."
        yield (
            f"Odds: {counted(tasks, 'task')} can reach p = {floor:.3f} only when all {tasks} agree."
        )


def cost(each: Estimate | None, calls: int) -> str:
    """Say what calls of a judge would cost."""
    if each is None:
        return "unknown, without prices and the tokens that one call uses."
    return (
        f"about {calls * each.usd_each:,.2f} USD at list prices, {each.usd_each:,.4f} a call:"
        f" {each.assumes}."
    )
