"""One run of one agent: in its sandbox, by way of the gateway, within its time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from benchdata.contracts.usage import ModelUsage
from benchdata.errors import InputError
from benchdata.stats.pricing import Prices
from collectors.harness import profiles
from collectors.harness.agents import claude_turns
from collectors.harness.agents.driver import AgentDriver, Call, Invocation, Report
from collectors.harness.billing import Access, Payer
from collectors.harness.endings import End, Outcome, judged, watched
from collectors.harness.endpoints import Endpoint, reachable
from collectors.harness.failures import Reason
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.egress import Egress
from collectors.harness.gateway.exchanges import Exchange
from collectors.harness.gateway.gateway import Gateway
from collectors.harness.gateway.policy import Policy
from collectors.harness.gateway.relay import OnTurn
from collectors.harness.gateway.scripted_model import application
from collectors.harness.gateway.server import Server
from collectors.harness.gateway.upstream import Upstream
from collectors.harness.holds import Hold, Hook, Processes
from collectors.harness.sandbox.provider import Limits, Room, SandboxProvider

PORT, EGRESS_PORT, HOOK_PORT = 8100, 8101, 8102
"""Where an agent in a sandbox of its own network finds the gateway or in its place an endpoint of
this machine, the way to hosts, and who holds it by a hook."""
Boundaries = Literal["gateway", "hook", "process"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What all runs of a benchmark have alike.

    `timeout_s` is time of the agent: what `on_turn` holds it does not count. With a `script` the
    model is replayed, from its beginning in every run. `also` are models that side requests may
    ask. `readable` is what an agent sees besides its own program and folder, and `path` are folders
    of programs that it finds before those of the machine. `hosts` are what it may reach besides its
    model, such as a package registry; the weaker sandbox does not keep it from others. `services`
    are servers of ours, in use already, that it finds at `url_of` their port.

    `boundaries` says what holds the agent between its turns: the gateway, or for a claude that is
    to ask its endpoint itself, a `hook` that waits, or one `process` a message (which is told to
    continue each time, and loses what it ran in the background). With these two the agent holds its
    credential, requests are not seen, and it is kept within its turns only by ending it; that
    another model answered is known from what it printed, afterwards.

    Raises:
        InputError: The boundaries do not suit the driver, a script or a cap on cost.
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
    services: Mapping[int, Server] = field(default_factory=dict)
    boundaries: Boundaries = "gateway"

    def __post_init__(self) -> None:
        """Refuse what only the gateway can do."""
        if self.boundaries == "gateway":
            return
        if self.driver.name != "claude":
            raise InputError(f"boundaries: {self.boundaries}: for claude only; use gateway")
        for name in ("script", "max_cost_usd"):
            if getattr(self, name) is not None:
                raise InputError(f"{name}: needs the boundaries gateway, not {self.boundaries}")

    @property
    def upstream(self) -> Upstream:
        """Where the gateway forwards to."""
        app = None if self.script is None else application(self.script)
        return Upstream(self.payer.base_url, self.payer.headers, app=app)

    def pins(self, agent_version: str, model: str) -> dict[str, Any]:
        """Return what answered, and where, as rows tell it."""
        return {
            "agent": self.driver.name,
            "agent_version": agent_version,
            "model": model,
            "endpoint": self.payer.endpoint,
            "sandbox": self.sandbox.name,
        }

    def url_of(self, port: int, server: Server) -> str:
        """Return where an agent finds a server of ours that is to be at `port`."""
        return f"http://127.0.0.1:{port}" if self.sandbox.isolated else server.url

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
    with (
        _holder(setting, call.model, folder, on_turn) as holder,
        _endpoint(setting) as endpoint,
        _egress(hosts := (*setting.hosts, *endpoint.hosts), folder) as egress,
    ):
        servers = dict(setting.services)
        if egress:
            servers[EGRESS_PORT] = egress
        if isinstance(holder, Server):
            servers[HOOK_PORT if isinstance(holder, Hook) else PORT] = holder
        reached = servers if setting.sandbox.isolated else {}
        ports = {port: each.socket for port, each in reached.items()}
        urls = {port: setting.url_of(port, each) for port, each in servers.items()}
        room = Room(folder.agent, seen, {**ports, **endpoint.ports}, setting.limits)
        profiles.write(folder.profile, setting.sandbox, room, hosts)
        token = holder.token if isinstance(holder, Gateway) else setting.payer.token
        access = Access(urls.get(PORT, endpoint.url), token, setting.payer.billing)
        inside: Callable[[Path], str] = partial(setting.sandbox.inside, room)
        invocation = setting.driver.invocation(call, folder, access, inside)
        since = time.monotonic()
        end = End()
        for each in _invocations(invocation, holder, folder, urls):
            with setting.sandbox.start(
                each.argv,
                _environment(each.environment, setting.path, urls.get(EGRESS_PORT)),
                room,
                stdin=each.stdin,
                stdout=folder.stdout,
                stderr=folder.stderr,
            ) as running:
                end = watched(running, holder, since + setting.timeout_s, halted)
            if end.outcome or end.flooded:
                break
        agent_s = time.monotonic() - since - holder.held_s
        with folder.stdout.open("rb") as lines:
            report = setting.driver.report(lines, end.code, call)
        if isinstance(holder, Hold):
            holder.told(report, (call.model, *setting.also))
        outcome, reason = judged(end, report, holder)
        return Execution(
            report=report,
            outcome=outcome,
            reason=reason,
            stopped=holder.stopped,
            exchanges=holder.exchanges,
            usage=holder.usage() or list(report.usage),
            turns=holder.turns,
            agent_s=agent_s,
            held_s=holder.held_s,
        )


def _holder(
    setting: Setting, model: str, folder: RunFolder, on_turn: OnTurn | None
) -> Gateway | Hook | Processes:
    """Return what holds the agent between its turns."""
    if setting.boundaries == "gateway":
        policy = setting.policy(model)
        return Gateway(setting.upstream, policy, log=folder.requests, on_turn=on_turn)
    kind = Hook if setting.boundaries == "hook" else Processes
    return kind(on_turn, setting.max_turns)


def _endpoint(setting: Setting) -> AbstractContextManager[Endpoint]:
    """Return the agent's own way to its model; by the gateway it needs none."""
    if setting.boundaries == "gateway":
        return nullcontext(Endpoint())
    return reachable(setting.payer.base_url, PORT if setting.sandbox.isolated else None)


def _invocations(
    invocation: Invocation,
    holder: Gateway | Hook | Processes,
    folder: RunFolder,
    urls: Mapping[int, str],
) -> Iterable[Invocation]:
    """Give how to start each process of the agent: as a rule there is one."""
    if isinstance(holder, Processes):
        return holder.invocations(invocation, folder.stdout)
    if isinstance(holder, Hook):
        return (claude_turns.hooked(invocation, urlsplit(urls[HOOK_PORT]).port or 0),)
    return (invocation,)


def _egress(hosts: tuple[str, ...], folder: RunFolder) -> AbstractContextManager[Egress | None]:
    """Return the way to some hosts; without any there is none, and a log that stays empty."""
    if hosts:
        return Egress(hosts, log=folder.visits)
    folder.visits.touch()
    return nullcontext()


def _environment(
    given: Mapping[str, str], path: tuple[Path, ...], proxy: str | None
) -> dict[str, str]:
    """Return an environment that finds the programs of some folders first, and the way to hosts."""
    found = {**given, "PATH": os.pathsep.join((*map(str, path), given["PATH"]))}
    return found | ({"HTTPS_PROXY": proxy, "NO_PROXY": "127.0.0.1,localhost"} if proxy else {})
