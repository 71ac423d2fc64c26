"""The plan: what it says, and who may agree to it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from collectors.harness.plan import Estimate, Plan

ASSUMED = "12,000 input and 800 output tokens, prices of 2026-11-30"
AGAIN = "what the infrastructure loses runs once more"
PLAN = Plan(
    arms=2,
    tasks=10,
    repeats=3,
    timeout_s=600,
    concurrency=4,
    agent="claude",
    agent_version="2.1.332",
    model="claude-opus-5-5",
    payer="Paid by the claude subscription of CLAUDE_CODE_OAUTH_TOKEN.",
    sandbox="bubblewrap",
    estimate=Estimate(0.06, ASSUMED),
)
PROGRAM = """
import sys
from benchdata.errors import BenchdataError
from collectors.harness.plan import confirmed
try:
    print(confirmed(["60 executions"], yes="--yes" in sys.argv))
except BenchdataError as error:
    sys.exit(str(error))
"""


def test_a_plan_says_how_much_how_long_at_what_cost_and_who_pays() -> None:
    assert PLAN.lines(60) == [
        "Runs: 2 arms × 10 tasks × 3 repeats = 60 executions, 4 at once.",
        f"Time: at most 10 min each, so 10 agent-hours at worst; {AGAIN}.",
        f"Cost: about 3.60 USD at list prices, 0.0600 each: {ASSUMED}.",
        "Agent: claude 2.1.332, model claude-opus-5-5.",
        "Paid by the claude subscription of CLAUDE_CODE_OAUTH_TOKEN.",
        "Sandbox: bubblewrap.",
    ]


def test_a_plan_that_is_gone_on_with_counts_what_is_left() -> None:
    said = PLAN.lines(7)
    assert said[0].endswith("= 60 executions, 7 still to run, 4 at once.")
    assert "so 1.167 agent-hours at worst" in said[1]
    assert said[2].startswith("Cost: about 0.42 USD at list prices, 0.0600 each")


def test_a_small_plan_without_prices_says_so() -> None:
    small = replace(PLAN, arms=1, tasks=1, repeats=1, timeout_s=90, concurrency=1, estimate=None)
    said = small.lines(1)
    assert said[0] == "Runs: 1 arm × 1 task × 1 repeat = 1 execution, one at a time."
    assert "at most 1.5 min each, so 0.025 agent-hours" in said[1]
    assert said[2] == "Cost: unknown, without prices and the tokens that one execution uses."


def test_short_limits_are_said_in_seconds_and_what_costs_nothing_as_that() -> None:
    said = replace(PLAN, timeout_s=1, estimate=Estimate(0, ASSUMED)).lines(2)
    assert "at most 1 s each, so less than 0.01 agent-hours at worst" in said[1]
    assert said[2] == "Cost: nothing: the list price of the model is 0."


def asked(root: Path, answer: bytes) -> tuple[str, str]:
    """Return what is printed and what the terminal shows when somebody at it types `answer`."""
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "r+b", buffering=0) as terminal:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            cwd=root,
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
        )
        os.close(theirs)
        shown = b""
        while b"[y/N] " not in shown:
            shown += os.read(terminal.fileno(), 4096)
        terminal.write(answer)
        out, _ = process.communicate(timeout=30)
    return out.decode(), shown.decode()


@pytest.mark.parametrize(
    ("answer", "agreed"),
    [(b"y\n", True), (b" YES \n", True), (b"\n", False), (b"no\n", False), (b"\x04", False)],
)
def test_somebody_at_a_terminal_is_asked(root: Path, answer: bytes, agreed: bool) -> None:
    out, shown = asked(root, answer)
    assert out == f"{agreed}\n"
    assert shown == "60 executions\r\nRun it? [y/N] "


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program where nobody can be asked, even though `y` can be read."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.run(
        command, cwd=root, input="y\n", capture_output=True, text=True, check=False
    )


def test_where_nobody_can_be_asked_it_is_refused(root: Path) -> None:
    done = run(root)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "60 executions",
        "--yes: is needed where nobody can be asked; read the plan above first",
    ]


def test_an_agreement_given_before_is_enough_and_the_plan_is_shown(root: Path) -> None:
    done = run(root, "--yes")
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "60 executions\n")
