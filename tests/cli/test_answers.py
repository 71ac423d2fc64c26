"""How an answer is printed: every kind of value as JSON, as CSV and in a table."""

from __future__ import annotations

import csv
import io
import json

import pytest

from benchdata.cli.answers import FORMATS
from benchdata.engine.connection import connect, fetch
from benchdata.errors import QueryRefused

ODD = {
    "list": "[1, null, 3]",
    "record": "{'a': 1, 'b': 'x'}",
    "nothing": "null",
    "flag": "true",
    "decimal": "1.50::decimal(9, 2)",
    "float": "0.1 + 0.2::double",
    "single": "1e10::float",
    "nan": "'nan'::double",
    "huge": "12345678901234::hugeint",
    "day": "date '2026-01-31'",
    "hour": "time '10:00'",
    "instant": "timestamptz '2026-01-31 10:00:00.5+00'",
    "bytes": "'x'::blob",
    "interval": "interval 1 day",
    "union": "union_value(a := 1)",
    "map": "map {'k': 1}",
    "lines": "'a' || chr(10) || 'b'",
    "quotes": "'say \"hi\", é'",
    "escape": "chr(27) || '[31m'",
}
SELECT = "select " + ", ".join(f"{value} as {name}" for name, value in ODD.items())


def printed(form: str, query: str = SELECT) -> str:
    with connect(()) as connection:
        return "".join(FORMATS[form](fetch(connection, query)))


def test_every_kind_of_value_is_json() -> None:
    (row,) = json.loads(printed("json"))
    assert row["list"] == [1, None, 3]
    assert row["record"] == {"a": 1, "b": "x"}
    assert (row["nothing"], row["flag"], row["decimal"]) == (None, True, "1.50")
    assert (row["float"], row["nan"], row["huge"]) == (0.1 + 0.2, "nan", 12345678901234)
    assert (row["day"], row["hour"]) == ("2026-01-31", "10:00:00")
    assert row["instant"] == "2026-01-31T10:00:00.500000Z"
    assert (row["lines"], row["quotes"], row["bytes"]) == ("a\nb", 'say "hi", é', "78")
    assert row["map"] == {"k": 1}
    assert row["interval"] == {"months": 0, "days": 1, "nanoseconds": 0}


def test_json_has_a_line_a_row() -> None:
    assert printed("json", "from range(2)") == '[\n{"range": 0},\n{"range": 1}\n]\n'


def test_every_kind_of_value_is_csv() -> None:
    (row,) = csv.DictReader(io.StringIO(printed("csv")))
    assert (row["list"], row["record"]) == ("[1, null, 3]", '{"a": 1, "b": "x"}')
    assert (row["nothing"], row["flag"], row["nan"]) == ("", "true", "nan")
    assert (row["lines"], row["quotes"]) == ("a\nb", 'say "hi", é')
    assert row["float"] == "0.30000000000000004"


def test_a_cell_with_either_end_of_a_line_is_one_cell_of_csv() -> None:
    for end in ("10", "13", "13) || chr(10"):
        text = printed("csv", f"select 'a' || chr({end}) || 'b' as x, 1 as y")
        ((first, second),) = list(csv.reader(io.StringIO(text, newline="")))[1:]
        assert (first.replace("\r", "").replace("\n", ""), second) == ("ab", "1")
        assert text.endswith(",1\n")


def test_every_kind_of_value_is_one_line_of_a_table() -> None:
    text = printed("table")
    head, line = text.splitlines()
    assert head.split() == list(ODD)
    assert "null" in line
    assert '{"k": 1}' in line
    assert "MonthDayNano" not in line
    assert "\x1b" not in text


def test_numbers_stand_right_and_long_text_is_cut_in_tables_alone() -> None:
    query = "select * from (values ('x', 1), (repeat('y', 300), 20)) as v(name, n)"
    wide = "y" * 199 + "…"
    lines = printed("table", query).splitlines()
    assert lines == [f"{'name':200}   n", f"{'x':200}   1", f"{wide}  20"]
    assert "y" * 300 in printed("csv", query)


@pytest.mark.parametrize(
    ("form", "text"), [("json", "[]\n"), ("csv", "a,b\n"), ("table", "a  b\n")]
)
def test_an_answer_without_rows(form: str, text: str) -> None:
    assert printed(form, "select 1 as a, 'x' as b where false") == text


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("value", ["date 'infinity'", "[timestamptz '-infinity']"])
def test_a_time_outside_the_calendar_is_refused(form: str, value: str) -> None:
    with pytest.raises(QueryRefused, match="outside the calendar: cast it to varchar"):
        printed(form, f"select {value} as x")


def test_a_map_keyed_by_lists_is_refused() -> None:
    with pytest.raises(QueryRefused, match="as keys: cast it to varchar"):
        printed("json", "select map {[1]: 2} as x")
