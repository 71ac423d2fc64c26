"""The plan that is shown, and agreed to, before anything runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TextIO

from benchdata.errors import BenchdataError, counted
from benchdata.numbers import display
from collectors.harness.progress import HOUR_S, MINUTE_S, tell

YES = {"y", "yes"}
AGAIN = "what the infrastructure loses runs once more"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one execution would cost in USD at list prices, and what that assumes."""

    usd_each: float
    assumes: str


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is to run, of which agent, where and at whose expense.

    `payer` is a sentence that says who pays, and names an endpoint that is not the vendor's.
    `sandbox` says which one, and why when it is the weaker. Without prices there is no `estimate`.
    """

    arms: int
    tasks: int
    repeats: int
    timeout_s: float
    concurrency: int
    agent: str
    agent_version: str
    model: str
    payer: str
    sandbox: str
    estimate: Estimate | None

    @property
    def executions(self) -> int:
        """How many cells there are."""
        return self.arms * self.tasks * self.repeats

    def lines(self, due: int) -> list[str]:
        """Say the plan for a reader; `due` cells of it are still to be executed."""
        counts = ((self.arms, "arm"), (self.tasks, "task"), (self.repeats, "repeat"))
        product = " × ".join(counted(number, noun) for number, noun in counts)
        left = "" if due == self.executions else f", {due:,} still to run"
        limit, worst = display(self.timeout_s / MINUTE_S), display(due * self.timeout_s / HOUR_S)
        return [
            f"Runs: {product} = {counted(self.executions, 'execution')}{left}, {self._at_once()}.",
            f"Time: at most {limit} min each, so {worst} agent-hours at worst; {AGAIN}.",
            f"Cost: {self._cost(due)}",
            f"Agent: {self.agent} {self.agent_version}, model {self.model}.",
            self.payer,
            f"Sandbox: {self.sandbox}.",
        ]

    def _at_once(self) -> str:
        return "one at a time" if self.concurrency == 1 else f"{self.concurrency:,} at once"

    def _cost(self, due: int) -> str:
        if self.estimate is None:
            return "unknown, without prices and the tokens that one execution uses."
        each, assumes = self.estimate.usd_each, self.estimate.assumes
        return f"about {due * each:,.2f} USD at list prices, {each:,.4f} each: {assumes}."


def confirmed(lines: list[str], *, yes: bool) -> bool:
    """Show a plan on standard error and return whether to run it; without `yes` somebody is asked.

    Raises:
        BenchdataError: Nobody can be asked: standard input or standard error is no terminal.
    """
    for line in lines:
        tell(line)
    if yes:
        return True
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
        raise BenchdataError(
            "--yes: is needed where nobody can be asked; read the plan above first"
        )
    sys.stderr.write("Run it? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in YES


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()
