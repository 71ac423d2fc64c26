"""Linked charts: what each half holds, and in a browser that each filters the other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from benchdata import charts
from benchdata.reports.page import render
from tests.support.browser import launched, visited
from tests.support.charted import Chart, data, frame, notes, said
from tests.support.linking import bars, brush, click, dots

v4: Any = nbformat.v4  # it carries no types
ROWS = [
    ("G1 warm", 10.0, "success", "a"),
    ("G1 warm", 20.0, "failed", "b"),
    ("G2 cold", 90.0, "success", "c"),
    ("G2 cold", None, "unscored", "d"),
]


def drawn(rows: list[tuple[Any, ...]] = ROWS) -> Chart:
    return charts.linked(frame("group value outcome row", rows), unit="ms")


def test_every_row_counts_in_a_bar_and_those_with_a_value_have_a_dot() -> None:
    chart = drawn()
    dots, bars = charts.compact_spec(chart)["vconcat"]
    sets = charts.compact_spec(chart)["datasets"]
    assert [len(sets[part["data"]["name"]]) for part in (dots["layer"][0], bars)] == [3, 4]
    assert "1 without a value have no dot." in notes(chart)
    shown = said(chart)
    assert {"G1 warm", "n 2", "success", "partial", "failed", "unscored"} <= {*shown}


def test_without_a_dot_there_is_nothing_to_link() -> None:
    nothing = [row for row in ROWS if row[1] is None]
    assert "vconcat" not in charts.compact_spec(drawn(nothing))
    assert "G2 cold" in said(drawn(nothing))
    assert "No rows to show" in said(drawn([]))


def test_of_many_rows_the_first_are_drawn_and_the_chart_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules["benchdata.charts.linked"], "ROW_LIMIT", 3)
    chart = drawn([("G", float(at), "success", f"r{at}") for at in range(13)])
    assert "The first 3 rows; 10 more are in the table." in notes(chart)
    assert {row["value"] for row in data(charts.compact_spec(chart)) if "value" in row} == {0, 1, 2}


@pytest.mark.slow
@pytest.mark.browser
def test_a_brush_counts_what_it_covers_and_a_bar_keeps_its_dots(
    chromium: str, tmp_path: Path
) -> None:
    spec = charts.compact_spec(drawn())
    bundle = {charts.SVG_TYPE: charts.static_svg(spec), charts.CHART_TYPE: spec}
    output = v4.new_output("display_data", data=bundle)
    cell = v4.new_code_cell("chart", outputs=[output], execution_count=1)
    file = tmp_path / "linked.html"
    file.write_text(render(v4.new_notebook(cells=[cell]), title="Linked"), "utf-8")
    with launched(chromium) as browser, visited(browser, file.as_uri()) as visit:
        visit.drawn()
        figure = visit.page.locator("figure.chart")
        assert bars(figure) == {"success": 2, "failed": 1, "unscored": 1}
        brush(figure, "G1 warm")
        assert bars(figure) == {"success": 1, "failed": 1}
        click(figure, "failed")
        assert dots(figure) == 1
        visit.is_quiet()
