"""What a trial row of another tool means: its identity, and which trials count as what."""

from __future__ import annotations

import hashlib
import uuid

import pytest

from benchdata.contracts.trial import TRIAL, imported_id
from benchdata.rows import frames
from tests.support.trees import Changes
from tests.support.trial_rows import LOST, NOT_SCORED, valid_row


def test_an_imported_identity_is_a_digest_with_the_bits_of_a_uuid4() -> None:
    made = imported_id("acme-trials", "sample-1", "task__A")
    digest = hashlib.sha256(b"acme-trials\nsample-1\ntask__A").hexdigest()[:32]
    assert uuid.UUID(made).version == 4
    kept = [place for place in range(32) if place not in {12, 16}]
    assert [made.replace("-", "")[place] for place in kept] == [digest[place] for place in kept]
    assert TRIAL.validate(valid_row(trial_id=made))["trial_id"] == made


def test_another_source_study_or_name_is_another_identity() -> None:
    names = [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "c"), ("b", "b", "c"), ("ab", "", "c")]
    assert len({imported_id(*parts) for parts in names}) == len(names)


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({}, "success"),
        ({"passed": True, "score": 0.5}, "success"),
        ({"passed": None}, "success"),
        ({"passed": None, "score": 0.5}, "partial"),
        ({"passed": False, "score": 0.5, "outcome": "timeout"}, "partial"),
        ({"passed": False, "score": 0.0}, "failed"),
        ({"passed": False, "score": None, "outcome": "agent_error"}, "failed"),
        (LOST, "unscored"),
        ({**NOT_SCORED, "outcome": "unscored"}, "unscored"),
    ],
)
def test_outcomes(changes: Changes, result: str) -> None:
    row = TRIAL.validate(valid_row(changes))
    assert frames.from_rows([1], [row], TRIAL)[frames.RESULT].item() == result


@pytest.mark.parametrize(
    ("agent", "synthetic"), [("scripted", True), ("claude", False), (None, False)]
)
def test_a_scripted_agent_is_no_measurement(agent: str | None, *, synthetic: bool) -> None:
    row = TRIAL.validate(valid_row(agent=agent))
    assert frames.from_rows([1], [row], TRIAL)[frames.SYNTHETIC].item() is synthetic
