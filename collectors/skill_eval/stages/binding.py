"""Binds a stage to what is here: the suite as it lies there, the agent and judge installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchdata.contracts.grammar import Stage
from benchdata.errors import BenchdataError, counted, did_you_mean, shorten
from collectors.harness import trees
from collectors.harness.user_settings import MODELS
from collectors.skill_eval import arms, resolving
from collectors.skill_eval.judge.resolving import resolve as judge_of
from collectors.skill_eval.renderers.needs import lacking
from collectors.skill_eval.spec import DEFAULT_TIMEOUT_MS
from collectors.skill_eval.stages.arms import StageArm
from collectors.skill_eval.stages.pins import Pins
from collectors.skill_eval.stages.screened import Screened
from collectors.skill_eval.stages.staged import Staged
from collectors.skill_eval.suite import suite as suites
from collectors.skill_eval.suite.suite import Suite

SHIPPED = Path(__file__).resolve().parents[1] / "suites"
SHIPPED_NAMES = ("screen", "heldout")
TASKS = 6
"""Of a screen and of a held-out stage."""
REPEATS: Mapping[Stage, int] = {"screen": 1, "heldout": 2, "router": 2}
"""Two are what a gate wants of what is to be published."""
JUDGE = "claude"
"""Who judges where nobody says."""
PINNED = ("agent", "model", "judge", "judge_model")
"""What a stage has from the one before it, or from its own beginning, where nobody says."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A stage as asked for; what is None has its default."""

    stage: Stage
    suite: str
    repeats: int
    agent: str | None = None
    model: str | None = None
    judge: str | None = None
    judge_model: str | None = None
    concurrency: int = 1


def suite_of(text: str) -> Suite:
    """Return the shipped suite of this name, or that of a folder; `./NAME` is always a folder.

    Raises:
        BenchdataError: It is neither, or no suite.
    """
    if text in SHIPPED_NAMES:
        return suites.load(SHIPPED / text)
    if not Path(text).is_dir():
        hint = did_you_mean(text, SHIPPED_NAMES) or f"; {' and '.join(SHIPPED_NAMES)} ship"
        raise BenchdataError(f"suite: {shorten(text, 120)} is no folder{hint}")
    return suites.load(Path(text))


def skilled(asked: Asked, skill: str, environment: Mapping[str, str]) -> Staged:
    """Return a screen of a skill: its tasks with the skill and without any.

    Raises:
        BenchdataError: The suite has another number of tasks, or as `bound`.
    """
    found = arms.resolved([skill], Path.cwd(), resolving.catalog(environment))
    return bound(asked, [StageArm(arm) for arm in found], environment, tasks=TASKS)


def held_out(asked: Asked, skill: str, screen: Screened, environment: Mapping[str, str]) -> Staged:
    """Return the held-out stage of a skill, with what is not named as the screen had it.

    Raises:
        BenchdataError: The screen refuses it, or as `skilled`.
    """
    given = {name: value for name in PINNED if (value := getattr(asked, name)) is not None}
    screen.refuse_other(given)
    as_screened = {name: screen.spec[name] for name in PINNED}
    staged = skilled(replace(asked, **as_screened), skill, environment)
    screen.refuse(staged)
    return replace(staged, notes=(*staged.notes, *screen.notes()))


def bound(
    asked: Asked,
    compared: Sequence[StageArm],
    environment: Mapping[str, str],
    *,
    tasks: int | None = None,
) -> Staged:
    """Return a stage of these arms, the first of which the others are compared with.

    The suite must have so many `tasks`; without a number any will do. All tasks have one limit, the
    longest that any names: a gate wants one budget for all.

    Raises:
        BenchdataError: The suite, the agent, its login or sandbox, the judge, or what renders is
            not to be had.
    """
    suite = suite_of(asked.suite)
    if tasks not in (None, len(suite.tasks)):
        raise BenchdataError(
            f"suite {suite.name}: has {counted(len(suite.tasks), 'task')}; a stage is {tasks}, so"
            " that its p-value means the same everywhere"
        )
    refuse_unshown(suite)
    agent = resolving.agent_of(asked.agent)
    limits = [task.file.timeout_ms or DEFAULT_TIMEOUT_MS for task in suite.tasks]
    judge = judge_of(asked.judge or JUDGE, asked.judge_model, environment)
    return Staged(
        stage=asked.stage,
        suite=suite,
        inputs={task.id: trees.digest(task.input) for task in suite.tasks},
        arms=tuple(compared),
        repeats=asked.repeats,
        concurrency=asked.concurrency,
        model=asked.model or MODELS[agent.name],
        agent_version=agent.version(),
        setting=resolving.setting_of(agent, max(limits), suite.folder, environment),
        judge=judge,
        pins=Pins.of(judge),
    )


def refuse_unshown(suite: Suite) -> None:
    """See that whatever the tasks of a suite ask for can be shown on this machine.

    Raises:
        BenchdataError: Something that renders is not installed.
    """
    for kind in sorted({task.file.render.kind for task in suite.tasks}):
        if (fault := lacking(kind)) is not None:
            raise BenchdataError(f"render: {fault}")
