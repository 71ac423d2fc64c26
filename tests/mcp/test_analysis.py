"""The tools of analysts: the answers of the command line, about the given files and no others."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata import queries
from benchdata.mcp.assembly import assembled
from benchdata.mcp.data import Data
from benchdata.mcp.server import Server
from tests.support.command import run
from tests.support.drawn import DEMO, DEMO_ROWS, demo_rows, write
from tests.support.mcp_calls import call, data, refused, text, tools

READING = ("query", "summarize", "gate", "compare")
COUNTED = "select platform, count(*) as n from rows group by platform order by n"


def test_every_tool_says_that_it_only_reads_and_what_it_returns(server: Server) -> None:
    found = tools(server)
    for name in READING:
        annotations = found[name].annotations
        assert annotations is not None
        assert annotations.read_only_hint is True
        assert found[name].output_schema is not None
        assert DEMO.name in (found[name].description or "")


def test_without_data_there_are_no_tools_about_it() -> None:
    assert not set(READING) & tools(assembled(Data.given([], None))).keys()


def test_a_query_is_answered_with_typed_rows(server: Server) -> None:
    assert data(call(server, "query", sql=COUNTED)) == {
        "columns": ["platform", "n"],
        "rows": [
            {"platform": "linkedin", "n": 30},
            {"platform": "instagram", "n": 42},
            {"platform": "tiktok", "n": 50},
        ],
        "notice": "",
    }


def test_a_query_can_be_one_that_has_a_name(server: Server) -> None:
    expected = benchdata.open(DEMO_ROWS).sql(queries.text("percentiles"))
    found = data(call(server, "query", sql="percentiles", limit=1_000))
    assert found["columns"] == expected.columns
    assert len(found["rows"]) == expected.height


def test_rows_beyond_the_limit_are_cut_and_that_is_said(server: Server) -> None:
    found = data(call(server, "query", sql="select run_id from rows", limit=7))
    assert len(found["rows"]) == 7
    assert "only the first 7 rows" in found["notice"]


@pytest.mark.parametrize("limit", [0, 1_001])
def test_the_limit_has_limits(server: Server, limit: int) -> None:
    said = refused(call(server, "query", sql="select 1 as n", limit=limit))
    assert said.startswith("limit: must be ")


def test_an_answer_too_large_for_a_model_is_refused(server: Server) -> None:
    sql = "select repeat('x', 100000) as x from rows"
    assert "larger than 4 MiB" in refused(call(server, "query", sql=sql, limit=1_000))


def test_a_summary_is_that_of_the_command_line(server: Server) -> None:
    found = call(server, "summarize")
    assert text(found) == run("summarize", DEMO).out
    printed = json.loads(run("summarize", DEMO, "--format", "json").out)
    assert data(found)["summaries"] == [printed]


def test_the_gate_is_that_of_the_command_line(server: Server) -> None:
    (state,) = data(call(server, "gate", require=["platform"]))["contracts"]
    printed = run("gate", DEMO, "--require", "platform").out
    assert printed.splitlines()[0] == state["verdict"]
    said = [*state["reasons"], *state["notes"]]
    for group in state["groups"]:
        said += [f"{group['label']}: {group['status']}", *group["reasons"], *group["notes"]]
    assert said
    assert [line for line in said if line not in printed] == []


def test_a_comparison_by_a_field_is_that_of_the_command_line(server: Server) -> None:
    found = call(server, "compare", by="platform", metric="total", baseline="tiktok")
    arguments = (DEMO, "--by", "platform", "--metric", "total", "--baseline", "tiktok")
    assert text(found) == run("compare", *arguments).out
    printed = json.loads(run("compare", *arguments, "--format", "json").out)
    assert data(found)["comparisons"] == [printed]


def test_two_files_are_compared_in_their_order(tmp_path: Path) -> None:
    rows = demo_rows()
    half = len(rows) // 2
    a, b = write(tmp_path / "a.ndjson", rows[:half]), write(tmp_path / "b.ndjson", rows[half:])
    server = assembled(Data.given([str(a), str(b)], None))
    for names in ([a, b], [b, a]):
        found = call(server, "compare", files=[str(name) for name in names])
        assert text(found) == run("compare", *names).out


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("compare", {}, "files: name two, A and B, not 1; or a field `by`"),
        ("compare", {"baseline": "tiktok"}, "baseline: names a value of the field `by`"),
        ("compare", {"by": "platfrm"}, "platfrm"),
        ("compare", {"by": "platform", "min_effect": -1}, "min_effect: must be "),
        ("compare", {"by": "platform", "metric": "speed"}, "speed"),
        ("gate", {"require": ["nowhere"]}, "nowhere"),
        ("query", {"sql": "select platfrm from rows"}, "did you mean `platform`"),
        ("query", {"sql": "grops"}, "no query is named `grops`; did you mean `groups`?"),
        ("query", {"sql": "select '\ud800'"}, ""),
        ("query", {}, "sql: is missing"),
        (
            "query",
            {"sql": "select 1", "limt": 3},
            "limt: is no argument of this tool; did you mean",
        ),
        ("query", {"sql": 3}, "sql: must be a valid string"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_a_sentence(
    server: Server, name: str, arguments: dict[str, Any], words: str
) -> None:
    assert words in refused(call(server, name, **arguments))


TRICKS = (
    *("/etc/passwd", "../secret.ndjson", "secret.ndjson", "./given.ndjson", "given.ndjson/", "*"),
    *("", "-", "given.ndjson\x00", "sub/../given.ndjson", "file://given.ndjson", "~/given.ndjson"),
)


@pytest.mark.parametrize("tool", READING)
def test_no_other_file_is_reached_by_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    (tmp_path / "here" / "sub").mkdir(parents=True)
    write(tmp_path / "here" / "given.ndjson", demo_rows()[:4])
    for secret in (tmp_path / "secret.ndjson", tmp_path / "here" / "secret.ndjson"):
        write(secret, demo_rows()[4:])
    monkeypatch.chdir(tmp_path / "here")
    server = assembled(Data.given(["given.ndjson"], None))
    sql = {"sql": "select count(*) as n from rows"} if tool == "query" else {}
    for trick in TRICKS:
        said = refused(call(server, tool, files=["given.ndjson", trick], **sql))
        assert said.startswith("files: no data is named ")
        assert str(tmp_path) not in said


def test_a_file_in_a_given_directory_is_no_name_of_its_own(server: Server) -> None:
    said = refused(call(server, "summarize", files=[str(DEMO_ROWS)]))
    assert said.startswith("files: no data is named ")


# The sandbox is attacked in tests/engine; these say that it is what answers here.
ESCAPES = (
    "select * from read_csv('{secret}')",
    "select * from '{secret}'",
    "with x as (copy (select 1) to '{new}') select 1",
    "attach '{new}' as db",
    "set enable_external_access = true",
    "select 1; select 2",
    "select getenv('HOME')",
)


@pytest.mark.parametrize("sql", ESCAPES)
def test_no_sql_reads_or_writes_a_file(server: Server, tmp_path: Path, sql: str) -> None:
    secret, new = tmp_path / "secret.csv", tmp_path / "new"
    secret.write_text("word\ncanary-71\n")
    named = sql.format(secret=secret, new=new, folder=tmp_path)
    said = refused(call(server, "query", sql=named))
    assert "canary" not in said
    assert os.fspath(tmp_path) not in said
    assert not new.exists()


def test_a_contract_of_code_cannot_be_named(server: Server, tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    said = refused(call(server, "summarize", contract=f"{code}:X"))
    assert said.startswith("contract: is no argument")
    assert not (tmp_path / "ran").exists()


def test_a_bad_row_is_named_with_its_file_and_line(tmp_path: Path) -> None:
    rows = demo_rows()[:3]
    file = write(tmp_path / "rows.ndjson", rows)
    server = assembled(Data.given([str(file)], None))
    write(file, [*rows, rows[0] | {"platform": 7}])
    assert f"{file}:4: platform:" in refused(call(server, "summarize"))
