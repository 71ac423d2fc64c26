"""Mutated Jev Social rows: every check fails first often enough, and nothing but RowError comes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdata.contracts.jev_social import JEV_SOCIAL
from tests.support.faults import error_of, order
from tests.support.jev_social import STOP_REASONS, failed_row, valid_row
from tests.support.jev_social_breaks import BREAKS
from tests.support.junk import CANARY, check, mutate
from tests.support.trees import changed

LOOSE = {
    "run_id": " 0B7F0D3E-51C6-4C1A-9F52-3D9E4A6B8C10 ",
    "started_at": "2026-03-02T08:00:00Z",
    "socai_version": "v0.6.0",
    "jev_social_commit": "\ufeff30F6136C22E1723C14FB230EB976288265213FA0",
    "region": "\tsynthetic-lab ",
}
"""Values that have another normal form."""

STARTS: tuple[dict[str, Any], ...] = (
    valid_row(),
    valid_row(**LOOSE),
    valid_row(1),
    failed_row(),
    failed_row(1, outcome="partial", stop_reason="step_limit", failure_category="step_limit"),
    valid_row(
        platform="linkedin",
        outcome="partial",
        stop_reason="cli_failed",
        failure_category="execution_error",
        evidence=failed_row()["evidence"] | {"records": 3},
    ),
)

CHOICES = (
    *(*STOP_REASONS, *STOP_REASONS.values(), "goal_satisfied"),
    *("success", "partial", "failed"),
)


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a row with one to three mutations, some aimed at a check, some at random."""
    row = changed(draw(st.sampled_from(STARTS)), {})
    aimed = draw(st.integers(0, 5))
    if aimed:
        # the later a check comes, the more often other faults hide it
        case = draw(st.sampled_from([*BREAKS, *BREAKS[20:], *BREAKS[30:]]))
        way = draw(st.sampled_from(case.ways))
        if row["schema_version"] == 2 or not any(path.startswith("jev_social") for path in way):
            row = changed(row if aimed == 1 else valid_row(row["schema_version"]), way)
    for _ in range(draw(st.integers(0 if aimed else 1, 2)) if aimed < 3 else 0):
        mutate(draw, row, CHOICES)
    return row


@pytest.mark.slow
def test_every_check_is_the_first_to_fail_again_and_again() -> None:
    seen: Counter[tuple[int, int | None]] = Counter()

    @settings(
        max_examples=6000,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(mutated())
    def run(row: dict[str, Any]) -> None:
        version = row.get("schema_version")
        seen[1 if version == 1 and type(version) is int else 2, check(JEV_SOCIAL, row)] += 1

    run()
    by_check = Counter[object]()
    for version in (1, 2):
        for place, declared in enumerate(order(JEV_SOCIAL, version)):
            by_check[declared] += seen[version, place]
    assert {declared: count for declared, count in by_check.items() if count < 20} == {}
    assert seen[1, None] + seen[2, None] >= 20


def test_a_long_key_is_shortened_and_its_value_not_told() -> None:
    error = error_of(JEV_SOCIAL, valid_row() | {"k" * 5000: CANARY})
    assert error is not None
    assert error.path == "k" * 119 + "…"
    assert CANARY not in str(error)
