"""What holds for every chart: any text, any number of rows, a title with its unit, a valid spec."""

from __future__ import annotations

import json
import re
import struct

import pytest
import vl_convert

from benchdata import charts
from benchdata.charts.bundle import VEGA_LITE
from benchdata.errors import ReportError
from tests.support.cases import mostly_slow
from tests.support.charted import DRAWN, Chart, Draw, data, ecdf, frame, notes, reach, said

HOSTILE = (
    "p95:ms",
    "a.b",
    "a[0]",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "x" * 300,
    "\N{PARTY POPPER} \u65e5\u672c\u8a9e \u05e2\u05d1\u05e8\u05d9\u05ea",
    'quote " and \\ and \u2028',
    "\x00\x1b[31m",
    "",
)
EVERY = (*DRAWN, reach)
SIZES = mostly_slow((3, 1, 30, 300))
WIDEST = 820  # pixels: a label that runs out of a chart makes it wider
TALLEST = {1: 460, 3: 520, 30: 4_000, 300: 8_000}
HIDDEN = {"slopes", "tradeoff", "differences"}  # where a name is no text of its own at any number
MANY = 310
CUT = {
    "slopes": "The first 250 tasks; 3\\d more are in the table",
    "heatmap": "The first 60 tasks; 250 more are in the table",
    "heatmap_of_scores": "The first 60 probes; 250 more are in the table",
    "dumbbell": "The first 60 rows; 250 more are in the table",
    "cost_against_wall": "304 others",
    "collection_order": "304 others",
    "differences": "Tasks: 286",
}
CUT_GROUPS = (
    r"The first (24|60) groups; 2\d\d more are in the table|The last 300 versions; 10 earlier"
)


def names(many: int) -> list[str]:
    return [f"group {number}" for number in range(many)]


def size(chart: Chart) -> tuple[int, int]:
    """Return width and height of the chart as a PNG image."""
    spec = json.dumps(charts.compact_spec(chart))
    image = vl_convert.vegalite_to_png(spec, vl_version=VEGA_LITE, allowed_base_urls=[])
    assert image.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", image[16:24])
    return width, height


@pytest.mark.parametrize("many", SIZES)
@pytest.mark.parametrize("draw", EVERY)
def test_one_or_many_rows_make_an_image_of_a_sensible_size(draw: Draw, many: int) -> None:
    width, height = size(draw(names(many)))
    assert 400 < width <= WIDEST
    assert 60 < height <= TALLEST[many]


@pytest.mark.parametrize("draw", mostly_slow(EVERY, 6))
def test_long_names_make_no_chart_wider(draw: Draw) -> None:
    width, _ = size(draw(["y" * 200 + str(number) for number in range(3)]))
    assert width <= WIDEST


@pytest.mark.parametrize("draw", DRAWN)
def test_no_text_of_a_row_breaks_a_chart(draw: Draw) -> None:
    spec = charts.compact_spec(draw(HOSTILE))
    svg = charts.static_svg(spec)
    assert "NaN" not in re.sub(r">[^<]*<", "><", svg)
    assert "<script" not in svg
    if draw.__name__ not in HIDDEN:
        shown = " ".join(said(draw([*HOSTILE[:5]])))
        assert "p95:ms" in shown
        assert "<!--<script>" in shown or "others" in shown


@pytest.mark.parametrize("draw", EVERY)
def test_title_names_subject_and_unit_and_the_name_is_a_file_name(draw: Draw) -> None:
    spec = charts.compact_spec(draw(["G1", "G2"]))
    assert re.fullmatch(r".+ \(.+\)", " ".join(spec["title"]["text"]))
    assert re.fullmatch(r"[a-z_]+", spec["name"])
    assert spec["description"].startswith(spec["title"]["text"][0])


@pytest.mark.parametrize("draw", EVERY)
def test_an_empty_table_is_drawn_as_such(draw: Draw) -> None:
    assert "No rows to show" not in said(draw(["G1"]))
    assert "No rows to show" in said(draw([]))
    assert "NaN" not in charts.static_svg(charts.compact_spec(draw([])))


@pytest.mark.parametrize("draw", mostly_slow(DRAWN, 6))
def test_of_hundreds_of_names_few_are_drawn_and_the_chart_says_so(draw: Draw) -> None:
    chart = draw(names(MANY))
    spec = charts.compact_spec(chart)
    assert len(json.dumps(spec)) < 600_000
    told = notes(chart) + " ".join(str(row.get("group")) for row in data(spec))
    assert re.search(CUT.get(draw.__name__, CUT_GROUPS), told)


@pytest.mark.parametrize("draw", DRAWN)
def test_two_long_names_that_look_the_same_stay_two(draw: Draw) -> None:
    spec = charts.compact_spec(draw(["y" * 200 + "1", "y" * 200 + "2"]))
    fields = ("text", "group", "task", "version", "row")
    found = {str(row[field]) for row in data(spec) for field in fields if field in row}
    assert len({text for text in found if "yyy" in text}) >= 2


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ReportError, match="needs a column 'n'; the table has: group, outcome"):
        charts.outcomes(frame("group outcome", [("G1", "success")]))


def test_a_name_that_is_no_file_name_is_refused() -> None:
    with pytest.raises(ReportError, match=r"chart name '\.\./x'"):
        charts.ecdf(frame("group value", [("G1", 1.0)]), subject="s", unit="ms", name="../x")
    assert charts.compact_spec(ecdf(["G1"]))["name"] == "ecdf"
