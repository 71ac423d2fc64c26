"""The stop reason: the first row of the protocol's table that holds, and what follows from it."""

from __future__ import annotations

from typing import Any

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL, StopReason
from collectors.jev_social.row import STOP_REASONS, End, evidence, measured, outcome, stop_reason
from tests.support.jev_social import STOP_REASONS as CATEGORIES
from tests.support.jev_social import valid_row


def end(status: str = "partial", code: str = "", text: str = "", records: int = 0) -> End:
    return End(status, code, text, records, started=True)


TABLE: dict[str, list[tuple[End, StopReason]]] = {
    "1": [
        (end("completed", records=1), "goal_satisfied"),
        (end("completed", records=0), "empty_results"),
        (end("completed", "BENCHMARK_MEDIA_COLLECTION_FAILED", "", 1), "media_unavailable"),
    ],
    "2": [(end("step_limit", "SOCAI_TIMEOUT", "login", 1), "step_limit")],
    "3": [
        (end("interrupted", "JEV_UNAVAILABLE"), "interrupted"),
        (end(code="SOCAI_ABORTED"), "interrupted"),
        (end(code="INTERRUPTED"), "interrupted"),
    ],
    "4": [
        (end("decision_failed", text="login"), "decision_failed"),
        *(
            (end(code=code, text="login"), "decision_failed")
            for code in (
                *("JEV_UNAVAILABLE", "INVALID_JEV_RESPONSE", "JEV_ROUTE_MISMATCH"),
                *("INVALID_DECISION_PROVIDER", "LOW_CLASSIFICATION_CONFIDENCE"),
                *("ONBOARDING_REQUIRED", "UNSUPPORTED_TASK", "LOW_ACTION_CONFIDENCE"),
                *("MODEL_PIN_MISMATCH", "MODEL_PIN_UNVERIFIED"),
            )
        ),
    ],
    "5": [
        *(
            (end("blocked", "REPORT_X", text, 1), "login_required")
            for text in ("login_required", "Login first", "please sign-in", "SIGN IN", "signin")
        ),
        (end("blocked", text="login captcha"), "login_required"),
    ],
    "6": [
        (end("blocked", text="Captcha shown"), "challenge_required"),
        (end("blocked", text="challenge_required"), "challenge_required"),
    ],
    "7": [
        (end("blocked", text=text), "rate_limited")
        for text in ("rate_limited", "rate-limit", "ratelimit", "Rate Limit")
    ],
    "8": [(end(code="REPORT_GENERATION_MEDIA"), "report_failed")],
    "9": [
        (end(code="VIDEO_CAPABILITY_MISSING"), "media_unavailable"),
        (end(code="MEDIA_DOWNLOAD_FAILED"), "media_unavailable"),
    ],
    "10": [
        (end(code="BROWSER_TIMEOUT"), "browser_unavailable"),
        (end(code="REMOTE_SESSION_CLOSED"), "browser_unavailable"),
        (end(code="THE_BROWSER_IS_GONE", records=1), "unknown"),
    ],
    "11": [
        (end(code=code), "capability_unavailable")
        for code in (
            *("SOCAI_VERSION_MISMATCH", "SOCAI_VERSION_UNVERIFIABLE"),
            *("SOCAI_CAPABILITY_MISSING", "SOCAI_NOT_FOUND"),
        )
    ],
    "12": [
        (end(code=code), "cli_failed")
        for code in (
            *("SOCAI_TIMEOUT", "SOCAI_FAILED", "SOCAI_OUTPUT_TOO_LARGE", "CLI_ERROR"),
            *("EMPTY_SOCAI_OUTPUT", "INVALID_SOCAI_OUTPUT"),
        )
    ],
    "13": [(end(code="NETWORK_DOWN"), "network_error"), (end(code="FETCH_X"), "network_error")],
    "14": [
        (end("blocked", text="access denied"), "empty_results"),
        (end("partial", "NO_ACTIONS"), "empty_results"),
    ],
    "15": [
        (end("partial", records=1), "unknown"),
        (End("preparing", "ODD", "", 0, started=False), "unknown"),
    ],
    # where the protocol marks a trap, and what we do instead
    "a wrong model on a run that reached its limit": [
        (end("step_limit", "MODEL_PIN_MISMATCH", "", 3), "decision_failed"),
        (end("interrupted", "MODEL_PIN_MISMATCH", "", 3), "decision_failed"),
        (end("completed", "MODEL_PIN_UNVERIFIED", "", 3), "decision_failed"),
    ],
    "a fault of the collector is no empty result": [
        (end("running", "COLLECTOR_FAILED"), "unknown")
    ],
}


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        pytest.param(how, reason, id=f"row {row}: {reason}")
        for row, cases in TABLE.items()
        for how, reason in cases
    ],
)
def test_the_first_rule_that_holds_gives_the_reason(how: End, reason: StopReason) -> None:
    assert stop_reason(how) == reason


def test_every_reason_of_the_contract_can_be_given() -> None:
    assert {reason for reason, _ in STOP_REASONS} == {"goal_satisfied", *CATEGORIES}


@pytest.mark.parametrize("records", [0, 2])
@pytest.mark.parametrize("reason", CATEGORIES)
def test_an_outcome_is_partial_when_there_are_records(reason: StopReason, records: int) -> None:
    assert outcome(reason, records) == {
        "outcome": "partial" if records else "failed",
        "stop_reason": reason,
        "failure_category": CATEGORIES[reason],
    }


def test_a_success_has_no_category() -> None:
    assert outcome("goal_satisfied", 1)["failure_category"] is None


def test_the_parts_make_a_valid_row() -> None:
    parts: dict[str, Any] = {
        **measured(latencies=[5, 6], browser=70, media=60, total=100_000),
        **evidence(2, 3, 1, 10),
        **outcome("step_limit", 2),
    }
    row = valid_row(**parts)
    assert JEV_SOCIAL.validate(row) == row
    assert row["timing_ms"]["jev_total"] == 11
