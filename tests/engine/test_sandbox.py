"""Queries over views: answers, limits and sentences, in this process and in the child's."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pytest

from benchdata.engine import sandbox
from benchdata.engine.connection import View, connect, fetch
from benchdata.engine.sandbox import Limits, run
from benchdata.errors import QueryRefused

START = dt.datetime(2024, 5, 1, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> tuple[View, ...]:
    """Six rows in two files, whose names hold what patterns and quotes are made of."""
    folder = tmp_path_factory.mktemp("it's [1] folder")
    frame = pl.DataFrame(
        {
            "platform": pl.Series(["b", "a", "b", "a", None, "c"], dtype=pl.Categorical),
            "plan": ["x", "y", "x", "y", "x", "y"],
            "total_ms": [30, 10, 20, 40, None, 50],
            "parts_ms": [[1, 2], [], [3], None, [4], [5, 6]],
            "started_at": [START + dt.timedelta(milliseconds=n) for n in range(6)],
        }
    )
    files = (folder / "rows-a*b.parquet", folder / "rows-a?.parquet")
    frame[:3].write_parquet(files[0])
    frame[3:].with_columns(pl.col("plan").alias("extra")).write_parquet(files[1])
    frame.write_parquet(folder / "rows-aXb.parquet")  # a pattern would find this one too
    return (
        View("stored", files=files, hidden=True),
        View("rows", sql="select * exclude (extra) from stored"),
        View("parts", sql="select plan, unnest(parts_ms) as part_ms from rows"),
    )


@pytest.fixture(scope="module", params=[False, True], ids=["by path", "sealed"])
def con(
    request: pytest.FixtureRequest, views: tuple[View, ...]
) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(views, threads=2, sealed=request.param) as connection:
        yield connection


@pytest.mark.parametrize(
    ("sql", "answer"),
    [
        ("select count(*) as n, sum(total_ms) as ms from rows", {"n": [6], "ms": [150]}),
        (
            (
                "with c as (select platform as p, total_ms as m from rows) "
                "select p, max(m) as ms from c group by all order by p nulls first"
            ),
            {"p": [None, "a", "b", "c"], "ms": [None, 40, 30, 50]},
        ),
        ("from rows select platform", {"platform": ["b", "a", "b", "a", None, "c"]}),
        ("select sum(part_ms) as ms from parts;", {"ms": [21]}),
        (
            "select plan, nearest_rank(total_ms, 50, 100) as p50 from rows group by 1 order by 1",
            {"plan": ["x", "y"], "p50": [20, 40]},
        ),
        ("select list_total(parts_ms) as t from rows", {"t": [3, 0, 3, None, 4, 11]}),
        ("select ms_between(min(started_at), max(started_at)) as ms from rows", {"ms": [5]}),
        ("select typeof(platform) as kind from rows limit 1", {"kind": ["VARCHAR"]}),
        ("select started_at from rows limit 1", {"started_at": [START]}),
        (
            (
                "with recursive t as (select 1 as i union all select i + 1 from t where i < 3) "
                "select list(i) as l from t"
            ),
            {"l": [[1, 2, 3]]},
        ),
        (
            (
                "select plan, row_number() over (order by total_ms) as r from rows "
                "where total_ms > 20 qualify r < 3 order by r"
            ),
            {"plan": ["x", "y"], "r": [1, 2]},
        ),
        ("select column_name from (describe rows) limit 2", {"column_name": ["platform", "plan"]}),
        (
            "pivot rows on plan in ('x', 'y') using count(*) group by platform order by 1 limit 1",
            {"platform": ["a"], "x": [0], "y": [2]},
        ),
        ("select count(*) as n from range(5) union all select 7", {"n": [5, 7]}),
    ],
)
def test_a_select_is_answered(
    con: duckdb.DuckDBPyConnection, sql: str, answer: dict[str, list[object]]
) -> None:
    assert fetch(con, sql).to_pydict() == answer


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("select plattform from rows", "no column is named `plattform`; did you mean `platform`?"),
        ("select r.totl_ms from rows r", "`totl_ms`; did you mean `total_ms`? Near it: `total_ms`"),
        ("select * exclude (plam) from rows", "did you mean `plan`?"),
        ("select 1 from rows group by zzz", "no column is named `zzz`; near it: `"),
        ("with c as (select plan as q from rows) select plan from c", "near it: `platform`"),
        ("select 1 from row", "no view is named `row`; did you mean `rows`? Near it: `rows`"),
        ("select z.plan from rows", "no view is named `z`; near it: `parts`, `rows`"),
        ("select neerest_rank(1, 2, 3)", "no function is named `neerest_rank`; did you mean `nea"),
        ("select st_point(1, 2)", "no function is named `st_point`"),
        ("select plan + 1 from rows group by", "syntax error"),
        ("select 1,\n  2 3", 'syntax error at or near "3" (line 2)'),
        ("select sum(plan) from rows", "argument types 'sum(VARCHAR)'. You might need to add"),
        ("select 'out of memory'::integer", "Could not convert string 'out of memory'"),
        ("select plan, count(*) from rows", "must appear in the GROUP BY clause"),
        ("select 1 as a, 2 as a", "two columns are named `a`: rename one"),
        ("select 9223372036854775807::hugeint + 1 as x", "beyond 64 bits: cast it"),
        ("select $name", "a query takes no parameters"),
        ("select ?", "a query takes no parameters"),
        ("from rows.csv", "a query reads the views alone, never a file"),
        ("select '\ud800'", "surrogates not allowed"),
        ("select " + "(" * 5000 + "1" + ")" * 5000, "expression depth limit"),
        ("select error('/usr/lib/secret/engine.so, /a b/c')", "engine.so"),
    ],
)
def test_an_error_is_one_sentence(con: duckdb.DuckDBPyConnection, sql: str, words: str) -> None:
    with pytest.raises(QueryRefused) as refused:
        fetch(con, sql)
    message = str(refused.value)
    assert words in message
    assert "\n" not in message
    for unwanted in ("LINE", "Error:", "stored", "extra", "/usr", "/tmp", "Candidate"):
        assert unwanted not in message


def test_numbers_are_exact_and_have_plain_types(con: duckdb.DuckDBPyConnection) -> None:
    schema = fetch(con, "select sum(total_ms) as s, avg(total_ms) as a from rows").schema
    assert [field.type for field in schema] == [pa.int64(), pa.float64()]


def test_a_lost_or_broken_file_is_named_without_its_folder(tmp_path: Path) -> None:
    lost = View("rows", files=(tmp_path / "lost.parquet",))
    with pytest.raises(QueryRefused, match=r"^view rows: lost\.parquet is gone; open"):
        connect([lost])
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"no Parquet file at all")
    for sealed in (False, True):
        with pytest.raises(QueryRefused) as refused:
            connect([View("rows", files=(broken,))], sealed=sealed)
        assert str(tmp_path) not in str(refused.value)


def test_a_view_is_either_files_or_sql(tmp_path: Path) -> None:
    for wrong in ({}, {"files": (tmp_path,), "sql": "select 1"}):
        with pytest.raises(ValueError, match="files or sql"):
            View("v", **wrong)  # type: ignore[arg-type]


def test_a_child_answers_in_order_and_says_when_rows_are_left(views: tuple[View, ...]) -> None:
    sql = "select plan, total_ms from rows order by total_ms desc nulls last"
    whole = run(sql, views, limits=Limits(rows=6))
    assert whole.table.column("total_ms").to_pylist() == [50, 40, 30, 20, 10, None]
    assert (whole.truncated, whole.notice) == (False, "")
    cut = run(sql, views, limits=Limits(rows=5))
    assert cut.table.column("total_ms").to_pylist() == [50, 40, 30, 20, 10]
    assert cut.truncated
    assert cut.notice.startswith("only the first 5 rows")


def test_an_endless_result_is_cut_and_an_empty_one_has_columns(views: tuple[View, ...]) -> None:
    endless = run("select i from range(1000000000000) t(i)", views, limits=sandbox.TERMINAL)
    assert endless.truncated
    assert endless.table.column("i").to_pylist() == list(range(10_000))
    empty = run("select plan from rows where false", views)
    assert (empty.table.column_names, empty.table.num_rows) == (["plan"], 0)
    assert not empty.truncated


@pytest.mark.parametrize(
    ("sql", "limits", "words"),
    [
        (
            "with recursive t as (select 1 i union all select i + 1 from t) select max(i) from t",
            Limits(seconds=1.5),
            "the query was stopped after 1.5 s: filter",
        ),
        (
            "select count(*) from range(10000000) a, range(10000000) b where a.range <> b.range",
            Limits(seconds=1.5),
            "the query was stopped after 1.5 s",
        ),
        ("select sleep_ms(3600000)", Limits(seconds=1), "the query was stopped after 1 s"),
        ("select repeat('x', 2000000000)", Limits(memory=3 << 28), "needs more memory"),
        (
            "select list_sort(list(i)) from range(1000000000) t(i)",
            Limits(memory=3 << 28),
            "needs more memory",
        ),
        (
            "select repeat('x', 1000000) from range(100)",
            Limits(result_bytes=4 << 20),
            "the result is larger than 4 MiB: select fewer",
        ),
        ("select plattform from rows", Limits(), "did you mean `platform`?"),
    ],
)
def test_a_child_that_outgrows_a_limit_is_refused_and_gone(
    views: tuple[View, ...], sql: str, limits: Limits, words: str
) -> None:
    began = time.monotonic()
    with pytest.raises(QueryRefused) as refused:
        run(sql, views, limits=limits)
    assert words in str(refused.value)
    assert time.monotonic() - began < min(limits.seconds, 20) + 5
    assert children() == []


def test_a_child_sees_no_environment_and_no_open_file(
    views: tuple[View, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "t")
    with (tmp_path / "open.txt").open("w") as handle, ThreadPoolExecutor() as pool:
        os.set_inheritable(handle.fileno(), True)
        answer = pool.submit(run, "select sleep_ms(1200) as x", views)
        while not (found := children()) or not limited(found[0]):
            assert not answer.done()
            time.sleep(0.02)
        place = Path(f"/proc/{found[0]}")
        names = {entry.partition("=")[0] for entry in read(place / "environ").split("\0")}
        targets = [str(link.readlink()) for link in (place / "fd").iterdir()]
        folder = (place / "cwd").readlink()
        assert answer.result().table.num_rows == 1
    assert names - {"", *sandbox.KEPT} == set(sandbox.ENVIRONMENT)
    assert str(tmp_path / "open.txt") not in targets
    assert folder == Path("/")
    assert children() == []


def test_a_child_whose_parent_is_killed_ends_by_itself() -> None:
    program = (
        "from benchdata.engine.sandbox import *\n"
        "run('select sum(a.range * b.range) from range(10000000) a, range(10000000) b', [])"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=Path(__file__).parents[2])
    while not (found := children(parent.pid)) or not limited(found[0]):
        assert parent.poll() is None
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 2
    while alive(found[0]):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_child_that_breaks_down_is_one_sentence(
    views: tuple[View, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "START", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(QueryRefused, match=r"^the query engine broke down"):
        run("select 1", views)


def test_a_child_finds_the_packages_of_its_parent(root: Path, tmp_path: Path) -> None:
    program = (
        "from benchdata.engine.sandbox import run; print(run('select 6 * 7 as x', []).table['x'])"
    )
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong json')", "utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "42" in done.stdout) == (0, True), done.stderr


def children(parent: int | None = None) -> list[int]:
    """Give the processes of running queries that a process started, zombies too."""
    wanted = f"PPid:\t{parent or os.getpid()}\n"
    return [
        int(place.name)
        for place in Path("/proc").glob("[0-9]*")
        if wanted in read(place / "status")
        and ("sandbox_child" in read(place / "cmdline") or "State:\tZ" in read(place / "status"))
    ]


def limited(pid: int) -> bool:
    """Tell whether a child has bounded itself: it may write no file."""
    return "Max file size             0 " in read(Path(f"/proc/{pid}/limits"))


def alive(pid: int) -> bool:
    """Tell whether a process still runs."""
    return "sandbox_child" in read(Path(f"/proc/{pid}/cmdline"))


def read(file: Path) -> str:
    """Give the text of a file of /proc, or nothing when its process is gone."""
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
