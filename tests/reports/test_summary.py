"""The summary: counts, rates, percentiles and dates of every group, against plain Python."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import benchdata
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.reports import formats
from benchdata.reports.summary import Group, Summary, summarize_each
from tests.support import build_run
from tests.support.drawn import DEMO_ROWS, Row, demo_rows, drawn, generator, write
from tests.support.jev_social import failed_row, numbered_row, valid_row
from tests.support.probe import PROBE, probe_row

OLD_LIMIT_ROWS, OLD_LIMIT_BYTES = 10_000, 16_777_216


def summary_of(folder: Path, rows: Sequence[Row]) -> Summary:
    return summarize_each(benchdata.open(write(folder / "rows.ndjson", rows)))[0]


def nearest(values: Sequence[float], share: str) -> float:
    """Return the nearest rank as the protocol writes it, in exact arithmetic."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * Fraction(share)) - 1)]


def members(group: Group, rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a group, found by its fields."""
    names = [name for name in JEV_SOCIAL.group if name in rows[0] or name in group.fields]
    return [row for row in rows if {n: row[n] for n in names if n in row} == dict(group.fields)]


def test_every_group_of_the_demo_set_is_what_its_rows_say() -> None:
    rows = demo_rows()
    summary = summarize_each(benchdata.open(DEMO_ROWS))[0]
    assert (summary.rows, summary.set_aside, len(summary.groups)) == (122, 0, 10)
    for group in summary.groups:
        mine = members(group, rows)
        outcomes = Counter(row["outcome"] for row in mine)
        assert group.runs == len(mine) > 0
        assert group.outcomes == {end: outcomes[end] for end in ("success", "partial", "failed")}
        assert list(group.outcomes) == ["success", "partial", "failed"]
        assert group.unscored == 0
        assert group.started == datetime.fromisoformat(min(row["started_at"] for row in mine))
        assert group.ended == datetime.fromisoformat(max(row["ended_at"] for row in mine))
        reasons = Counter(row["stop_reason"] for row in mine if row["outcome"] != "success")
        assert list(group.reasons.items()) == sorted(reasons.items())
        assert list(group.metrics) == [metric.name for metric in JEV_SOCIAL.metrics]
        for metric in JEV_SOCIAL.metrics:
            top, leaf = metric.path.split(".")
            values = [row[top][leaf] for row in mine]
            found = group.metrics[metric.name]
            assert (found.n, found.p50, found.p95) == (
                len(values),
                nearest(values, "0.5"),
                nearest(values, "0.95"),
            )
            assert type(found.p50) is int
            assert type(found.p95) is int


def test_percentiles_of_groups_of_every_size(tmp_path: Path) -> None:
    rng = random.Random(5)
    rows = [
        probe_row(
            seq, series=f"s{size}", subject=f"n{size:03}", score=rng.choice([0.5, rng.random()])
        )
        for size in range(1, 61)
        for seq in range(size)
    ]
    rng.shuffle(rows)
    summary = summarize_each(benchdata.open(write(tmp_path / "rows.ndjson", rows), PROBE))[0]
    for size, group in enumerate(summary.groups, 1):
        values = [row["score"] for row in rows if row["subject"] == f"n{size:03}"]
        found = group.metrics["score"]
        assert (found.n, found.p50, found.p95) == (
            size,
            nearest(values, "0.5"),
            nearest(values, "0.95"),
        )
        assert found.p95_is_maximum is (size < 20)


def test_the_failure_rate_is_rounded_half_up_to_one_decimal() -> None:
    group = summarize_each(benchdata.open(DEMO_ROWS))[0].groups[0]
    for runs in range(1, 251):
        for failed in range(runs + 1):
            outcomes = {"success": runs - failed, "partial": 0, "failed": failed}
            one = replace(group, runs=runs, outcomes=outcomes)
            exact = Decimal(100 * failed) / runs
            rounded = exact.quantize(Decimal("0.1"), ROUND_HALF_UP)
            assert Decimal(str(one.failure_rate_percent)) == rounded


@pytest.mark.parametrize(("failed", "runs", "rate"), [(1, 16, 6.3), (3, 16, 18.8), (1, 3, 33.3)])
def test_partial_rows_are_no_failures(tmp_path: Path, failed: int, runs: int, rate: float) -> None:
    rows = [failed_row(run_id=numbered_row(n)["run_id"]) for n in range(failed)]
    partial = {"outcome": "partial", "stop_reason": "step_limit", "failure_category": "step_limit"}
    rows += [numbered_row(n, **partial) for n in range(failed, runs)]
    (group,) = summary_of(tmp_path, rows).groups
    assert group.outcomes == {"success": 0, "partial": runs - failed, "failed": failed}
    assert group.failure_rate_percent == rate
    assert group.reasons == {"step_limit": runs - failed, "unknown": failed}


def test_unscored_rows_count_as_rows_and_nowhere_else(tmp_path: Path) -> None:
    rows = [
        probe_row(1, score=9.0, skipped=True),
        probe_row(2, score=1.0, passed=False),
        probe_row(3, score=2.0),
    ]
    (group,) = summarize_each(benchdata.open(write(tmp_path / "a.ndjson", rows), PROBE))[0].groups
    assert (group.runs, group.unscored) == (3, 1)
    assert group.outcomes == {"success": 1, "partial": 0, "failed": 1}
    assert group.failure_rate_percent == 50.0
    assert (group.metrics["score"].n, group.metrics["score"].p95) == (2, 2.0)
    assert group.reasons == {"not given": 1}


def test_a_group_of_unscored_rows_and_nulls_has_no_numbers(tmp_path: Path) -> None:
    rows = [probe_row(1, skipped=True), probe_row(2, subject="z", wall_ms=None, started_at=None)]
    first, second = summarize_each(benchdata.open(write(tmp_path / "a.ndjson", rows), PROBE))[
        0
    ].groups
    assert first.failure_rate_percent == 0.0
    assert (first.metrics["score"].n, first.metrics["score"].p50) == (0, None)
    assert (second.metrics["wall"].n, second.metrics["wall"].p95) == (0, None)
    assert not second.metrics["wall"].p95_is_maximum
    assert (second.started, second.ended) == (None, None)


def test_old_and_new_rows_are_summarized_side_by_side(tmp_path: Path) -> None:
    old, new = summary_of(tmp_path, [valid_row(1), numbered_row(1)]).groups
    assert "jev_social_version" not in old.fields
    assert new.fields["jev_social_version"] == "0.4.0"
    assert list(new.fields) == list(JEV_SOCIAL.group)
    assert old.started == datetime(2026, 3, 2, 8, tzinfo=UTC)


def test_accepted_rejects_reach_the_gate() -> None:
    (reason,) = summarize_each(benchdata.open(DEMO_ROWS), accept_rejects=2)[0].gate.reasons
    assert reason.startswith("0 rows set aside, and 2 accepted")


def test_rows_of_several_contracts_are_summarized_apart(tmp_path: Path) -> None:
    runs = write(tmp_path / "a.ndjson", [valid_row()])
    builds = write(tmp_path / "b.ndjson", [build_run.valid_row({})])
    found = summarize_each(benchdata.open([runs, builds]))
    assert {each.contract.name: each.rows for each in found} == {"jev-social": 1, "build-run": 1}


@pytest.mark.parametrize("form", formats.FORMATS)
def test_the_same_rows_in_any_order_give_the_same_bytes(tmp_path: Path, form: str) -> None:
    rows = drawn([12, 25, 3, 10]) + drawn([4], schema_version=1, seed=6)
    rows += [rows[0] | {"run_id": numbered_row(n)["run_id"]} for n in range(3)]
    first = formats.FORMATS[form](summary_of(tmp_path, rows))
    random.Random(2).shuffle(rows)
    for part in range(4):
        write(tmp_path / "parts" / f"{part}.ndjson", rows[part::4])
    assert formats.FORMATS[form](summarize_each(benchdata.open(tmp_path / "parts"))[0]) == first


def test_there_is_no_cap_on_rows_or_bytes(tmp_path: Path) -> None:
    count = 20_700
    file = tmp_path / "rows.ndjson"
    file.write_bytes(b"".join(generator().rows(count, 3, "lab-eu")))
    assert count > OLD_LIMIT_ROWS
    assert file.stat().st_size > OLD_LIMIT_BYTES
    dataset = benchdata.open(file)
    summary = summarize_each(dataset)[0]
    assert summary.rows == sum(group.runs for group in summary.groups) == count
    totals = dataset.sql("select group_id, timing_ms_total as ms from grouped")
    for group in summary.groups:
        values = totals.filter(group_id=group.id)["ms"].to_list()
        assert group.metrics["total"].p50 == nearest(values, "0.5")
        assert group.metrics["total"].p95 == nearest(values, "0.95")
