"""The real Claude Code when a run ends before its time: errors, refusals, signals and limits."""

from __future__ import annotations

import json
import signal
from subprocess import Popen

import pytest

from collectors.harness.agents.driver import AgentDriver
from collectors.harness.failures import reason_of
from collectors.harness.folders import RunFolder
from tests.support.driven import appears, ask, drive, tool
from tests.support.messages_api import serving

pytestmark = pytest.mark.agents

WAITING = 'touch begun; python3 -c "import time; time.sleep(30)"'
SLOW = {"replies": [{"tool_calls": [tool("Bash", command=WAITING)]}]}


@pytest.mark.parametrize(
    ("status", "reason"),
    [(401, "auth"), (403, "auth"), (429, "rate_limited"), (500, "api_unavailable"), (400, None)],
)
def test_an_error_of_the_api_is_told_by_its_status(
    claude: AgentDriver, folder: RunFolder, status: int, reason: str | None
) -> None:
    """Trap 5, and retries that end within seconds."""
    with serving({"replies": [{"status": status, "consume": False}]}) as server:
        done = drive(claude, ask(claude), folder, server.url)
    last = json.loads(folder.stdout.read_bytes().splitlines()[-1])
    assert (last["subtype"], last["is_error"]) == ("success", True)
    assert (done.code, done.report.failed, done.report.api_status) == (1, True, status)
    assert reason_of(None, done.report) == reason
    assert len(server.asked) <= 3
    assert done.seconds < 20


def test_not_logged_in_is_told(claude: AgentDriver, folder: RunFolder) -> None:
    with serving({}) as server:
        done = drive(claude, ask(claude), folder, server.url, environment={"ANTHROPIC_API_KEY": ""})
    assert not server.asked
    assert (done.report.failed, done.report.not_logged_in) == (True, True)
    assert reason_of(None, done.report) == "auth"


def test_a_model_that_nobody_serves_ends_the_run(claude: AgentDriver, folder: RunFolder) -> None:
    with serving({"replies": [{"drop": True, "consume": False}]}) as server:
        done = drive(claude, ask(claude), folder, server.url)
    assert done.report.failed
    assert done.report.api_status is None


def test_a_program_that_knows_no_such_flag_never_begins(
    claude: AgentDriver, folder: RunFolder
) -> None:
    """Trap 17: flags differ between versions, and the agent is not to blame."""
    with serving({}) as server:
        done = drive(claude, ask(claude), folder, server.url, extra=("--of-another-version",))
    assert not server.asked
    assert reason_of(None, done.report) == "setup_failed"


def test_the_model_declined(claude: AgentDriver, folder: RunFolder) -> None:
    declined = {"text": "I cannot.", "stop_reason": "refusal"}
    with serving({"default": declined}) as server:
        done = drive(claude, ask(claude), folder, server.url)
    assert (done.report.refused, done.report.failed, done.report.answer) == (True, True, None)
    assert reason_of(200, done.report) is None


def test_an_interrupt_lets_it_tell_what_it_used(claude: AgentDriver, folder: RunFolder) -> None:
    """Trap 15."""

    def meanwhile(process: Popen[bytes]) -> None:
        appears(folder.work / "begun")
        process.send_signal(signal.SIGINT)

    with serving(SLOW) as server:
        done = drive(claude, ask(claude), folder, server.url, meanwhile=meanwhile)
    assert done.report.failed
    assert [each.input_tokens for each in done.report.usage] == [100]
    assert reason_of(200, done.report) is None


def test_an_interrupted_request_leaves_the_usage_unknown(
    claude: AgentDriver, folder: RunFolder
) -> None:
    """Trap 15: it ends without a result then, and yet with the exit code 0."""

    def meanwhile(process: Popen[bytes]) -> None:
        server.wait_for(1)
        process.send_signal(signal.SIGINT)

    with serving({"replies": [{"text": "late", "delay_s": 8}]}) as server:
        done = drive(claude, ask(claude), folder, server.url, meanwhile=meanwhile)
    assert (done.code, done.report.failed, done.report.usage) == (0, True, ())


def test_a_termination_leaves_the_usage_unknown(claude: AgentDriver, folder: RunFolder) -> None:
    """Trap 15: then only the gateway knows."""

    def meanwhile(process: Popen[bytes]) -> None:
        appears(folder.work / "begun")
        process.terminate()

    with serving(SLOW) as server:
        done = drive(claude, ask(claude), folder, server.url, meanwhile=meanwhile)
    assert done.code == 143
    assert (done.report.failed, done.report.usage, done.report.cost_usd) == (True, (), None)
    assert done.report.turns == 1


def test_the_most_turns_end_a_run(claude: AgentDriver, folder: RunFolder) -> None:
    replies = [{"tool_calls": [tool("Bash", command="date")]}] * 5
    with serving({"replies": replies}) as server:
        done = drive(claude, ask(claude), folder, server.url, extra=("--max-turns", "2"))
    assert len(server.asked) == 2
    assert (done.report.failed, done.report.turns) == (True, 2)
    assert reason_of(200, done.report) is None
