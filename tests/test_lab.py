"""What a notebook of the lab begins with: views of one contract or several, and what is missing."""

from __future__ import annotations

import importlib
import importlib.metadata
from pathlib import Path

import duckdb
import pytest

import benchdata
from benchdata import lab
from benchdata.engine.connection import connect
from benchdata.errors import BenchdataError
from tests.support.command import run
from tests.support.sized import DATASETS


def test_sql_cells_see_every_contract_and_the_first_one_in_depth() -> None:
    both = benchdata.open([DATASETS / "skill-run-demo", DATASETS / "judgment-demo"])
    with connect(lab.views(both)) as connection:
        for name, rows in (("rows", 115), ("skill_run", 115), ("judgment", 58)):
            assert connection.sql(f"select count(*) from {name}").fetchall() == [(rows,)]
        assert connection.sql("select count(*) from percentiles").fetchall() > [(0,)]


def test_a_cell_reads_no_file_but_the_rows_and_a_plain_copy_spares_them(tmp_path: Path) -> None:
    rows = tmp_path / "rows.parquet"
    assert run("export", DATASETS / "judgment-demo", "-o", rows).code == 0
    before = rows.read_bytes()
    dataset = benchdata.open(rows)
    with connect(lab.views(dataset)) as connection:
        assert connection.sql("select count(*) from rows").fetchall() == [(58,)]
        for query in (
            f"copy (select 1) to '{rows}'",
            f"copy (select 1) to '{tmp_path}/mine.csv'",
            f"select * from read_text('{__file__}')",
            f"attach '{tmp_path}/mine.db'",
        ):
            with pytest.raises(duckdb.PermissionException):
                connection.execute(query)
        connection.execute("create table mine as select task_id from rows")
        assert connection.cursor().sql("select count(*) from mine").fetchall() == [(58,)]
    assert rows.read_bytes() == before
    assert {*tmp_path.iterdir()} == {rows, rows.with_name("rows.parquet.manifest.json")}


def test_what_is_missing_is_named_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    there = importlib.metadata.version

    def version(name: str) -> str:
        if name in {"jupysql", "pandas"}:
            raise importlib.metadata.PackageNotFoundError(name)
        return there(name)

    monkeypatch.setattr(lab, "version", version)
    with pytest.raises(BenchdataError) as refused:
        lab.require()
    assert str(refused.value) == "the lab needs jupysql and pandas: pip install 'benchdata[lab]'"


def test_outside_a_notebook_it_says_so() -> None:
    with pytest.raises(BenchdataError, match="this is no notebook: `benchdata lab FILE"):
        lab.start(benchdata.open(DATASETS / "judgment-demo"))
