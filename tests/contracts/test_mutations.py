"""Mutated Jev Social rows: every check fails first often enough, and nothing but RowError comes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdata.contracts.base import Contract
from benchdata.contracts.jev_social import JEV_SOCIAL
from tests.support.faults import error_of, first_fault, order
from tests.support.jev_social import STOP_REASONS, failed_row, valid_row
from tests.support.jev_social_breaks import BREAKS
from tests.support.trees import changed

CANARY = "Canary7f3a"
CANARY_NUMBER = 7340033551

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

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([0, 1, -1, CANARY_NUMBER, 2**53 - 1, 2**53, 4.0, 0.5]),
    st.floats(),
    st.sampled_from([CANARY, f" {CANARY}", f"/{CANARY}", f"{CANARY}\ud800", f"\x00{CANARY}", ""]),
    st.text(max_size=20).map(lambda text: CANARY + text),
    st.recursive(
        st.sampled_from([CANARY, CANARY_NUMBER, None]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
        max_leaves=5,
    ),
)
CHOICES = st.sampled_from(
    [*STOP_REASONS, *STOP_REASONS.values(), "goal_satisfied", "success", "partial", "failed"]
)
KEYS = st.sampled_from(["extra", "Cookie", "local_path", "TOKEN", "media", "total", "region", ""])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside `value`."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def nudged(value: Any) -> st.SearchStrategy[Any]:
    """Return values that are near `value` or look like it."""
    if isinstance(value, bool) or value is None:
        return JUNK
    if isinstance(value, int):
        steps = st.sampled_from([-100001, -1001, -1000, -2, -1, 1, 2, 999, 1000, 1001, 100001])
        return steps.map(lambda step: value + step) | st.just(float(value)) | st.just(str(value))
    if isinstance(value, str):
        return st.sampled_from(
            [value.upper(), f" {value}", f"{value}\n", value[:-1], value * 5, f"{value}{CANARY}"]
        )
    return JUNK


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
        mutate(draw, row)
    return row


def mutate(draw: st.DrawFn, row: dict[str, Any]) -> None:
    """Change one value or key of `row` in place."""
    *owners, key = draw(st.sampled_from(list(places(row))))
    place: Any = row
    for owner in owners:
        place = place[owner]
    match draw(st.sampled_from(["junk", "nudge", "nudge", "choice", "remove", "add", "swap"])):
        case "junk":
            place[key] = draw(JUNK)
        case "nudge":
            place[key] = draw(nudged(place[key]))
        case "choice":
            place[key] = draw(CHOICES)
        case "remove":
            del place[key]
        case "add" if isinstance(place, dict):
            place[draw(KEYS)] = draw(JUNK)
        case _:
            other = draw(st.sampled_from(list(row)))
            row[other], place[key] = place[key], row[other]


def check(contract: Contract, row: dict[str, Any]) -> int | None:
    """Validate a mutated row, hold every promise about it, return the place of its fault."""
    fault = first_fault(contract, row)
    error = error_of(contract, row)
    if error is None:
        assert fault is None
        normal = contract.validate(row)
        assert json.dumps(contract.validate(normal)) == json.dumps(normal)
        return None
    assert fault is not None
    assert error.path == fault.error.path
    assert fault.error.message in {"", error.message}
    assert 0 < len(error.message) <= 300
    assert len(error.path) <= 120
    assert CANARY not in error.message
    assert str(CANARY_NUMBER) not in error.message
    return fault.place


def test_every_check_is_the_first_to_fail_again_and_again() -> None:
    seen: Counter[tuple[int, int | None]] = Counter()

    @settings(
        max_examples=4000,
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
