"""The agent programs that are installed here, and a fresh folder for a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.harness import folders
from collectors.harness.agents.driver import AgentDriver
from collectors.harness.agents.registry import driver
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder
from collectors.harness.sandbox.probe import bubblewrap_fault
from tests.support.whole import Whole

REAL = ("claude", "codex")


def installed(name: str) -> AgentDriver:
    """Return the driver of a program, or skip the test where it is not installed."""
    try:
        return driver(name)
    except SetupFailed as missing:
        pytest.skip(str(missing))


@pytest.fixture
def claude() -> AgentDriver:
    """The real Claude Code."""
    return installed("claude")


@pytest.fixture
def codex() -> AgentDriver:
    """The real codex."""
    return installed("codex")


@pytest.fixture(params=["claude", "codex", "scripted"])
def any_agent(request: pytest.FixtureRequest) -> AgentDriver:
    """Every agent program in turn."""
    return installed(request.param)


@pytest.fixture(
    scope="module", params=["scripted", *(pytest.param(n, marks=pytest.mark.agents) for n in REAL)]
)
def whole(request: pytest.FixtureRequest) -> Whole:
    """Every agent in turn, with all that the harness puts around it: bubblewrap, above all."""
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    return Whole(installed(request.param))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[RunFolder]:
    """The folder of a new run, all of it removed afterwards."""
    made = folders.create(tmp_path / "run")
    yield made
    if made.agent.exists():
        made.remove()
