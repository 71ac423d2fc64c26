"""`benchdata summarize --engine spark` prints what it prints with DuckDB, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import benchdata
from benchdata.reports import formats
from benchdata.reports.summary import summarize_each
from benchdata.rows import lake
from tests.support.command import Done, run, start

pytestmark = [pytest.mark.spark, pytest.mark.slow]
DEMOS = (
    *(("jev-social-demo",), ("skill-run-demo",), ("build-run-demo",)),
    ("skill-run-demo", "judgment-demo"),
)


def frozen(root: Path, into: Path, *demos: str) -> Path:
    """Return a lake of shipped rows."""
    rows = benchdata.open([root / "datasets" / demo for demo in demos])
    lake.freeze(rows.tables, into)
    return into


def test_as_a_user_starts_it(root: Path, tmp_path: Path) -> None:
    place = frozen(root, tmp_path / "lake", "skill-run-demo")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary), "TZ": "Asia/Tokyo"}
    environment["PYTHONPATH"] = str(root)
    process = start("summarize", place, "--engine", "spark", env=environment, cwd=tmp_path)
    out, err = process.communicate(timeout=300)
    done = Done(process.returncode, out.decode(), err.decode())
    assert done == (0, run("summarize", place).out, "")
    assert {*tmp_path.iterdir()} == {place, temporary}
    assert [*temporary.iterdir()] == []


@pytest.mark.parametrize("demos", DEMOS)
def test_every_form_is_the_same(root: Path, tmp_path: Path, demos: tuple[str, ...]) -> None:
    place = frozen(root, tmp_path, *demos)
    ours, theirs = (
        summarize_each(benchdata.open(place, engine=engine)) for engine in ("duckdb", "spark")
    )
    for form in formats.FORMATS:
        assert formats.printed(ours, form) == formats.printed(theirs, form)
