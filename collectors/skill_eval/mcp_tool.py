"""The MCP tool `benchmark`: a plan first, a run after the user's yes, then its result."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import anyio
from anyio import to_thread
from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from benchdata.contracts.fields import ModelId
from benchdata.mcp.server import Server
from collectors.skill_eval import mcp_answers
from collectors.skill_eval.asked import Asked, categories, request_of
from collectors.skill_eval.background import Run, Runs
from collectors.skill_eval.mcp_answers import Answer
from collectors.skill_eval.resolved import Resolved
from collectors.skill_eval.resolving import resolve
from collectors.skill_eval.spec import MOST_SKILLS, TimeoutMs
from collectors.skill_eval.spec import Runs as Repeats
from collectors.skill_eval.tokens import Bound, TokenRefused, Tokens

AT_ONCE_S = 5.0
"""How long a call waits for a benchmark that it began; many clients give up after a minute."""
LONGEST_WAIT_S = 50.0
LOOK_S = 0.2

SPENDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True
)
TELLS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Told = Annotated[CallToolResult, Answer]
RunId = Annotated[str, Field(description="The run id that `benchmark` returned.")]
DESCRIPTION = f"""\
Measure whether agent skills help: run the user's own agent on the same tasks with each skill and \
without any, grade blindly, and compare. It spends the user's time and subscription, so it never \
runs at once. The first call returns the plan and a confirmation token for exactly that plan. Show \
the user the plan, with its tasks, and wait for an explicit yes; nothing else is a yes. Only then \
call again with the same arguments and `confirmation_token`. `confirm` alone runs nothing. Give \
exactly one of tasks, task_file and category. A long run goes on in the background: ask \
`benchmark_status`, then `benchmark_result`. Categories: {", ".join(categories())}."""


@dataclass(frozen=True, slots=True)
class Benchmarks:
    """The tools, with the tokens and runs of this server. Paths start from `here`."""

    here: Path
    tokens: Tokens = field(default_factory=Tokens)
    runs: Runs = field(default_factory=lambda: Runs(os.environ))

    async def benchmark(  # noqa: PLR0913, PLR0917 -- the arguments that agents know the tool by
        self,
        ctx: Context[Any, Any],
        skills: Annotated[
            list[str],
            Field(
                min_length=1,
                max_length=MOST_SKILLS,
                description="Each `none`, owner/repo@skill, or the path of a skill's folder or"
                " SKILL.md. A baseline without a skill is added.",
            ),
        ],
        tasks: Annotated[
            list[dict[str, Any]] | None,
            Field(
                description="Tasks with id, prompt, grader (exact, json-fields, script, llm-judge)"
                " and what the grader compares with: expected, reference or script."
            ),
        ] = None,
        task_file: Annotated[
            str | None, Field(description="A JSONL file of such tasks, one a line.")
        ] = None,
        category: Annotated[
            str | None, Field(description="A shipped category; one of its tasks is suggested.")
        ] = None,
        task_count: Annotated[
            int | None, Field(ge=1, description="How many tasks of the category instead of one.")
        ] = None,
        runs: Annotated[
            Repeats | None,
            Field(description="How often each task runs for each skill; else 1, of several 2."),
        ] = None,
        agent: Annotated[
            str | None, Field(description="claude, codex or scripted; else what is installed.")
        ] = None,
        model: Annotated[
            ModelId | None, Field(description="An immutable model id; else the agent's default.")
        ] = None,
        timeout_ms: Annotated[
            TimeoutMs | None, Field(description="Time limit of one execution; else 10 minutes.")
        ] = None,
        confirmation_token: Annotated[
            str | None, Field(description="The token of the plan that the user said yes to.")
        ] = None,
        confirm: Annotated[
            bool | None, Field(description="What the user said; never enough without the token.")
        ] = None,
    ) -> Told:
        """Plan a benchmark, and with the token of its plan run it."""
        asked = Asked(
            here=self.here,
            skills=tuple(skills),
            tasks=None if tasks is None else tuple(tasks),
            task_file=task_file,
            category=category,
            task_count=task_count,
            runs=runs,
            agent=agent,
            model=model,
            timeout_ms=timeout_ms,
        )
        resolved = await to_thread.run_sync(_resolved, asked)
        if confirmation_token is None:
            return _told(mcp_answers.of_plan(resolved, self.tokens.issue(bound(resolved))))
        if confirm is False:
            return _told(mcp_answers.refused("confirm: is false, so nothing was run"))
        try:
            self.tokens.redeem(confirmation_token, bound(resolved))
        except TokenRefused as refusal:
            return _told(mcp_answers.refused(str(refusal)))
        run = self.runs.begin(resolved)
        await _follow(run, ctx, AT_ONCE_S)
        return _told(mcp_answers.of_run(run))

    async def benchmark_status(
        self,
        ctx: Context[Any, Any],
        run_id: RunId,
        wait_s: Annotated[
            float,
            Field(ge=0, le=LONGEST_WAIT_S, description="How many seconds to wait for its end."),
        ] = 20,
    ) -> Told:
        """Say how far a benchmark is, and when it has ended how it did."""
        run = self.runs.find(run_id)
        if isinstance(run, Run):
            await _follow(run, ctx, wait_s)
            return _told(mcp_answers.of_run(run, whole=False))
        return _told(mcp_answers.of_earlier(run, whole=False))

    def benchmark_result(self, run_id: RunId) -> Told:
        """Return the summary of a benchmark that has ended, as the command line prints it."""
        run = self.runs.find(run_id)
        return _told(
            mcp_answers.of_run(run) if isinstance(run, Run) else mcp_answers.of_earlier(run)
        )


def register(server: Server) -> None:
    """Add the tools of a server that was started here."""
    add(server, Benchmarks(Path.cwd()))


def add(server: Server, tools: Benchmarks) -> None:
    """Add tools; what they run ends with the server."""
    server.closing.callback(tools.runs.end)
    server.add_tool(tools.benchmark, description=DESCRIPTION, annotations=SPENDS)
    for tool in (tools.benchmark_status, tools.benchmark_result):
        server.add_tool(tool, annotations=TELLS)


def bound(resolved: Resolved) -> Bound:
    """Return what a token of this plan stands for: all that it shows, and what that was read from.

    That is the bytes of tasks, workspaces, graders and skills by their digests, the version of the
    agent, and how much is to run at whose expense.
    """
    return asdict(resolved.plan()) | resolved.spec


def _resolved(asked: Asked) -> Resolved:
    return resolve(request_of(asked), os.environ)


async def _follow(run: Run, ctx: Context[Any, Any], seconds: float) -> None:
    """Wait for the end of a run, but not longer, and report each attempt that ends meanwhile."""
    told = -1
    until = anyio.current_time() + seconds
    while run.state == "running" and anyio.current_time() < until:
        if run.progress.ended != told:
            told = run.progress.ended
            await ctx.report_progress(told, run.executions, run.progress.said)
        await anyio.sleep(LOOK_S)


def _told(answer: Answer) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=answer.text())],
        structured_content=answer.model_dump(mode="json"),
    )
