"""Spark answers every named query as DuckDB does, cell for cell, whatever the rows hold."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchdata
from benchdata import contracts
from benchdata.rows import lake
from tests.support.engines import both, frozen, unlike
from tests.support.nasty import NASTY, nasty_rows
from tests.support.queried import CASES, again, trials
from tests.support.shared_result import numbered_row

pytestmark = [pytest.mark.spark, pytest.mark.slow]
SHIPPED = ("jev-social", "skill-run", "judgment", "build-run")


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_rows(root: Path, tmp_path: Path, name: str) -> None:
    rows = benchdata.open(root / "datasets" / f"{name}-demo", name)
    lake.freeze(rows.tables, tmp_path)
    assert unlike(*both(tmp_path)) == {}


def test_trials_and_shared_results(tmp_path: Path) -> None:
    rows = trials()
    place = frozen(tmp_path / "trials", [*rows, *map(again, rows[:5])], contracts.get("trial"), 3)
    assert unlike(*both(place)) == {}
    shared = [numbered_row(number) for number in range(5)]
    place = frozen(tmp_path / "shared", shared, contracts.get("shared-result"))
    assert unlike(*both(place)) == {}


def test_fractions_that_do_not_add_up_alike_in_every_order(tmp_path: Path) -> None:
    case = CASES["probe"]
    place = frozen(tmp_path, case.rows(), case.contract, 4)
    assert unlike(*both(place, case.contract)) == {}


def test_nasty_rows(tmp_path: Path) -> None:
    place = frozen(tmp_path / "O'Neill [1] {é}", nasty_rows(), NASTY, 3)
    duckdb, spark = both(place, NASTY)
    assert unlike(duckdb, spark) == {}
    sql = "select * exclude (row_likeness, row_content) from grouped order by row_id"
    assert duckdb.sql(sql).height == len(nasty_rows())
    names = duckdb.sql("select * from measurements limit 0").columns
    sql = f"select {', '.join(names)} from measurements order by row_id, metric_order"
    assert duckdb.sql(sql).equals(spark.sql(sql))
