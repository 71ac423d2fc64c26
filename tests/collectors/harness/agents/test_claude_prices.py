"""The shipped prices are those by which Claude Code tells its own cost."""

from __future__ import annotations

import pytest

from benchdata.stats import pricing
from collectors.harness.agents.driver import AgentDriver
from collectors.harness.folders import RunFolder
from tests.support.driven import ask, drive
from tests.support.gated import tokens
from tests.support.messages_api import serving


@pytest.mark.agents
@pytest.mark.slow
@pytest.mark.parametrize("model", [name for name in pricing.load().by_model if "claude" in name])
def test_claude_code_counts_with_the_same_prices(
    claude: AgentDriver, folder: RunFolder, model: str
) -> None:
    used = {
        "input_tokens": 1_000,
        "output_tokens": 200,
        "cache_creation_input_tokens": 30_000,
        "cache_read_input_tokens": 400_000,
    }
    with serving({"default": {"text": "x", "usage": used}}) as server:
        done = drive(claude, ask(claude, model=model), folder, server.url)
    assert done.report.usage == (tokens(1_000, 200, 30_000, 400_000, model=model),)
    assert pricing.load().cost(done.report.usage) == pytest.approx(done.report.cost_usd, abs=1e-9)
