"""What a build-run row means: which attempts count as what, and what must match to be pooled."""

from __future__ import annotations

from typing import Any

import pytest

from benchdata.contracts.build_run import BUILD_RUN
from benchdata.contracts.meaning import Pin
from benchdata.rows import frames
from tests.support.build_run import CONFORMANCE, LOST, RED, probe, valid_row
from tests.support.trees import Changes


def stored(changes: Changes) -> dict[str, Any]:
    """Return the stored columns of a valid row."""
    row = BUILD_RUN.validate(valid_row(changes))
    return frames.from_rows([1], [row], BUILD_RUN).row(0, named=True)


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({}, "success"),
        (RED, "partial"),
        ({**RED, "stop_cause": "max_turns"}, "partial"),
        ({**RED, "stop_cause": "error"}, "failed"),
        ({**RED, "probes": [probe("a", "fail")], "test_pass_rate": 0}, "failed"),
        ({**RED, "probes": [], "test_pass_rate": None}, "failed"),
        (LOST, "unscored"),
        ({**RED, "stop_cause": "interrupted"}, "unscored"),
        (CONFORMANCE, "success"),
        (
            {
                **RED,
                **{k: v for k, v in CONFORMANCE.items() if k not in RED},
                "stop_cause": "completed",
            },
            "partial",
        ),
    ],
)
def test_outcomes(changes: Changes, result: str) -> None:
    assert stored(changes)[frames.RESULT] == result


@pytest.mark.parametrize(
    ("changes", "synthetic"),
    [
        ({}, False),
        ({"endpoint": "custom"}, False),
        ({"endpoint": "stand_in"}, True),
        ({"agent": "scripted"}, True),
        ({"kind": "scripted"}, True),
        (CONFORMANCE, False),
    ],
)
def test_what_no_model_stands_behind_is_synthetic(changes: Changes, *, synthetic: bool) -> None:
    assert stored(changes)[frames.SYNTHETIC] is synthetic


@pytest.mark.parametrize("count", range(1, 40))
def test_every_quotient_is_taken_for_a_rate_and_its_rounding_is_not(count: int) -> None:
    for passed in range(count + 1):
        probes = [probe(f"p{n}", "pass" if n < passed else "fail") for n in range(count)]
        row = valid_row(RED, probes=probes, test_pass_rate=passed / count)
        assert BUILD_RUN.validate(row)["test_pass_rate"] == passed / count


def test_what_is_pooled_has_every_pin_in_common_but_not_the_seed() -> None:
    fields = set(BUILD_RUN.newest.model_fields)
    assert {name for name in fields if name.endswith(("_digest", "_version"))} - {
        *BUILD_RUN.group,
        "schema_version",
    } == set()
    assert {"max_turns", "max_wall_s", "suite_timeout_s"} <= set(BUILD_RUN.group)
    assert {"seed", "suite_id", "repeat"}.isdisjoint(BUILD_RUN.group)
    for name, companions in BUILD_RUN.companions.items():
        assert {name, *companions} <= set(BUILD_RUN.group)


def test_what_a_group_lacks_is_printed_as_absent() -> None:
    row = stored(CONFORMANCE)
    assert {
        pin.title: pin.of(row) for pin in BUILD_RUN.pins if pin.of(row) == "—"
    } == dict.fromkeys(("Agent", "Model", "Endpoint", "Rubric"), "—")
    assert Pin("x", "{agent:.12} {lane}", absent="none").of(row) == "none"
