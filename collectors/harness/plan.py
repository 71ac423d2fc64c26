"""The plan that is shown, and agreed to, before anything runs."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from benchdata.contracts.usage import ModelUsage
from benchdata.errors import BenchdataError, counted
from benchdata.numbers import display
from benchdata.stats.pricing import Prices, known_cost
from collectors.harness.progress import HOUR_S, MINUTE_S, tell

if TYPE_CHECKING:
    from collectors.harness.attempt import Setting

LEAST_HOURS = 0.01
"""Agent-hours; less is not told to the second."""
YES = {"y", "yes"}
AGAIN = "what the infrastructure loses runs once more"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one execution would cost in USD at list prices, and what that assumes."""

    usd_each: float
    assumes: str

    @classmethod
    def of(
        cls, used: Sequence[ModelUsage], prices: Prices | None, assumes: str, *, among: int = 1
    ) -> Estimate | None:
        """Return what tokens of one model cost, by so many executions; None without a price."""
        total = known_cost(prices, used)
        if prices is None or total is None:
            return None
        as_of = prices.of(used[0].model).as_of
        return cls(total / among, f"{assumes}, prices of {as_of}")


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
        most, worst = limit(self.timeout_s), hours(due * self.timeout_s)
        return [
            f"Runs: {product} = {counted(self.executions, 'execution')}{left}, {self._at_once()}.",
            f"Time: at most {most} each, so {worst} agent-hours at worst; {AGAIN}.",
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
        if not each:
            return "nothing: the list price of the model is 0."
        return f"about {due * each:,.2f} USD at list prices, {each:,.4f} each: {assumes}."


def limit(seconds: float) -> str:
    """Return a limit as a reader says it: `10 min`, `1.5 min`, `1 s`."""
    if seconds < MINUTE_S:
        return f"{display(seconds)} s"
    return f"{display(seconds / MINUTE_S)} min"


def hours(seconds: float) -> str:
    """Return a time in hours, which is not told to the second."""
    found = seconds / HOUR_S
    return f"less than {LEAST_HOURS}" if 0 < found < LEAST_HOURS else display(found)


def of(
    setting: Setting,
    *,
    arms: int,
    tasks: int,
    repeats: int,
    concurrency: int,
    agent_version: str,
    model: str,
    estimate: Estimate | None,
) -> Plan:
    """Return the plan of runs that have a setting alike."""
    weakness = setting.sandbox.weakness
    return Plan(
        arms=arms,
        tasks=tasks,
        repeats=repeats,
        timeout_s=setting.timeout_s,
        concurrency=concurrency,
        agent=setting.driver.name,
        agent_version=agent_version,
        model=model,
        payer=setting.payer.sentence,
        sandbox=f"{setting.sandbox.name}{f', {weakness}' if weakness else ''}",
        estimate=estimate,
    )


def confirmed(lines: list[str], *, yes: bool) -> bool:
    """Show a plan on standard error and return whether to run it; without `yes` somebody is asked.

    Ctrl-C and Ctrl-D are a no.

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
    answer = _answer("Run it? [y/N] ")
    if not answer.endswith("\n"):
        tell("")  # the cursor is still behind the question
    return answer.strip().lower() in YES


def _answer(question: str) -> str:
    """Return the line that somebody types, or nothing at Ctrl-C."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    before = signal.set_wakeup_fd(wakes)
    try:
        sys.stderr.write(question)
        sys.stderr.flush()
        # a read alone would miss the Ctrl-C that came just before it, and wait for a line
        select.select([sys.stdin, woken], [], [])
        return sys.stdin.readline()
    except KeyboardInterrupt:
        return ""
    finally:
        signal.set_wakeup_fd(before)
        os.close(woken)
        os.close(wakes)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()
