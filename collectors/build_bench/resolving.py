"""Binds what is asked for to what is here: lanes that can run, the agent that is installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchdata.errors import BenchdataError
from collectors.build_bench import lanes, references, scripts, starters, tasks
from collectors.build_bench.bench import Bench
from collectors.build_bench.evaluation import SUITE_S
from collectors.build_bench.lanes import Lane
from collectors.build_bench.prompts import Variant
from collectors.build_bench.starters import NotPrepared, Starter
from collectors.build_bench.suites import pages
from collectors.build_bench.tasks import Task
from collectors.harness import billing, user_settings
from collectors.harness.agents.registry import driver
from collectors.harness.attempt import Setting
from collectors.harness.sandbox.probe import choose
from collectors.harness.user_settings import ENDPOINT, MODELS

DEFAULT_TASKS = ("t1-storefront-api", "t2-saga-queue-cron")


SUITES = f"Suite: once a turn, at most {SUITE_S:g} s and its boots, which are no time of the agent."


@dataclass(frozen=True, slots=True)
class Asked:
    """A batch as asked for; empty names are all that can run here."""

    agent: str
    lanes: Sequence[str]
    tasks: Sequence[str]
    variant: Variant
    repeats: int
    concurrency: int
    max_turns: int
    max_wall_s: int
    api_key: bool = False
    model: str | None = None
    judge_model: str | None = None
    executor: str | None = None


def resolve(asked: Asked, environment: Mapping[str, str]) -> Bench:
    """Return the batch with everything bound.

    Raises:
        BenchdataError: A lane or task that was named cannot be run, or the agent, its login or its
            sandbox is not to be had.
    """
    chosen = tuple(tasks.task(name) for name in asked.tasks or DEFAULT_TASKS)
    notes: list[str] = []
    prepared = dict(_prepared(asked, chosen, notes))
    if not prepared:
        raise BenchdataError("no lane can be run here; " + " ".join(notes))
    ran = tuple(lanes.lane(name) for name in prepared)
    agent = driver(asked.agent)
    if agent.name == "scripted":
        for task in chosen:
            for lane in ran:
                scripts.script(task, lane)
    return Bench(
        lanes=ran,
        starters=prepared,
        tasks=chosen,
        variant=asked.variant,
        repeats=asked.repeats,
        concurrency=asked.concurrency,
        model=asked.model or MODELS[agent.name],
        judge_model=asked.judge_model,
        agent_version=agent.version(),
        setting=Setting(
            driver=agent,
            sandbox=choose(),
            payer=billing.choose(
                agent.name,
                environment,
                allowed=("subscription", "api-key"),
                billing="api-key" if asked.api_key else None,
                base_url=environment.get(ENDPOINT),
            ),
            timeout_s=asked.max_wall_s,
            max_turns=asked.max_turns,
            prices=user_settings.prices(environment),
        ),
        max_turns=asked.max_turns,
        notes=(*notes, SUITES, *_judged(asked), *_checked(chosen)),
        executor=asked.executor,
    )


def _prepared(
    asked: Asked, chosen: Sequence[Task], notes: list[str]
) -> Iterator[tuple[str, Starter]]:
    """Yield the starters of the lanes that can be run; for one that was named that must be so."""
    for name in dict.fromkeys(asked.lanes) or lanes.lanes():
        lane = lanes.lane(name)
        try:
            _check_seeds(lane, chosen)
            yield name, starters.prepare(lane)
        except NotPrepared as why:
            if asked.lanes:
                raise
            notes.append(f"Left out: {why}.")


def _check_seeds(lane: Lane, chosen: Sequence[Task]) -> None:
    """Raise NotPrepared when a task starts from a reference that a lane does not have."""
    for task in chosen:
        if task.seed is not None and not references.has(lane.id, task.seed):
            raise NotPrepared(
                f"lane {lane.id}: has no reference of {task.seed}, from which {task.id} starts"
            )


def _checked(chosen: Sequence[Task]) -> Iterator[str]:
    """Say when the checks of a page are left out."""
    lacking = pages.lacking() if any(task.browser for task in chosen) else None
    if lacking is not None:
        yield f"Browser: no page is checked: {lacking}."


def _judged(asked: Asked) -> Iterator[str]:
    if asked.judge_model is None:
        yield "Rubric: the production list by script; the task's own needs --judge-model."
    else:
        yield f"Rubric: the task's own list is read by {asked.judge_model}, one more call a run."
