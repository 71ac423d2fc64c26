"""Lines that another tool wrote become the rows that a contract's source describes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.meaning import Source
from benchdata.errors import RowError
from benchdata.rows import sources
from benchdata.rows.adapting import Adapter
from benchdata.rows.rejects import split
from tests.support.intake import frame, invalid, lines, tables
from tests.support.trials import Trial, bare, trial

KINDS = Source(kind="kind", rows="run", header="meta", ignore=("log",))


def adapted(source: Source, *given: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of lines."""
    adapter = Adapter(source)
    return [row for line in given if (row := adapter.row(line)) is not None]


def test_the_header_joins_every_row_after_it() -> None:
    found = adapted(
        KINDS,
        {"kind": "meta", "arm": "a"},
        {"kind": "run", "ms": 1},
        {"ms": 2, "kind": "run"},
        {"kind": "log", "text": "x"},
        {"kind": "meta", "arm": "b"},
        {"kind": "run", "ms": 3},
    )
    assert found == [{"arm": "a", "ms": 1}, {"arm": "a", "ms": 2}, {"arm": "b", "ms": 3}]


def test_all_that_is_left_out_is_counted_by_name() -> None:
    adapter = Adapter(Source(kind="kind", rows="run", ignore=("log", "end"), drop=("host",)))
    for line in ({"kind": "log"}, {"kind": "run", "host": 1}, {"kind": "log"}, {"kind": "run"}):
        adapter.row(line)
    assert dict(adapter.dropped) == {"lines of kind log": 2, "field host": 1}


@pytest.mark.parametrize(
    ("given", "path", "words"),
    [
        ([{"kind": "other"}], "kind", "(run, meta, log)"),
        ([{"kind": None}], "kind", "no kind of line"),
        ([{"ms": 1}], "kind", "no kind of line"),
        ([{"kind": ["run"]}], "kind", "no kind of line"),
        ([{"kind": {"run": 1}}], "kind", "no kind of line"),
        ([{"kind": "run"}], "kind", "meta line comes before"),
        ([{"kind": "meta", "ms": 1, "a": 2}, {"kind": "run", "a": 1, "ms": 1}], "meta.a", "too"),
    ],
)
def test_a_line_that_does_not_fit_is_refused(
    given: list[dict[str, Any]], path: str, words: str
) -> None:
    with pytest.raises(RowError) as raised:
        adapted(KINDS, *given)
    assert raised.value.path == path
    assert words in raised.value.message


def test_without_a_header_a_line_without_kind_is_not_taken_for_one() -> None:
    with pytest.raises(RowError, match="no kind of line"):
        adapted(Source(kind="kind", rows="run"), {"ms": 1})


@pytest.mark.parametrize(
    ("source", "given", "row"),
    [
        (Source(), {"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 2}}),
        (Source(drop=("a",)), {"a": 1, "b": 2}, {"b": 2}),
        (Source(rename={"a": "x"}), {"a": 1, "b": 2}, {"x": 1, "b": 2}),
        (Source(rename={"a": "b", "b": "a"}), {"a": 1, "b": 2}, {"b": 1, "a": 2}),
        (
            Source(snake_case=True),
            {"endToEndMs": 1, "HTTPCode": 2, "vmHWM": 3, "p95Ms": 4, "plain_name": 5},
            {"end_to_end_ms": 1, "http_code": 2, "vm_hwm": 3, "p95_ms": 4, "plain_name": 5},
        ),
        (Source(snake_case=True, rename={"tMs": "when"}), {"tMs": 1}, {"when": 1}),
    ],
)
def test_fields_are_dropped_and_renamed(
    source: Source, given: dict[str, Any], row: dict[str, Any]
) -> None:
    assert adapted(source, given) == [row]


@pytest.mark.parametrize(
    ("source", "given"),
    [
        (Source(rename={"a": "b"}), {"a": 1, "b": 2}),
        (Source(rename={"a": "b"}), {"b": 2, "a": 1}),
        (Source(snake_case=True), {"tMs": 1, "t_ms": 2}),
    ],
)
def test_two_fields_do_not_become_one(source: Source, given: dict[str, Any]) -> None:
    with pytest.raises(RowError):
        adapted(source, given)


def contract() -> Any:
    """Return a contract of trials as another tool writes them."""
    source = Source(
        kind="kind",
        rows="run",
        header="meta",
        ignore=("log",),
        drop=("cwd",),
        rename={"durationMs": "ms"},
    )
    return bare(Trial, source=source)


def line(name: str, **changes: Any) -> dict[str, Any]:
    """Return a measured line as the other tool writes it."""
    given = trial(name, **changes)
    del given["arm"]
    return {"kind": "run", "durationMs": given.pop("ms")} | given


META = {"kind": "meta", "arm": "b", "cwd": "/" + "home/somebody"}


def test_a_file_of_another_tool_is_read(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(lines([META, line("a"), {"kind": "log", "text": "~" + "/x"}, line("b")]))
    read = frame(tmp_path, file, contract=contract())
    assert read.select("_line", "trial", "arm", "ms").rows() == [(2, "a", "b", 5), (4, "b", "b", 5)]
    (table,) = tables(tmp_path, file, contract=contract())
    assert dict(table.dropped) == {"field cwd": 1, "lines of kind log": 1}


def test_errors_name_the_field_as_the_file_does(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    bad = [line("a", ms=-1), line("b", passed=None), 5, line("c", note="~" + "/x"), {"kind": "x"}]
    file.write_bytes(lines([META, *bad]))
    errors = invalid(tmp_path, file, contract=contract()).errors
    assert [(error.line, error.path) for error in errors] == [
        *((2, "durationMs"), (3, "passed"), (4, "row"), (5, "note"), (6, "kind")),
    ]


@pytest.mark.parametrize(
    "second",
    [
        b'{"kind":"meta","arm":"b",}',
        b'{"kind":"meta","arm":"b","arm":"b"}',
        b'{"kind":"meta","durationMs":1,"ms":1}',
        b'{"kind":"Meta","arm":"b"}',
        b'{"kind":"meta","arm":"\xff"}',
    ],
)
def test_rows_after_a_header_that_fails_are_not_those_of_the_one_before(
    tmp_path: Path, second: bytes
) -> None:
    file, rows = tmp_path / "log.jsonl", [lines([line(name)]) for name in "abc"]
    meta = lines([META])
    file.write_bytes(b"".join((meta, rows[0], second, b"\n", rows[1], meta, rows[2])))
    (source,) = sources.find([file])
    split(source, contract(), tmp_path / "good.jsonl", tmp_path / "bad.jsonl")
    assert (tmp_path / "good.jsonl").read_bytes() == b"".join((meta, rows[0], meta, rows[2]))
    failed, astray = map(json.loads, (tmp_path / "bad.jsonl").read_bytes().splitlines())
    assert (failed["line"], astray["line"]) == (3, 4)
    assert astray["message"] == "no readable meta line comes before this run line"


def test_names_that_are_never_the_same_do_not_pile_up() -> None:
    adapter = Adapter(Source(snake_case=True))
    for number in range(10_000):
        assert adapter.row({f"aB{number}": 1, "cD": 2}) == {f"a_b{number}": 1, "c_d": 2}
        assert len(adapter._names) <= 5_000
    assert adapter.written(RowError("c_d[0].x", "")).path == "cD[0].x"


def test_each_file_starts_without_a_header(tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    one.write_bytes(lines([META, line("a")]))
    two.write_bytes(lines([line("b")]))
    (error,) = invalid(tmp_path, one, two, contract=contract()).errors
    assert (error.source, error.line, error.path) == (str(two), 1, "kind")
