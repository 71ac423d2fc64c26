"""An agent program that is given something more: an `npx` of ours, or an MCP server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from collectors.harness.agents.driver import AgentDriver, Call, Invocation, Report
from collectors.harness.billing import Access
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.shape import ShapeName

SERVER = "edge"
"""The name of the MCP server in the names of its tools."""
START_S, CALL_S = 90, 180
"""How long a program waits for the server; longer than that waits for its connector."""

More = Callable[[Invocation, Callable[[Path], str]], Invocation]
"""Adds to how a program is started; the function turns a path into the one that it sees."""


@dataclass(frozen=True, slots=True)
class Equipped:
    """See `driver.AgentDriver`; it is `driver` but for `more`."""

    driver: AgentDriver
    more: More

    @property
    def name(self) -> str:
        """The name in rows and on the command line."""
        return self.driver.name

    @property
    def shape(self) -> ShapeName:
        """The protocol that it speaks with its model."""
        return self.driver.shape

    def version(self) -> str:
        """Return the program's version."""
        return self.driver.version()

    def readable(self) -> tuple[Path, ...]:
        """Return what the program needs to run."""
        return self.driver.readable()

    def invocation(
        self, call: Call, folder: RunFolder, access: Access, inside: Callable[[Path], str]
    ) -> Invocation:
        """Return how to start it, with more."""
        return self.more(self.driver.invocation(call, folder, access, inside), inside)

    def report(self, lines: Iterable[bytes], code: int | None, call: Call) -> Report:
        """Read the lines that the program printed."""
        return self.driver.report(lines, code, call)


def _claude(invocation: Invocation, url: str) -> Invocation:
    servers = {"mcpServers": {SERVER: {"type": "http", "url": url}}}
    waits = {"MCP_TIMEOUT": f"{START_S}000", "MCP_TOOL_TIMEOUT": f"{CALL_S}000"}
    return replace(
        invocation,
        argv=(*invocation.argv, "--mcp-config", json.dumps(servers)),
        environment={**invocation.environment, **waits},
    )


def _codex(invocation: Invocation, url: str) -> Invocation:
    settings = {
        "url": url,
        # else a server that is slow is missing without a word, and most of its tools are refused
        "required": True,
        "default_tools_approval_mode": "approve",
        "startup_timeout_sec": START_S,
        "tool_timeout_sec": CALL_S,
    }
    pairs = (f"mcp_servers.{SERVER}.{key}={json.dumps(each)}" for key, each in settings.items())
    return replace(
        invocation, argv=(*invocation.argv, *(word for pair in pairs for word in ("-c", pair)))
    )


WITH_SERVER: Mapping[str, Callable[[Invocation, str], Invocation]] = {
    "claude": _claude,
    "codex": _codex,
}
"""How each agent program is told of an MCP server; others speak no MCP."""
