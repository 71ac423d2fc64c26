"""What a query must not reach: refused by the gate, and out of reach behind it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchdata.engine.connection import View, connect, fetch
from benchdata.engine.sandbox import Limits, run
from benchdata.engine.select import checked_select
from benchdata.errors import QueryRefused

# FILE stands for the Parquet file behind the view, NEW for a file that does not exist yet.
OWN_FILE = "select * from 'FILE'"
FILE_ESCAPES = [
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/passwd')",
    "select * from read_blob('/proc/self/environ')",
    "select * from read_json('/etc/passwd')",
    "select * from read_parquet('FILE')",
    "select * from parquet_metadata('FILE')",
    "select * from glob('/*')",
    "select * from sniff_csv('/etc/passwd')",
    "select * from read_duckdb('NEW')",
    OWN_FILE,
    "select * from '/etc/passwd'",
    "from 'https://example.org/x.parquet'",
    "select (select count(*) from read_text('/etc/passwd'))",
    "select * from rows where a in (select content from read_text('/etc/passwd'))",
    "select 1 -- \0\nunion all select content from read_text('/etc/passwd')",
    "summarize select * from read_text('/etc/passwd')",
    "describe from read_csv('/etc/passwd')",
    "with x as (copy (select 1) to 'FILE' (use_tmp_file false)) select 1",
    "with x as (copy rows to 'NEW') select 1",
    "select * from (with x as (copy rows to 'NEW') select 1)",
    "with x as (copy (select 1) to '/dev/stdout') select 1",
    "copy (select 1) to 'FILE' (use_tmp_file false)",
    "copy rows to 'NEW' (format csv)",
    "copy rows from 'FILE'",
    "export database 'NEW'",
    "import database 'NEW'",
    "attach 'NEW' as other",
    "attach 'FILE' as other",
    "install spatial",
    "load spatial",
    "load '/tmp/x.duckdb_extension'",
    "create secret (type s3, key_id 'a', secret 'b')",
    "select * from query('select * from read_text(''/etc/passwd'')')",
    "select * from json_execute_serialized_sql(json_serialize_sql('from ''/etc/passwd'''))",
]
SETTING_ESCAPES = [
    "set memory_limit = '100GB'",
    "set enable_external_access = true",
    "set disabled_filesystems = ''",
    "set lock_configuration = false",
    "set allowed_directories = ['/']",
    "set python_enable_replacements = true",
    "set log_query_path = 'NEW'",
    "set profile_output = 'NEW'",
    "reset memory_limit",
    "pragma threads = 64",
    "pragma enable_profiling = 'json'",
    "select * from enable_logging(storage = 'file', storage_config = {'path': 'NEW'})",
]
OTHER_ESCAPES = [
    "attach ':memory:' as other",
    "call pragma_version()",
    "pragma version",
    "create table t as select 1",
    "create or replace view rows as select 1",
    "create macro f() as 1",
    "create temp table t (a integer)",
    "drop view rows",
    "insert into rows values (1, 'x')",
    "update rows set a = 1",
    "delete from rows",
    "truncate rows",
    "merge into rows using rows r on true when matched then delete",
    "with x as (insert into rows values (1, 'x') returning *) select * from x",
    "with x as (delete from rows returning *) select * from x",
    "with x as (update rows set a = 1 returning *) select * from x",
    "begin",
    "checkpoint",
    "vacuum",
    "use memory",
    "prepare p as select 1",
    "execute p",
    "explain select 1",
    "explain analyze select 1",
    "set variable v = 1",
    "select 1; select 2",
    "select 1; drop view rows",
    "select 1;; pragma threads = 64; select 2",
    "",
    " ;; ",
    "-- nothing",
    "select * from query('select 1')",
    "select * from query_table('rows')",
    "select * from query_table(['rows'])",
    "select * from duckdb_secrets()",
    "select * from duckdb_settings()",
    "select * from duckdb_views()",
    "select * from duckdb_functions()",
    'select * from system.main."Duckdb_Settings"()',
    "select * from checkpoint()",
    "select * from python_map_function((from rows))",
    "select * from arrow_scan(0, 0, 0)",
    "select getenv('HOME')",
]
ESCAPES = FILE_ESCAPES + SETTING_ESCAPES + OTHER_ESCAPES
THROUGH_A_CHILD = [OWN_FILE, "with x as (copy rows to 'FILE') select 1", "select 1; drop view rows"]
python_table = pa.table({"a": [1]})  # DuckDB finds it by name, unless that is off


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    """A view of one file; whatever the queries of this module did, its bytes are the same."""
    file = tmp_path_factory.mktemp("data") / "rows.parquet"
    pq.write_table(pa.table({"a": [1, 2, 3], "s": ["x", "y", "z"]}), file)
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    yield View("rows", files=(file,))
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before
    assert [path.name for path in file.parent.iterdir()] == ["rows.parquet"]


@pytest.fixture(scope="module")
def sealed(view: View) -> duckdb.DuckDBPyConnection:
    return connect([view], sealed=True)


@pytest.fixture(scope="module")
def by_path(view: View) -> duckdb.DuckDBPyConnection:
    return connect([view])


def aimed(sql: str, view: View) -> str:
    """Give an escape with its placeholders filled."""
    file = view.files[0]
    return sql.replace("FILE", str(file)).replace("NEW", str(file.with_name("new")))


@pytest.mark.parametrize("sql", ESCAPES)
def test_an_escape_is_refused(view: View, sealed: duckdb.DuckDBPyConnection, sql: str) -> None:
    with pytest.raises(QueryRefused):
        fetch(sealed, aimed(sql, view))
    assert fetch(sealed, "select sum(a) as n from rows").to_pydict() == {"n": [6]}


# A connection that knows the file by its path may read it by its path, and do no more with it.
@pytest.mark.parametrize("sql", [sql for sql in ESCAPES if sql != OWN_FILE])
def test_an_escape_is_refused_where_the_path_is_known(
    view: View, by_path: duckdb.DuckDBPyConnection, sql: str
) -> None:
    with pytest.raises(QueryRefused):
        fetch(by_path, aimed(sql, view))


@pytest.mark.parametrize("sql", FILE_ESCAPES + SETTING_ESCAPES)
def test_a_sealed_connection_holds_without_the_gate(
    view: View, sealed: duckdb.DuckDBPyConnection, sql: str
) -> None:
    with pytest.raises(duckdb.Error):
        sealed.execute(aimed(sql, view)).fetchall()


def test_a_variable_of_the_caller_is_no_table(by_path: duckdb.DuckDBPyConnection) -> None:
    assert duckdb.execute("select * from python_table").fetchall() == [(1,)]
    with pytest.raises(duckdb.CatalogException):
        by_path.sql("select * from python_table")


@pytest.mark.parametrize("sql", THROUGH_A_CHILD)
def test_a_child_refuses_an_escape(view: View, sql: str) -> None:
    with pytest.raises(QueryRefused):
        run(aimed(sql, view), [view])


def test_not_even_a_view_of_the_caller_writes_in_a_child(view: View) -> None:
    new = view.files[0].with_name("new")
    writing = View("writing", sql=f"with x as (copy (select 1) to '{new}') select 1")
    with pytest.raises(QueryRefused):
        run("select * from writing", [view, writing])


def test_settings_in_a_child_tell_nothing_of_the_machine(view: View) -> None:
    sql = "select name, setting from pg_settings where setting like '/%'"
    table = run(sql, [view], limits=Limits(rows=100)).table
    home = str(Path.home())
    assert all(not re.match(rf"{home}|/tmp", value) for value in table["setting"].to_pylist())


def test_the_gate_sees_what_the_type_of_a_statement_hides() -> None:
    hidden = "with x as (copy (select 1) to 'file') select 1"
    assert duckdb.extract_statements(hidden)[0].type == duckdb.StatementType.SELECT
    with pytest.raises(QueryRefused, match="only reads, and this one holds COPY"):
        checked_select(hidden)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("select 1; select 2", "exactly one SELECT, this text holds 2 statements"),
        ("", "exactly one SELECT, this text holds 0 statements"),
        ("drop view rows", "a query is one SELECT, this one is DROP"),
        ("pivot rows on s using sum(a)", "name the values of a PIVOT"),
        ("with x as (delete from rows) select 1", "only reads, and this one holds DELETE"),
        ("from read_csv('x')", "the table function `read_csv` is not allowed, only"),
    ],
)
def test_the_gate_says_what_is_wrong(sql: str, words: str) -> None:
    with pytest.raises(QueryRefused, match=words):
        checked_select(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "select 1;",
        "/* a ; b */ select ';' -- c;",
        "values (1), (2)",
        "table rows",
        "describe rows",
        "show tables",
        "summarize rows",
        "with a as materialized (select 1), b as (from a) select * from a natural join b",
        "select * from rows, lateral (select a) union by name select 1 as z except select 2 as z",
        "select unnest([1, 2]), list_transform([1], lambda y: y + 1), {'type': 'COPY_QUERY_NODE'}",
        "unpivot rows on a into name n value v",
        "from range(3), unnest([1]) u(x), json_each('[1]') j",
        "select a, sum(a) over w from rows window w as (order by a) qualify a > 1 using sample 9%",
    ],
)
def test_the_gate_lets_every_kind_of_reading_pass(sql: str) -> None:
    assert checked_select(sql) == sql
