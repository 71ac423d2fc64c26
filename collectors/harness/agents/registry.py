"""The agent programs by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchdata.errors import InputError, did_you_mean
from collectors.harness.agents.claude import Claude
from collectors.harness.agents.codex import Codex
from collectors.harness.agents.driver import AgentDriver
from collectors.harness.agents.scripted import Scripted

DRIVERS: Mapping[str, Callable[[], AgentDriver]] = {
    "claude": Claude.found,
    "codex": Codex.found,
    "scripted": Scripted.found,
}


def driver(name: str) -> AgentDriver:
    """Return the driver of the agent `name`, found on this machine.

    Raises:
        InputError: There is no such agent.
        SetupFailed: Its program is not installed.
    """
    if name not in DRIVERS:
        raise InputError(
            f"agent: {name}: must be one of {', '.join(DRIVERS)}"
            f"{did_you_mean(name, tuple(DRIVERS))}"
        )
    return DRIVERS[name]()
