"""One run of one agent: in its sandbox, by way of the gateway, within its time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from benchdata.contracts.usage import ModelUsage
from collectors.harness.agents.driver import AgentDriver, Call, Report
from collectors.harness.billing import Access, Payer
from collectors.harness.failures import Reason, reason_of
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.egress import Egress
from collectors.harness.gateway.exchanges import Exchange
from collectors.harness.gateway.gateway import Gateway
from collectors.harness.gateway.policy import Policy
from collectors.harness.gateway.relay import OnTurn
from collectors.harness.gateway.scripted_model import application
from collectors.harness.gateway.upstream import Upstream
from collectors.harness.pricing import Prices
from collectors.harness.processes import Running
from collectors.harness.sandbox.provider import Limits, Room, SandboxProvider

PORT, EGRESS_PORT = 8100, 8101
"""Where an agent in a sandbox of its own network finds the gateway, and the way to hosts."""
GRACE_S = 5.0
LOOK_S = 0.2
"""How often it is looked whether a run is to end; a run that ends is noticed at once."""

Outcome = Literal["completed", "agent_error", "timeout", "infrastructure", "interrupted"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What all runs of a benchmark have alike.

    `timeout_s` is time of the agent: what `on_turn` holds it does not count. With a `script` the
    model is replayed, from its beginning in every run. `also` are models that side requests may
    ask. `readable` is what an agent sees besides its own program and folder, and `path` are folders
    of programs that it finds before those of the machine. `hosts` are what it may reach besides its
    model, such as a package registry; the weaker sandbox does not keep it from others.
    """

    driver: AgentDriver
    sandbox: SandboxProvider
    payer: Payer
    timeout_s: float
    max_turns: int | None = None
    max_cost_usd: float | None = None
    prices: Prices | None = None
    also: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    script: Mapping[str, Any] | None = None
    readable: tuple[Path, ...] = ()
    path: tuple[Path, ...] = ()
    hosts: tuple[str, ...] = ()

    @property
    def upstream(self) -> Upstream:
        """Where the gateway forwards to."""
        app = None if self.script is None else application(self.script)
        return Upstream(self.payer.base_url, self.payer.headers, app=app)

    def policy(self, model: str) -> Policy:
        """Return what an agent may ask for that is to use `model`."""
        return Policy(
            model,
            self.driver.shape,
            self.also,
            self.max_turns,
            self.max_cost_usd,
            self.prices,
        )


@dataclass(frozen=True, slots=True)
class Execution:
    """What one run came to.

    `stopped` is the gateway's cause when it refused to go on: a cap, `stop` by `on_turn`, or
    `model`, where another model than the pinned one answered.
    `agent_s` is the agent's own time; `held_s` is what it waited for `on_turn`.
    """

    report: Report
    outcome: Outcome
    reason: Reason | None
    stopped: str | None
    flooded: bool
    exchanges: tuple[Exchange, ...]
    usage: list[ModelUsage]
    turns: int
    agent_s: float
    held_s: float


def run(
    call: Call,
    setting: Setting,
    folder: RunFolder,
    *,
    on_turn: OnTurn | None = None,
    halted: Callable[[], bool] = lambda: False,
) -> Execution:
    """Run an agent in `folder` until it ends, its time is over, or it is not to go on.

    What it was given lies in `folder.work` before, what it made lies there afterwards. `on_turn` is
    called between its turns as the gateway describes; `halted` is asked all the time.

    Raises:
        SetupFailed: It could not be started.
    """
    seen = (*setting.driver.readable(), *setting.readable)
    policy = setting.policy(call.model)
    with (
        Gateway(setting.upstream, policy, log=folder.requests, on_turn=on_turn) as gateway,
        _egress(setting.hosts, folder) as egress,
    ):
        servers = {PORT: gateway, EGRESS_PORT: egress} if egress else {PORT: gateway}
        own_network = setting.sandbox.name == "bubblewrap"
        ports = {port: each.socket for port, each in servers.items()} if own_network else {}
        urls = {
            port: f"http://127.0.0.1:{port}" if own_network else each.url
            for port, each in servers.items()
        }
        room = Room(folder.agent, seen, ports, setting.limits)
        access = Access(urls[PORT], gateway.token, setting.payer.billing)
        inside: Callable[[Path], str] = partial(setting.sandbox.inside, room)
        invocation = setting.driver.invocation(call, folder, access, inside)
        since = time.monotonic()
        with setting.sandbox.start(
            invocation.argv,
            _environment(invocation.environment, setting.path, urls.get(EGRESS_PORT)),
            room,
            stdin=invocation.stdin,
            stdout=folder.stdout,
            stderr=folder.stderr,
        ) as running:
            code, ended = _watched(running, gateway, since + setting.timeout_s, halted)
        agent_s = time.monotonic() - since - gateway.held_s
        with folder.stdout.open("rb") as lines:
            report = setting.driver.report(lines, code, call)
        outcome, reason = _outcome(ended, report, gateway)
        return Execution(
            report=report,
            outcome=outcome,
            reason=reason,
            stopped=gateway.stopped,
            flooded=running.flooded,
            exchanges=gateway.exchanges,
            usage=gateway.usage() or list(report.usage),
            turns=gateway.turns,
            agent_s=agent_s,
            held_s=gateway.held_s,
        )


def _egress(hosts: tuple[str, ...], folder: RunFolder) -> AbstractContextManager[Egress | None]:
    """Return the way to some hosts; without any there is none."""
    return Egress(hosts, log=folder.visits) if hosts else nullcontext()


def _environment(
    given: Mapping[str, str], path: tuple[Path, ...], proxy: str | None
) -> dict[str, str]:
    """Return an environment that finds the programs of some folders first, and the way to hosts."""
    found = {**given, "PATH": os.pathsep.join((*map(str, path), given["PATH"]))}
    return found | ({"HTTPS_PROXY": proxy, "NO_PROXY": "127.0.0.1,localhost"} if proxy else {})


def _watched(
    running: Running, gateway: Gateway, deadline: float, halted: Callable[[], bool]
) -> tuple[int | None, Outcome | None]:
    """Wait for the end; return the exit code, or None and for what we ended it."""
    reasons: tuple[tuple[Callable[[], object], Outcome], ...] = (
        (halted, "interrupted"),
        (lambda: gateway.stopped, "completed"),  # what that means, `_outcome` says
        (lambda: time.monotonic() - gateway.held_s > deadline, "timeout"),
    )
    while (code := running.wait(_look_s(deadline + gateway.held_s))) is None:
        for holds, outcome in reasons:
            if holds():
                running.stop(GRACE_S)
                return None, outcome
    return code, None


def _look_s(deadline: float) -> float:
    """Return how long to wait for the end of a program before the next look."""
    return min(LOOK_S, max(0.0, deadline - time.monotonic()))


def _outcome(
    ended: Outcome | None, report: Report, gateway: Gateway
) -> tuple[Outcome, Reason | None]:
    """Return how a run ended and why; the model's absence excuses also a run that took too long.

    A run that a cap or the caller stopped is completed, and its cause is the caller's to name. One
    in which another model answered is interrupted: it says nothing of the pinned model, so it must
    not be scored; that is no fault of the agent's, and no evidence that the infrastructure lost it.
    """
    if ended == "interrupted" or gateway.stopped == "model":
        return "interrupted", None
    if gateway.stopped:
        return "completed", None
    lost = reason_of(gateway.last_status, report)
    if ended == "timeout" and lost in {None, "setup_failed"}:
        return "timeout", "agent_timeout"  # it was given its task, however little it made of it
    if lost:
        return "infrastructure", lost
    return ("agent_error", "agent_exit") if report.failed else ("completed", None)
