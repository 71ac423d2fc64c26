"""The evidence that a failure is not the agent's."""

from __future__ import annotations

import typing

import pytest

from benchdata.contracts.skill_run import FAILURE_REASONS
from collectors.harness.agents.driver import Report
from collectors.harness.failures import EVIDENCE, Reason, reason_of

FAILED = Report(failed=True, sessions=1)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (401, "auth"),
        (403, "auth"),
        (429, "rate_limited"),
        (500, "api_unavailable"),
        (502, "api_unavailable"),
        (504, "api_unavailable"),
        (529, "api_unavailable"),
        (200, None),
        (400, None),
        (402, None),
        (404, None),
        (413, None),
        (428, None),
        (430, None),
        (600, None),
        (None, None),
    ],
)
def test_the_status_of_the_last_request_is_the_evidence(
    status: int | None, reason: Reason | None
) -> None:
    assert reason_of(status, FAILED) == reason


def test_a_run_that_did_not_fail_has_no_reason() -> None:
    assert reason_of(429, Report(failed=False)) is None


def test_what_the_gateway_saw_outweighs_what_the_agent_tells() -> None:
    assert reason_of(200, Report(failed=True, sessions=1, api_status=429)) is None
    assert reason_of(None, Report(failed=True, sessions=1, api_status=429)) == "rate_limited"


def test_a_program_without_a_login_says_so() -> None:
    assert reason_of(None, Report(failed=True, sessions=1, not_logged_in=True)) == "auth"
    assert reason_of(503, Report(failed=True, sessions=1, not_logged_in=True)) == "api_unavailable"


def test_an_agent_that_was_answered_had_a_login_whatever_its_commands_print() -> None:
    assert reason_of(200, Report(failed=True, sessions=1, not_logged_in=True)) is None


def test_a_program_that_never_began_is_no_failure_of_the_agent() -> None:
    assert reason_of(None, Report(failed=True, sessions=0)) == "setup_failed"
    assert reason_of(200, Report(failed=True, sessions=0)) is None


def test_every_reason_is_one_of_an_infrastructure_failure() -> None:
    reasons = {reason for _, reason in EVIDENCE}
    assert reasons <= set(FAILURE_REASONS["infrastructure"])
    assert reasons <= set(typing.get_args(Reason))
