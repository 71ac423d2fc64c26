"""Binds a request to what is here: the agent that is installed, the skills as they are now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchdata.contracts.grammar import Billing
from benchdata.errors import BenchdataError
from benchdata.rows.strict_json import decode
from collectors.harness import billing, documents, user_settings
from collectors.harness.agents.driver import AgentDriver
from collectors.harness.agents.registry import driver
from collectors.harness.attempt import Setting
from collectors.harness.failures import SetupFailed
from collectors.harness.gateway.script_file import ScriptFile
from collectors.harness.sandbox.probe import choose
from collectors.harness.user_settings import ENDPOINT, MODELS
from collectors.skill_eval import arms
from collectors.skill_eval.arms import BASELINE, Arm
from collectors.skill_eval.catalog import MIRROR, Catalog
from collectors.skill_eval.request import SCRIPT, Request
from collectors.skill_eval.resolved import Resolved
from collectors.skill_eval.row import MS
from collectors.skill_eval.spec import MOST_EXECUTIONS
from collectors.skill_eval.tasks import JUDGED

PREFERRED = ("claude", "codex")
ALLOWED: tuple[Billing, ...] = ("subscription",)
"""Who may pay: never an API key, so that no benchmark becomes a bill by accident."""
ONE_SKILL_RUNS, MORE_SKILLS_RUNS = 1, 2
"""How often each task is run for each arm where nobody says."""


def resolve(request: Request, environment: Mapping[str, str]) -> Resolved:
    """Return the benchmark with everything bound.

    Raises:
        BenchdataError: A skill, the agent, its login or its sandbox is not to be had.
    """
    found = arms.resolved(request.skills, request.folder, catalog(environment))
    runs = request.runs or (ONE_SKILL_RUNS if len(found) == 2 else MORE_SKILLS_RUNS)
    executions = len(found) * len(request.tasks) * runs
    if executions > MOST_EXECUTIONS:
        raise BenchdataError(
            f"runs: {runs:,} of {len(request.tasks):,} tasks for {len(found)} arms are"
            f" {executions:,} executions; at most {MOST_EXECUTIONS:,} fit one plan"
        )
    agent = agent_of(request.agent)
    model = request.model or MODELS[agent.name]
    judged = any(task.line.grader == JUDGED for task in request.tasks)
    return Resolved(
        name=request.name,
        category=request.category,
        tasks=request.tasks,
        arms=found,
        runs=runs,
        concurrency=request.concurrency,
        model=model,
        judge_model=model if judged else None,
        agent_version=agent.version(),
        setting=setting_of(agent, request.timeout_ms, request.folder, environment),
        notes=tuple(_notes(request, found)),
        executor=request.executor,
    )


def catalog(environment: Mapping[str, str]) -> Catalog:
    """Return where skills of the catalog come from."""
    mirror = environment.get(MIRROR)
    cache = user_settings.cache_folder(environment) / "skills"
    return Catalog(cache, Path(mirror) if mirror else None)


def setting_of(
    agent: AgentDriver, timeout_ms: int, folder: Path, environment: Mapping[str, str]
) -> Setting:
    """Return how an agent runs here; what a scripted one answers stands in `folder`.

    Raises:
        BenchdataError: Its login, its sandbox or its script is not to be had.
    """
    return Setting(
        driver=agent,
        sandbox=choose(),
        payer=billing.choose(
            agent.name, environment, allowed=ALLOWED, base_url=environment.get(ENDPOINT)
        ),
        timeout_s=timeout_ms / MS,
        prices=user_settings.prices(environment),
        script=_script(folder) if agent.name == "scripted" else None,
    )


def agent_of(name: str | None) -> AgentDriver:
    """Return the agent of this name, or the first that is installed.

    Raises:
        BenchdataError: It is not installed, or none is.
    """
    if name is not None:
        return driver(name)
    for preferred in PREFERRED:
        try:
            return driver(preferred)
        except SetupFailed:
            continue
    raise BenchdataError(
        f"agent: none of {', '.join(PREFERRED)} is installed; install one, or try the shipped"
        " specs with --agent scripted"
    )


def _script(folder: Path) -> Mapping[str, Any]:
    """Return what the model of the scripted agent answers."""
    try:
        text = documents.content(folder / SCRIPT)
    except BenchdataError as error:
        raise BenchdataError(
            f"agent: scripted needs {SCRIPT} in {folder}, with the model's answers: {error}"
        ) from None
    documents.parsed(text, ScriptFile, SCRIPT)
    found: dict[str, Any] = decode(text)
    return found


def _notes(request: Request, found: Sequence[Arm]) -> Iterator[str]:
    """Give what a reader of the plan has to know besides."""
    if BASELINE not in request.skills:
        added = "an arm without a skill is added"
        if not request.include_no_skill:
            added = "`includeNoSkill` is false, but a lift needs an arm without a skill"
        yield f"Baseline: {added}."
    for arm in found:
        if arm.commit:
            yield f"Skill: {arm.name} of commit {arm.commit}."
