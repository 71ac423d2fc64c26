"""The environment of an agent process: nothing of the caller's is in it."""

from __future__ import annotations

import pytest

from collectors.harness.agents.driver import AgentDriver
from collectors.harness.environment import scrubbed
from collectors.harness.folders import RunFolder
from tests.support.driven import PLACEHOLDER, ask, invoked

CANARY = "canary-7d20"
CALLERS = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"),
    *("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CONFIG_DIR", "OPENAI_API_KEY"),
    *("OPENAI_BASE_URL", "CODEX_API_KEY", "CODEX_HOME", "AWS_PROFILE", "AWS_SECRET_ACCESS_KEY"),
    *("GOOGLE_APPLICATION_CREDENTIALS", "CLOUD_ML_REGION", "AZURE_OPENAI_API_KEY"),
)
PLAIN = ("PATH", "HOME", "TMPDIR", "LANG", "GITHUB_TOKEN", "PYTHONPATH", "NODE_OPTIONS", "EDITOR")


def test_nothing_of_the_caller_gets_in(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*CALLERS, *PLAIN, "LD_PRELOAD_", "HTTPS_PROXY"):
        monkeypatch.setenv(name, CANARY)
    environment = scrubbed(folder, str)
    assert CANARY not in environment.values()
    assert environment["HOME"] == str(folder.home)
    assert environment["TMPDIR"] == str(folder.tmp)


def test_paths_are_those_that_the_agent_sees(folder: RunFolder) -> None:
    environment = scrubbed(folder, lambda path: f"/agent/{path.relative_to(folder.agent)}")
    assert (environment["HOME"], environment["TMPDIR"]) == ("/agent/home", "/agent/tmp")
    assert str(folder.root) not in "".join(environment.values())


def test_a_driver_passes_one_credential_which_is_a_placeholder(
    any_agent: AgentDriver, folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trap 12."""
    for variable in CALLERS:
        monkeypatch.setenv(variable, CANARY)
    environment = invoked(any_agent, ask(any_agent), folder, "http://127.0.0.1:1").environment
    assert [*environment.values()].count(PLACEHOLDER) == 1
    assert CANARY not in environment.values()
