"""The publication gate of build runs: agents, no stand-in, ten repeats, equal caps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.gates import Gate, judge
from benchdata.reports import standing
from benchdata.reports.summary import summarize_each
from tests.support import build_run
from tests.support.drawn import Row, write
from tests.support.planned import lanes

TEN = [5.0] * 10


def gate_of(folder: Path, rows: list[Row]) -> Gate:
    return judge(benchdata.open(write(folder / "rows.ndjson", rows)))


def states(gate: Gate) -> list[tuple[str, tuple[str, ...]]]:
    return [(group.status, group.reasons) for group in gate.groups]


def test_ten_repeats_of_each_lane_and_task_are_ready(tmp_path: Path) -> None:
    gate = gate_of(tmp_path, lanes({"aster": {"t1": TEN, "t2": TEN}, "birch": {"t1": TEN}}))
    assert states(gate) == [("READY", ())] * 3
    assert gate.groups[0].shows[0].startswith("READY allows publication, not comparison: 0 fail")


def test_nine_repeats_are_not(tmp_path: Path) -> None:
    gate = gate_of(tmp_path, lanes({"aster": {"t1": TEN[:9]}}))
    reason = "9 of 10 distinct rows: collect 1 more"
    assert states(gate) == [("INCOMPLETE (9/10)", (reason,))]


def test_a_row_that_the_machine_lost_is_no_repeat(tmp_path: Path) -> None:
    rows = lanes({"aster": {"t1": TEN}}, **build_run.PLAIN)
    rows[3] |= build_run.LOST
    assert states(gate_of(tmp_path, rows))[0][0] == "INCOMPLETE (9/10)"


NO_RESULT = ("NO RESULT", ("kind is conformance: only rows of kind agent are published",))


def test_nothing_waits_for_a_reference_run(tmp_path: Path) -> None:
    rows = [*lanes({"aster": {"t1": TEN}}), build_run.valid_row(build_run.CONFORMANCE)]
    gate = gate_of(tmp_path, rows)
    assert states(gate) == [("READY", ()), NO_RESULT]
    assert gate.ready
    assert not gate.groups[1].ready


def test_reference_runs_alone_are_nothing_to_publish(tmp_path: Path) -> None:
    gate = gate_of(tmp_path, [build_run.valid_row(build_run.CONFORMANCE)])
    assert (states(gate), gate.reasons) == ([NO_RESULT], ("no row is a result",))
    assert not gate.ready


def test_a_report_counts_reference_runs_apart(tmp_path: Path) -> None:
    rows = [*lanes({"aster": {"t1": TEN}}), build_run.valid_row(build_run.CONFORMANCE)]
    summary = summarize_each(benchdata.open(write(tmp_path / "rows.ndjson", rows)))[0]
    assert standing.headline(summary).endswith("; READY: 1 of 1 group, 1 more without a result.")


@pytest.mark.parametrize(
    ("fields", "more"),
    [
        ({"endpoint": "stand_in"}, ()),
        ({"agent": "scripted"}, ()),
        ({"kind": "scripted"}, ("kind is scripted: only rows of kind agent are published",)),
    ],
)
def test_a_pipeline_proof_is_never_ready(
    tmp_path: Path, fields: dict[str, Any], more: tuple[str, ...]
) -> None:
    gate = gate_of(tmp_path, lanes({"aster": {"t1": TEN}}, **fields))
    proof = "the rows are synthetic: no measurement"
    assert states(gate) == [("SYNTHETIC (10/10)", (proof, *more))]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("max_turns", 90, "max_turns differs between groups that are compared: 80, 90"),
        ("max_wall_s", 800.0, "max_wall_s differs between groups that are compared: 800.0, 900.0"),
        (
            "suite_timeout_s",
            30.0,
            "suite_timeout_s differs between groups that are compared: 30.0, 60.0",
        ),
    ],
)
def test_caps_are_equal_across_lanes_that_are_compared(
    tmp_path: Path, field: str, value: float, reason: str
) -> None:
    rows = lanes({"aster": {"t1": TEN}})
    rows += lanes({"birch": {"t1": TEN}}, first=100, **{field: value})
    assert states(gate_of(tmp_path, rows)) == [("INCOMPLETE (10/10)", (reason,))] * 2


def test_caps_of_another_task_or_model_are_its_own(tmp_path: Path) -> None:
    rows = lanes({"aster": {"t1": TEN}})
    rows += lanes({"aster": {"t2": TEN}}, first=100, max_turns=90)
    rows += lanes({"aster": {"t1": TEN}}, first=200, max_turns=95, model="acme/other-1")
    assert gate_of(tmp_path, rows).ready
