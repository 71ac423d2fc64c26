"""`benchdata sql`: one question, answered as a table, CSV, JSON or Parquet."""

from __future__ import annotations

import json
import os
from pathlib import Path

import polars as pl
import pytest

import benchdata
from benchdata import contracts, queries
from tests.support.command import Done, ended, refused, run, start
from tests.support.drawn import DEMO, DEMO_ROWS, write
from tests.support.jev_social import valid_row
from tests.support.packages import install
from tests.support.probe import probe_row


def test_the_answer_is_a_table_with_numbers_to_the_right() -> None:
    query = "select platform, count(*) as n from rows group by platform order by n"
    expected = "platform    n\nlinkedin   30\ninstagram  42\ntiktok     50\n"
    assert run("sql", query, DEMO) == Done(0, expected, "")


@pytest.mark.parametrize("name", ["percentiles", "alike"])
def test_a_named_query_is_answered(name: str) -> None:
    expected = benchdata.open(DEMO_ROWS).sql(queries.text(name))
    done = run("sql", name, DEMO, "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert [row.get("group_id") for row in json.loads(done.out)] == (
        expected["group_id"].to_list() if expected.height else []
    )


def test_a_named_query_is_a_view_too() -> None:
    query = "select sum(runs) as n from groups"
    assert run("sql", query, DEMO, "--format", "csv").out == "n\n122\n"


@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "CSV"])
def test_a_file_is_written_whole(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"answer.{ending}"
    query = "select run_id, timing_ms_total as ms, started_at from rows order by run_id"
    assert run("sql", query, DEMO, "-o", file) == Done(0, "", f"122 rows written to {file}\n")
    expected = benchdata.open(DEMO_ROWS).sql(query)
    if ending == "parquet":
        assert pl.read_parquet(file).equals(expected)
        return
    found = pl.read_json(file) if ending == "json" else pl.read_csv(file)
    assert found["run_id"].to_list() == expected["run_id"].to_list()
    assert found["ms"].to_list() == expected["ms"].to_list()


def test_more_rows_than_a_terminal_bears_are_cut_and_said() -> None:
    query = "select * from range(10001)"
    done = run("sql", query, DEMO, "--format", "csv")
    assert done.code == 0
    assert len(done.out.splitlines()) == 10_001
    assert done.err.startswith("note: only the first 10,000 rows are given")


def test_a_file_holds_more_rows_than_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    assert run("sql", "select * from range(10001)", DEMO, "-o", file).code == 0
    assert len(file.read_bytes().splitlines()) == 10_002


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("select platfrom from rows", "no column is named `platfrom`; did you mean `platform`?"),
        ("outcome", "no query is named `outcome`; did you mean `outcomes`?"),
        ("drop table rows", "a query is one SELECT"),
        ("select date 'infinity' as x", "lies outside the calendar: cast it to varchar"),
    ],
)
def test_a_query_that_is_refused_is_one_sentence(query: str, words: str) -> None:
    message = refused(run("sql", query, DEMO))
    assert words in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--format", "parquet"), "Parquet is no text: name the file with -o FILE"),
        (("-o", "answer"), "answer: cannot tell the format; add --format"),
        (("-o", "answer.txt"), "answer.txt: cannot tell the format; add --format"),
        (("-o", "/dev/null", "--format", "csv"), "/dev/null: is no file that can be replaced"),
        (("-o", "rows.ndjson", "--format", "csv"), "rows.ndjson: is one of the inputs"),
    ],
)
def test_an_output_that_cannot_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write(tmp_path / "rows.ndjson", [valid_row()])
    before = file.read_bytes()
    assert words in refused(run("sql", "select 1 as a", file, *options))
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_value_that_parquet_lacks_leaves_no_file(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    message = refused(run("sql", "select interval 1 day as x", DEMO, "-o", file))
    assert "Parquet has no column for a kind of value in the answer" in message
    assert list(tmp_path.iterdir()) == []


def test_queries_and_views_are_listed() -> None:
    done = run("sql", "--list")
    assert (done.code, done.err) == (0, "")
    listed = [line.split(maxsplit=1) for line in done.out.splitlines()]
    assert listed == [[name, queries.question(name)] for name in queries.names()]
    more = run("sql", "--list", DEMO).out.removeprefix(done.out).splitlines()
    names = ["jev_social", "steps", "rows", "group_list", "grouped", "measurements"]
    assert [line.split()[0] for line in more] == names
    assert "timing_ms_total" in more[0]


def test_rows_of_several_contracts_are_a_view_each(tmp_path: Path) -> None:
    probes = write(tmp_path / "probes.ndjson", [probe_row(seq) for seq in range(3)])
    path = install(tmp_path, contracts.GROUP, {"probe-run": "tests.support.probe:PROBE"})
    there = {"env": os.environ | {"PYTHONPATH": str(path)}}
    query = "select (select count(*) from jev_social) as a, (select count(*) from probe_run) as b"
    assert ended(start("sql", query, DEMO, probes, **there)) == Done(0, "  a  b\n122  3\n", "")
    listed = ended(start("sql", "--list", DEMO, probes, **there)).out
    assert "\nprobe_run " in listed
    assert "\nrows " not in listed
    refusal = refused(ended(start("sql", "select * from rows", DEMO, probes, **there)))
    assert "no view is named `rows`" in refusal


def test_the_process_is_quiet_about_itself() -> None:
    done = ended(start("sql", "select 1 as a", DEMO))
    assert done == Done(0, "a\n1\n", "")
