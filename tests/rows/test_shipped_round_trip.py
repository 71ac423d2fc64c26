"""Rows of the shipped contracts, lists of objects and nulls among them, come back from Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from polars.testing import assert_frame_equal

from benchdata.rows import frames, lake, parquet
from tests.support import trial_rows
from tests.support.intake import frame, lines, tables
from tests.support.shipped import SHIPPED, Shipped

EACH = pytest.mark.parametrize("shipped", SHIPPED, ids=lambda shipped: shipped.name)


def unlike(shipped: Shipped) -> list[dict[str, Any]]:
    """Return a row of every kind, each with an identity and a place in the plan of its own."""
    identity = shipped.contract.identity[0]
    made = []
    for number, row in enumerate(shipped.rows, 1):
        own = {identity: f"{number:08x}-0000-4000-8000-000000000000", "repeat": number}
        made.append(row | {name: value for name, value in own.items() if name in row})
    return made


@EACH
def test_an_export_is_read_again_with_and_without_its_note(
    tmp_path: Path, shipped: Shipped
) -> None:
    rows, exported = tmp_path / "rows.ndjson", tmp_path / "rows.parquet"
    rows.write_bytes(lines(unlike(shipped)))
    (table,) = tables(tmp_path, rows, contract=shipped.contract)
    parquet.write(table.scan(), exported, shipped.contract, [table])
    written = table.scan().collect()
    assert_frame_equal(frame(tmp_path, exported, contract=None), written)
    parquet.sidecar(exported).unlink()
    (again,) = tables(tmp_path, exported, contract=shipped.contract)
    assert not again.trusted
    assert_frame_equal(again.scan().collect(), written)


@EACH
def test_a_lake_takes_each_row_once(tmp_path: Path, shipped: Shipped) -> None:
    rows, into = tmp_path / "rows.ndjson", tmp_path / "lake"
    made = unlike(shipped)
    rows.write_bytes(lines(made))
    assert lake.freeze(tables(tmp_path, rows, contract=shipped.contract), into) == (len(made), 0)
    assert lake.freeze(tables(tmp_path, rows, contract=shipped.contract), into) == (0, len(made))
    identity = shipped.contract.identity[0]
    kept = frame(tmp_path, into, contract=None).sort(identity)
    wanted = frame(tmp_path, rows, contract=shipped.contract).sort(identity)
    assert_frame_equal(kept.drop(frames.LINE), wanted.drop(frames.LINE))


def test_a_row_without_a_time_lies_in_no_month(tmp_path: Path) -> None:
    rows, into = tmp_path / "rows.ndjson", tmp_path / "lake"
    rows.write_bytes(lines([trial_rows.valid_row(started_at=None)]))
    lake.freeze(tables(tmp_path, rows, contract=None), into)
    assert [file.parent.name for file in into.rglob("*.parquet")] == [f"month={lake.UNDATED}"]
