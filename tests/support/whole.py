"""An agent as the harness runs it: sandbox, gateway and driver, before a stand-in for its model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchdata.contracts.usage import ModelUsage
from benchdata.stats import pricing
from collectors.harness import attempt, billing
from collectors.harness.agents.driver import AgentDriver, Call
from collectors.harness.attempt import Execution, Setting
from collectors.harness.folders import RunFolder
from collectors.harness.sandbox.probe import choose
from tests.support import messages_api, responses_api
from tests.support.driven import MODEL, tool
from tests.support.gated import tokens
from tests.support.scripted_api import Server

Reply = dict[str, Any]
LAST: Reply = {"text": "Done."}


@dataclass(frozen=True)
class Dialect:
    """How the model of an agent says things, and what its tokens cost.

    `rates` are USD per million tokens: input, output, written to a cache, read from it.
    """

    serving: Callable[[Mapping[str, Any]], AbstractContextManager[Server]]
    root: str
    thinking: str
    shell: Callable[[str], Reply]
    write: Callable[[str, str], Reply]
    load: Callable[[str], Reply]
    used: Callable[[int, int, int], dict[str, int]]
    rates: tuple[float, float, float, float]


def _shell(command: str) -> Reply:
    return {"name": "exec_command", "arguments": {"cmd": command}}


MESSAGES = Dialect(
    serving=messages_api.serving,
    root="",
    thinking="thinking",
    shell=lambda command: tool("Bash", command=command, description="works"),
    write=lambda name, text: tool("Write", file_path=f"{{{{cwd}}}}/{name}", content=text),
    load=lambda skill: tool("Skill", skill=skill),
    used=lambda given, made, cached: {
        "input_tokens": given,
        "output_tokens": made,
        "cache_read_input_tokens": cached,
    },
    rates=(3.0, 15.0, 3.75, 0.3),
)
RESPONSES = Dialect(
    serving=responses_api.serving,
    root="/v1",
    thinking="reasoning",
    shell=_shell,
    write=lambda name, text: _shell(f"printf %s '{text}' > {name}"),
    load=lambda skill: _shell(f"cat $CODEX_HOME/skills/{skill}/SKILL.md"),
    used=lambda given, made, cached: {
        "input_tokens": given + cached,
        "output_tokens": made,
        "cached_tokens": cached,
    },
    rates=(5.0, 30.0, 5.0, 0.5),
)
DIALECTS = {"messages": MESSAGES, "responses": RESPONSES}


@dataclass(frozen=True)
class Whole:
    """One agent with all that the harness puts around it."""

    driver: AgentDriver

    @property
    def dialect(self) -> Dialect:
        return DIALECTS[self.driver.shape]

    @property
    def model(self) -> str:
        return MODEL[self.driver.shape]

    def shell(self, command: str, *counts: int) -> Reply:
        """Return a message with one command; `counts` are its input, output and cached tokens."""
        return self.message(self.dialect.shell(command), counts=counts)

    def message(self, *calls: Reply, counts: tuple[int, ...] = (), **rest: Any) -> Reply:
        """Return a message with tool calls."""
        usage = {"usage": self.dialect.used(*counts)} if counts else {}
        return {"tool_calls": list(calls), **usage, **rest}

    def said(self, *counts: int) -> Reply:
        """Return the message that ends a run."""
        return {**LAST, "usage": self.dialect.used(*counts)}

    def tokens(self, given: int | None, made: int | None, cached: int | None) -> ModelUsage:
        """Return the usage that a row holds; nothing is written to a cache."""
        written = None if cached is None else 0
        return tokens(given, made, written, cached, model=self.model)

    def cost(self, given: int, made: int, cached: int) -> float:
        """Return what tokens cost, by the rates of the dialect and not by the shipped table."""
        counts = (given, made, 0, cached)
        return (
            sum(count * rate for count, rate in zip(counts, self.dialect.rates, strict=True)) / 1e6
        )

    def call(self, prompt: str = "Do it.", **rest: Any) -> Call:
        """Return a call with the agent's tools."""
        return Call(prompt, self.model, "agent", **rest)

    def setting(self, server: Server, **facts: Any) -> Setting:
        """Return the setting of a run whose model is the stand-in."""
        url = server.url + self.dialect.root
        payer = billing.choose(self.driver.name, {}, allowed=("subscription",), base_url=url)
        known: dict[str, Any] = {"timeout_s": 120.0, "prices": pricing.load()} | facts
        return Setting(self.driver, choose(), payer, **known)

    @contextmanager
    def serving(self, *replies: Reply, **script: Any) -> Iterator[Server]:
        """Run the stand-in; after the replies the model has done."""
        with self.dialect.serving({"replies": list(replies), "default": LAST, **script}) as server:
            yield server

    def run(
        self,
        folder: RunFolder,
        *replies: Reply,
        facts: Mapping[str, Any] | None = None,
        **rest: Any,
    ) -> tuple[Execution, Server]:
        """Run the agent on a script; return what came of it and what its model was asked."""
        with self.serving(*replies) as server:
            found = attempt.run(self.call(), self.setting(server, **(facts or {})), folder, **rest)
        return found, server


def processes_with(text: str) -> list[int]:
    """Return the processes of this machine whose command line holds a text, zombies left out."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (place / "cmdline").read_bytes():
                found.append(int(place.name))
        except OSError:
            continue
    return found
