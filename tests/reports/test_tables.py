"""Tables of a report: how values are written, and that no form lets a cell break out."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import nbformat
import polars as pl
import pytest
from IPython.core.formatters import DisplayFormatter
from markdown_it import MarkdownIt

from benchdata.errors import ReportError
from benchdata.reports.tables import (
    TABLE_TYPE,
    Table,
    from_data,
    html_table,
    markdown_table,
    markdown_text,
)

HOSTILE = (
    "a|b",
    "a\\",
    "a\\|b",
    "line\nbreak",
    "<script>alert(1)</script>",
    "&lt;",
    "`code`",
    "**bold** _em_ ~~gone~~",
    "![i](http://a.example/i)",
    "[x](javascript:alert(1))",
    "snake_case_name",
    "2 * 3 & 4",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_markdown_cell_reads_as_it_was_written(text: str) -> None:
    table = markdown_table(["a", "b"], [[text, "next"]], ["left", "right"])
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tokens = parser.parse(table)
    cells = [token for token in tokens if token.type == "inline"][2:]
    assert len(cells) == 2
    children = cells[0].children or []
    assert {child.type for child in children} <= {"text", "text_special"}
    assert "".join(child.content for child in children) == " ".join(text.split())


def test_ordinary_text_is_left_alone() -> None:
    for text in ("goal_satisfied", "1,234 / 5,678", "0.6.0 @ 0123456789ab", "a & b", "50.0%", "~1"):
        assert markdown_text(text) in {text, f"\\{text}"}
    assert markdown_text("goal_satisfied") == "goal_satisfied"


def test_a_markdown_table_is_plain_lines() -> None:
    table = markdown_table(
        ["Group", "Runs", "Note"], [["G1", "1,234", "x"]], ["left", "right", "center"]
    )
    assert table.splitlines() == [
        "| Group | Runs | Note |",
        "| --- | ---: | :---: |",
        "| G1 | 1,234 | x |",
    ]


def test_values_are_written_for_a_reader() -> None:
    frame = pl.DataFrame(
        {
            "n": [1234, None],
            "share": [1 / 3, math.nan],
            "ok": [True, False],
            "at": [datetime(2026, 3, 1, 12, tzinfo=UTC), None],
            "cost": [Decimal("1234.50"), None],
            "text": ["a", ""],
        }
    )
    table = html_table(frame, caption="Values")
    assert table.rows == (
        ("1,234", "0.3333", "yes", "2026-03-01 12:00:00 UTC", "1,234.50", "a"),
        ("\N{EM DASH}", "NaN", "no", "\N{EM DASH}", "\N{EM DASH}", ""),
    )
    assert table.align == ("right", "right", "left", "left", "right", "left")


def test_columns_may_be_named_and_aligned() -> None:
    frame = pl.DataFrame({"n": [1], "text": ["a"]})
    table = html_table(frame, caption="T", align={"n": "center"}, headers={"n": "Runs"})
    assert (table.headers, table.align) == (("Runs", "text"), ("center", "left"))
    with pytest.raises(ReportError, match="table 'T' has no column 'm'"):
        html_table(frame, caption="T", align={"m": "left"})


def test_html_is_escaped_and_long_words_may_break() -> None:
    frame = pl.DataFrame({"<b>": ["<script>alert(1)</script>", "y" * 60]})
    text = html_table(frame, caption="<i>x</i>")._repr_html_()
    assert "<script>" not in text.replace("<wbr>", "")
    assert "<caption>&lt;i&gt;x&lt;/i&gt;</caption>" in text
    assert "&lt;b&gt;</th>" in text
    assert f"{'y' * 24}<wbr>{'y' * 24}<wbr>{'y' * 12}</td>" in text


def test_a_notebook_keeps_every_form_and_gives_the_table_back() -> None:
    table = html_table(pl.DataFrame({"a": [1], "b": ["x|y"]}), caption="T")
    formatter: Any = DisplayFormatter()
    data, _ = formatter.format(table)
    assert {TABLE_TYPE, "text/html", "text/markdown", "text/plain"} <= data.keys()
    assert from_data(data[TABLE_TYPE]) == table
    v4: Any = nbformat.v4  # it carries no types
    output = v4.new_output("execute_result", data=data, execution_count=1)
    cell = v4.new_code_cell("t", outputs=[output], execution_count=1)
    nbformat.validate(v4.new_notebook(cells=[cell]))


def test_a_ragged_table_is_refused() -> None:
    with pytest.raises(ReportError, match="table 'T': rows, headers and align differ in width"):
        Table("T", ("a", "b"), (("1",),), ("left", "left"))


def test_a_cell_is_one_line_without_control_characters() -> None:
    table = Table("t", ("a",), (("x\0\x1b[31m\n y" + "z" * 9_000,),), ("left",))
    ((cell,),) = table.rows
    assert cell.startswith("x\ufffd\ufffd[31m yz")
    assert len(cell) == 300
    assert markdown_text("a\x07b\n c") == "a\ufffdb c"
