"""How a run ends: by itself or because it must, and what that says of the agent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from collectors.harness.agents.driver import Report
from collectors.harness.failures import Reason, reason_of
from collectors.harness.holds import Holder
from collectors.harness.processes import Running

GRACE_S = 5.0
LOOK_S = 0.2
"""How often it is looked whether a run is to end; a run that ends is noticed at once."""

Outcome = Literal["completed", "agent_error", "timeout", "infrastructure", "interrupted"]


@dataclass(frozen=True, slots=True)
class End:
    """How a process tree ended: its exit code, or None and for what we ended it."""

    code: int | None = None
    outcome: Outcome | None = None
    flooded: bool = False


def watched(running: Running, holder: Holder, deadline: float, halted: Callable[[], bool]) -> End:
    """Wait for the end of a process tree, or bring it about."""
    reasons: tuple[tuple[Callable[[], object], Outcome], ...] = (
        (halted, "interrupted"),
        (lambda: holder.stopped, "completed"),  # what that means, `judged` says
        (lambda: time.monotonic() - holder.held_s > deadline, "timeout"),
    )
    while (code := running.wait(_look_s(deadline + holder.held_s))) is None:
        for holds, outcome in reasons:
            if holds():
                running.stop(GRACE_S)
                return End(None, outcome, running.flooded)
    return End(code, None, running.flooded)


def _look_s(deadline: float) -> float:
    """Return how long to wait for the end of a program before the next look."""
    return min(LOOK_S, max(0.0, deadline - time.monotonic()))


def judged(end: End, report: Report, holder: Holder) -> tuple[Outcome, Reason | None]:
    """Return how a run ended and why; the model's absence excuses also a run that took too long.

    A run that a cap or the caller stopped is completed, and its cause is the caller's to name. One
    in which another model answered is interrupted: it says nothing of the pinned model, so it must
    not be scored; that is no fault of the agent's, and no evidence that the infrastructure lost it.
    """
    if end.outcome == "interrupted" or holder.stopped == "model":
        return "interrupted", None
    if holder.stopped:
        return "completed", None
    lost = reason_of(holder.last_status, report)
    if end.outcome == "timeout" and lost in {None, "setup_failed"}:
        return "timeout", "agent_timeout"  # it was given its task, however little it made of it
    if lost:
        return "infrastructure", lost
    return ("agent_error", "agent_exit") if report.failed else ("completed", None)
