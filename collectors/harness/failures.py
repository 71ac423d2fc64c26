"""Why an execution says nothing of the agent: by evidence, never by guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchdata.contracts.skill_run import FailureReason as Reason
from benchdata.errors import BenchdataError

if TYPE_CHECKING:
    from collectors.harness.agents.driver import Report

__all__ = ["NotBegun", "Reason", "SetupFailed", "reason_of"]

EVIDENCE: tuple[tuple[range, Reason], ...] = (
    (range(401, 402), "auth"),
    (range(403, 404), "auth"),
    (range(429, 430), "rate_limited"),
    (range(500, 600), "api_unavailable"),
)
"""What the status that the last request ended in proves; every other status proves nothing."""


class SetupFailed(BenchdataError):
    """A step of the harness failed before the agent was given its task."""


class NotBegun(BenchdataError):
    """What a run needs does not answer: it has no row, so that an outage uses up no cell."""


def reason_of(last_status: int | None, report: Report) -> Reason | None:
    """Return what kept the agent from its task; None when the failure is its own, or is none.

    `last_status` is the HTTP status of the agent's last request as the gateway saw it, which
    answers 502 in the place of a model that refuses the connection or stays silent. Without a
    request it is None, and what the agent program tells counts.
    """
    if not report.failed:
        return None
    status = report.api_status if last_status is None else last_status
    if status is None and not report.sessions:
        return "setup_failed"  # the program did not even begin, such as one that knows no such flag
    if last_status is None and report.not_logged_in:
        return "auth"
    return next((reason for statuses, reason in EVIDENCE if status in statuses), None)
