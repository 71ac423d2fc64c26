"""What the MCP tool answers, as data and as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.errors import shorten
from benchdata.rows.writing import appended
from collectors.harness import batches, stage_file
from collectors.harness.progress import HOUR_S
from collectors.skill_eval import benchmark
from collectors.skill_eval.background import Run
from collectors.skill_eval.resolved import Resolved
from collectors.skill_eval.tasks import TaskLine
from collectors.skill_eval.tokens import LIFETIME_S

LONGEST_PROMPT = 400
"""How much of a task's prompt the plan shows."""
ASK = (
    "Nothing has run. Show the user this plan and wait for an explicit yes; only then call again"
    " with the same arguments and this confirmation_token."
)
RUNNING = "It goes on in the background: call benchmark_status, then benchmark_result."


class PlannedTask(BaseModel):
    """A task as the user is to see it, with the files that it names."""

    id: str
    prompt: str
    mode: str
    grader: str
    workspace: str | None
    script: str | None

    def line(self) -> str:
        """Return it for a reader."""
        named = [
            f"{kind} {name}" for kind in ("workspace", "script") if (name := getattr(self, kind))
        ]
        traits = ", ".join([self.mode, f"graded by {self.grader}", *named])
        return f"Task {self.id} ({traits}): {self.prompt}"


class Planned(BaseModel):
    """A plan, and the token that lets exactly this one run."""

    lines: list[str]
    arms: list[str]
    tasks: list[PlannedTask]
    runs: int
    executions: int
    timeout_ms: int
    worst_case_agent_hours: float
    agent: str
    agent_version: str
    model: str
    confirmation_token: str
    valid_minutes: int


class Ran(BaseModel):
    """A benchmark that was begun: how many of its executions are done, and what it showed."""

    run_id: str
    done: int
    executions: int
    said: list[str] = []
    summary: str | None = None
    report: str | None = None


class Answer(BaseModel):
    """The answer to one call."""

    status: Literal["plan", "refused", "running", "finished", "stopped", "failed"]
    message: str
    plan: Planned | None = None
    run: Ran | None = None

    def text(self) -> str:
        """Return it for a reader."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.plan:
            yield from self.plan.lines
            yield f"Arms: {', '.join(self.plan.arms)}."
            yield from (task.line() for task in self.plan.tasks)
            yield f"confirmation_token: {self.plan.confirmation_token}"
            yield f"It serves once, within {self.plan.valid_minutes} minutes."
        if self.run:
            yield f"run_id: {self.run.run_id}, {self.run.done:,} of {self.run.executions:,} done"
            yield from self.run.said
        if self.message:
            yield self.message
        if self.run and self.run.summary:
            yield f"\n{self.run.summary}"


def of_plan(resolved: Resolved, token: str) -> Answer:
    """Return a plan for the user's yes."""
    plan = resolved.plan()
    executions = plan.executions
    return Answer(
        status="plan",
        message=ASK,
        plan=Planned(
            lines=resolved.shown(executions),
            arms=[*resolved.arm_of],
            tasks=[_planned(task.line) for task in resolved.tasks],
            runs=resolved.runs,
            executions=executions,
            timeout_ms=resolved.timeout_ms,
            worst_case_agent_hours=executions * plan.timeout_s / HOUR_S,
            agent=plan.agent,
            agent_version=plan.agent_version,
            model=plan.model,
            confirmation_token=token,
            valid_minutes=LIFETIME_S // 60,
        ),
    )


def _planned(line: TaskLine) -> PlannedTask:
    return PlannedTask(
        id=line.id,
        prompt=shorten(" ".join(line.prompt.split()), LONGEST_PROMPT),
        mode=line.mode,
        grader=line.grader,
        workspace=line.workspace,
        script=line.script,
    )


def refused(reason: str) -> Answer:
    """Return that nothing ran, and why."""
    return Answer(status="refused", message=reason)


def of_run(run: Run, *, whole: bool = True) -> Answer:
    """Return how far a benchmark of this server is; `whole` is with its summary at its end."""
    state = run.state
    if state == "running":
        told = Ran(
            run_id=run.id,
            done=run.progress.ended,
            executions=run.executions,
            said=[run.progress.said],
        )
        return Answer(status=state, message=RUNNING, run=told)
    done = run.account.done if run.account else run.progress.ended
    said = [*(run.account.lines() if run.account else []), *filter(None, [run.unshared])]
    told = Ran(run_id=run.id, done=done, executions=run.executions, said=said)
    return Answer(status=state, message=run.fault, run=_reported(told, run.folder, whole=whole))


def of_earlier(folder: Path, *, whole: bool = True) -> Answer:
    """Return what a benchmark came to that an earlier server, or the command line, ran.

    Raises:
        BenchdataError: Its files are damaged.
    """
    facts = stage_file.read(folder / batches.STAGE)
    rows = appended(batches.rows_of(folder), SKILL_RUN)
    done = len({row["position"] for row in rows})
    executions = len(facts.order) if facts else 0
    told = Ran(run_id=folder.name, done=done, executions=executions)
    return Answer(
        status="finished" if facts and done == executions else "stopped",
        message="",
        run=_reported(told, folder, whole=whole),
    )


def _reported(told: Ran, folder: Path, *, whole: bool) -> Ran:
    """Add where the report lies, and the summary when it is asked for."""
    page = folder / benchmark.REPORT_HTML
    if not page.exists():
        return told
    summary = benchmark.summary(folder) if whole else None
    return told.model_copy(update={"report": str(page), "summary": summary})
