"""May it be published? Every state of a group, every reason against it, and what overrules none."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import benchdata
from benchdata.contracts import Contract
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.contracts.gate import Gate as Needs
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.contracts.judgment import JUDGMENT
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.contracts.trial import TRIAL
from benchdata.dataset import Dataset
from benchdata.errors import ContractError
from benchdata.gates import Gate, judge
from benchdata.gates.coverage import values_of
from tests.support.drawn import DEMO, Row, drawn, write
from tests.support.jev_social import numbered_row
from tests.support.probe import PROBE, probe_row

HISTORY = "rows of schema version 1 are history: readable, never published"
SYNTHETIC = "the rows are synthetic: no measurement"
CONDITIONS = ("cold", "warm")
DOCS = Path("docs/publishing.md").read_text("utf-8")
PLATFORMS = ("instagram", "tiktok", "linkedin")


def opened(folder: Path, rows: Sequence[Row]) -> Dataset:
    return benchdata.open(write(folder / "rows.ndjson", rows))


def gate_of(folder: Path, rows: Sequence[Row], *require: str) -> Gate:
    return judge(opened(folder, rows), require=require)


def states(gate: Gate) -> list[tuple[str, bool, tuple[str, ...]]]:
    return [(group.status, group.ready, group.reasons) for group in gate.groups]


@pytest.mark.parametrize(
    ("rows", "status", "reasons"),
    [
        (1, "INCOMPLETE (1/10)", ("1 of 10 distinct rows: collect 9 more",)),
        (9, "INCOMPLETE (9/10)", ("9 of 10 distinct rows: collect 1 more",)),
        (10, "READY", ()),
        (11, "READY", ()),
    ],
)
def test_a_group_needs_ten_rows(
    tmp_path: Path, rows: int, status: str, reasons: tuple[str, ...]
) -> None:
    gate = gate_of(tmp_path, drawn([rows]))
    assert states(gate) == [(status, not reasons, reasons)]
    assert gate.ready is not bool(reasons)
    assert gate.verdict == ("INCOMPLETE" if reasons else "READY")
    assert (gate.minimum, gate.reasons, gate.notes) == (10, (), ())


@pytest.mark.parametrize(
    ("rows", "reasons"),
    [(9, (SYNTHETIC, "9 of 10 distinct rows: collect 1 more")), (10, (SYNTHETIC,))],
)
def test_synthetic_rows_are_never_ready(
    tmp_path: Path, rows: int, reasons: tuple[str, ...]
) -> None:
    gate = gate_of(tmp_path, drawn([rows], region="synthetic-x"))
    assert states(gate) == [(f"SYNTHETIC ({rows}/10)", False, reasons)]
    assert not gate.ready


@pytest.mark.parametrize("region", ["Synthetic-x", "synthetic", "a-synthetic-x"])
def test_only_the_prefix_makes_a_region_synthetic(tmp_path: Path, region: str) -> None:
    assert gate_of(tmp_path, drawn([10], region=region)).ready


@pytest.mark.parametrize("region", ["lab-eu", "synthetic-x"])
def test_old_rows_are_history_however_many(tmp_path: Path, region: str) -> None:
    gate = gate_of(tmp_path, drawn([12], region=region, schema_version=1))
    assert states(gate) == [("LEGACY SCHEMA (v1)", False, (HISTORY,))]


def test_one_group_that_is_not_ready_holds_all_back(tmp_path: Path) -> None:
    gate = gate_of(tmp_path, drawn([10, 10, 9]))
    assert [group.ready for group in gate.groups].count(True) == 2
    assert gate.verdict == "INCOMPLETE"
    assert gate_of(tmp_path, drawn([10, 10, 10])).verdict == "READY"


def test_the_demo_set_shows_every_state_but_ready() -> None:
    gate = judge(benchdata.open(DEMO))
    assert [group.status for group in gate.groups] == [
        "LEGACY SCHEMA (v1)",
        *(f"SYNTHETIC ({n}/10)" for n in (24, 12, 14, 12, 12, 7, 10, 16, 4)),
    ]
    assert gate.groups[0].label == "G1 instagram warm"


@pytest.mark.parametrize(
    ("distinct", "twins", "status"),
    [(9, 1, "INCOMPLETE (9/10)"), (9, 12, "INCOMPLETE (9/10)"), (10, 3, "READY")],
)
def test_rows_alike_in_all_but_run_id_count_once_and_are_named(
    tmp_path: Path, distinct: int, twins: int, status: str
) -> None:
    rows = drawn([distinct])
    copies = [rows[3] | {"run_id": numbered_row(n)["run_id"]} for n in range(twins)]
    dataset = opened(tmp_path, rows + copies)
    (group,) = judge(dataset).groups
    assert group.status == status
    (note,) = group.notes
    assert note.startswith(f"{twins} of {distinct + twins} rows equal another in all but run_id")
    named = sorted([rows[3]["run_id"], *(copy["run_id"] for copy in copies)])
    assert f"(such as {named[0]} and {named[-1]})" in note
    assert dataset.sql("select count(*) as n from rows").item() == distinct + twins


def test_several_sets_of_like_rows_add_up(tmp_path: Path) -> None:
    rows = drawn([10, 10])
    copies = [
        rows[at] | {"run_id": numbered_row(n)["run_id"]} for n, at in enumerate([0, 0, 1, 19])
    ]
    gate = gate_of(tmp_path, rows + copies)
    extra = [int(group.notes[0].split()[0]) if group.notes else 0 for group in gate.groups]
    assert sum(extra) == 4
    assert gate.ready


@pytest.mark.parametrize("change", [{"timing_ms": 1}, {"started_at": 1}, {"evidence": 1}])
def test_rows_that_differ_in_anything_else_count_each(tmp_path: Path, change: Row) -> None:
    near = {
        "timing_ms": {"jev_total": 3000, "socai_browser": 90000, "media": 40000, "total": 100001},
        "started_at": "2026-03-02T08:00:00.001Z",
        "evidence": numbered_row(0)["evidence"] | {"comments": 4},
    }
    rows = [numbered_row(1), numbered_row(2, **{name: near[name] for name in change})]
    (group,) = gate_of(tmp_path, rows).groups
    assert group.notes == ()
    assert group.status == "SYNTHETIC (2/10)"


def aside(folder: Path, rejected: int, rows: int = 10) -> Dataset:
    file = write(folder / "good.ndjson", drawn([rows]))
    note = {"source": "x", "source_digest": "0", "rejected": rejected}
    (folder / "good.ndjson.set-aside.json").write_text(json.dumps(note), "utf-8")
    return benchdata.open(file)


@pytest.mark.parametrize(
    ("rejected", "accepted", "reason"),
    [
        (0, 0, None),
        (1, 1, None),
        (1, 0, "1 row set aside: look at the rejects, then --accept-rejects 1"),
        (3, 0, "3 rows set aside: look at the rejects, then --accept-rejects 3"),
        (3, 2, "3 rows set aside, and 2 accepted: look at the rejects, then --accept-rejects 3"),
        (3, 4, "3 rows set aside, and 4 accepted: look at the rejects, then --accept-rejects 3"),
        (0, 2, "0 rows set aside, and 2 accepted: look at the rejects, then --accept-rejects 0"),
    ],
)
def test_rows_set_aside_must_be_accepted_by_their_number(
    tmp_path: Path, rejected: int, accepted: int, reason: str | None
) -> None:
    gate = judge(aside(tmp_path, rejected), accept_rejects=accepted)
    assert gate.reasons == ((reason,) if reason else ())
    assert gate.ready is (reason is None)
    assert gate.groups[0].status == "READY"
    said = rejected and rejected == accepted
    assert gate.notes == (("1 row set aside, as accepted",) if said else ())


def test_rows_set_aside_add_up_over_files(tmp_path: Path) -> None:
    aside(tmp_path / "a", 2)
    write(tmp_path / "b.ndjson", drawn([10], region="lab-us", seed=6))
    dataset = benchdata.open(tmp_path)
    assert not judge(dataset).ready
    assert judge(dataset, accept_rejects=2).ready


def test_required_fields_need_a_ready_group_for_each_combination(tmp_path: Path) -> None:
    full = gate_of(tmp_path, drawn([10] * 6), "platform", "condition")
    assert full.ready
    gate = gate_of(tmp_path, drawn([10, 10, 9]), "platform", "condition")
    cells = [f"platform {p}, condition {c}" for p, c in product(PLATFORMS, CONDITIONS)]
    assert gate.reasons == tuple(f"no READY group for {cell}" for cell in cells[2:])


def test_synthetic_and_old_groups_cover_nothing(tmp_path: Path) -> None:
    rows = drawn([10, 10], region="synthetic-x") + drawn([10, 10], schema_version=1, seed=6)
    gate = gate_of(tmp_path, rows, "condition")
    assert gate.reasons == tuple(f"no READY group for condition {c}" for c in CONDITIONS)


def test_a_field_required_twice_is_required_once(tmp_path: Path) -> None:
    assert gate_of(tmp_path, drawn([10, 10]), "condition", "condition").ready


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("platform", PLATFORMS),
        ("condition", CONDITIONS),
        ("profile_mode", ("existing", "isolated")),
        ("schema_version", (2,)),
    ],
)
def test_a_closed_list_of_values_is_that_of_the_newest_version(
    field: str, values: tuple[object, ...]
) -> None:
    assert values_of(JEV_SOCIAL, field) == values


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("region", "region has no closed list of values"),
        ("max_steps", "max_steps has no closed list of values"),
        ("outcome", "outcome is no group field of jev-social; those are schema_version, "),
        ("nope", "nope is no group field of jev-social"),
        ("", " is no group field of jev-social"),
    ],
)
def test_a_field_without_a_closed_list_cannot_be_required(field: str, words: str) -> None:
    with pytest.raises(ContractError, match=words):
        values_of(JEV_SOCIAL, field)


@pytest.mark.parametrize(
    ("contract", "field", "closed"),
    [
        (JEV_SOCIAL, "region", {"platform", "condition", "profile_mode", "schema_version"}),
        (SKILL_RUN, "category", {"stage", "endpoint", "sandbox"}),
        (BUILD_RUN, "lane", {"kind", "variant", "endpoint", "sandbox"}),
        (JUDGMENT, "judge_model", {"stage", "kind", "endpoint"}),
        (TRIAL, "model", {"none"}),
    ],
    ids=lambda value: value.name if isinstance(value, Contract) else None,
)
def test_the_refusal_lists_the_fields_that_can_be_required_as_the_docs_do(
    contract: Contract, field: str, closed: set[str]
) -> None:
    with pytest.raises(ContractError) as raised:
        values_of(contract, field)
    _, _, listed = str(raised.value).rpartition("these have one: ")
    assert set(listed.split(", ")) == closed
    (line,) = (row for row in DOCS.splitlines() if row.startswith(f"| `{contract.name}` |"))
    assert set(re.findall(r"[a-z_]+", line.rpartition("|")[0].rpartition("|")[2])) == closed


def test_a_contract_without_a_gate_is_never_ready(tmp_path: Path) -> None:
    rows = [probe_row(n) for n in range(30)]
    gate = judge(benchdata.open(write(tmp_path / "a.ndjson", rows), PROBE))
    reason = "contract probe-run declares no publication gate"
    assert states(gate) == [("NO GATE", False, (reason,))]
    assert (gate.ready, gate.minimum) == (False, 0)


def test_another_contract_brings_its_own_minimum_and_identity(tmp_path: Path) -> None:
    rows = [probe_row(1), probe_row(1) | {"seq": 2}, probe_row(3)]
    gated = replace(PROBE, gate=Needs(rows=3))
    dataset = benchdata.open(write(tmp_path / "a.ndjson", rows), gated)
    (group,) = judge(dataset, require=["lane"]).groups
    assert group.status == "INCOMPLETE (2/3)"
    (note,) = group.notes
    assert note.startswith("1 of 3 rows equal another in all but series and seq and count once")
    assert note.endswith("(such as one:1 and one:2)")
