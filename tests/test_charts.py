"""Charts: what they draw, that no value breaks one, that the same table gives the same bytes."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import altair as alt
import nbformat
import polars as pl
import pytest

from benchdata import charts
from benchdata.charts.distributions import samples
from benchdata.charts.records import clean, labels
from benchdata.charts.theme import DASHES, SERIES_DARK, SERIES_LIGHT, SYMBOLS, config
from benchdata.errors import ReportError

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
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Chart = alt.TopLevelMixin
Draw = Callable[[list[Any]], Chart]


def outcomes(groups: list[Any]) -> Chart:
    rows = [(group, outcome, 3) for group in groups for outcome in ("success", "failed")]
    return charts.outcomes(pl.DataFrame(rows, ["group", "outcome", "n"], orient="row"))


def stop_reasons(groups: list[Any]) -> Chart:
    rows = [(group, reason, 2) for group in groups for reason in ("step_limit", "a:b")]
    return charts.stop_reasons(pl.DataFrame(rows, ["group", "stop_reason", "n"], orient="row"))


def percentile_ranges(groups: list[Any]) -> Chart:
    columns = ["group", "condition", "n", "p50", "p95", "low", "high", "p95_is_max"]
    rows = [(group, "cold", 12, 100.0, 900.0, 80.0, 120.0, True) for group in groups]
    table = pl.DataFrame(rows, columns, orient="row")
    return charts.percentile_ranges(table, subject="Total time by group", unit="ms")


def ecdf(groups: list[Any]) -> Chart:
    return charts.ecdf(values(groups), subject="Total time", unit="ms")


def strip(groups: list[Any]) -> Chart:
    rows = [(group, 20.0, 10.0, 30.0) for group in groups]
    medians = pl.DataFrame(rows, ["group", "p50", "low", "high"], orient="row")
    return charts.strip(values(groups), medians, subject="Total time", unit="ms")


def timeline(groups: list[Any]) -> Chart:
    return charts.timeline(runs(groups, 2), subject="Total time by start", unit="ms")


def components(groups: list[Any]) -> Chart:
    rows = [(group, part, 40) for group in groups for part in ("jev", "a:b", "media")]
    return charts.components(pl.DataFrame(rows, ["group", "component", "p50"], orient="row"))


def evidence(groups: list[Any]) -> Chart:
    rows = [(group, what, 2, 9) for group in groups for what in ("records", "comments")]
    return charts.evidence(pl.DataFrame(rows, ["group", "measure", "p50", "p95"], orient="row"))


ALL: tuple[Draw, ...] = (
    outcomes,
    stop_reasons,
    percentile_ranges,
    ecdf,
    strip,
    timeline,
    components,
    evidence,
)


def values(groups: list[Any], each: int = 4) -> pl.DataFrame:
    rows = [(group, 10.0 * number) for group in groups for number in range(1, each + 1)]
    return pl.DataFrame(rows, ["group", "value"], orient="row")


def runs(groups: list[Any], each: int) -> pl.DataFrame:
    rows = [
        (NOON + timedelta(minutes=number), group, 50.0 + number, "cold", "success")
        for group in groups
        for number in range(each)
    ]
    names = ["time", "group", "value", "condition", "outcome"]
    return pl.DataFrame(rows, names, orient="row")


def data(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for rows in spec.get("datasets", {}).values() for row in rows]


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("draw", ALL)
def test_no_text_of_a_row_breaks_a_chart(draw: Draw) -> None:
    spec = charts.compact_spec(draw([*HOSTILE, None]))
    svg = charts.static_svg(spec)
    shown = " ".join(texts(svg))
    assert "</script><script>" in shown
    assert "a.b" in shown
    assert "p95:ms" in shown
    assert "NaN" not in re.sub(r">[^<]*<", "><", svg)
    assert "<script" not in svg


@pytest.mark.parametrize("draw", ALL)
def test_title_names_subject_and_unit_and_the_name_is_a_file_name(draw: Draw) -> None:
    spec = charts.compact_spec(draw(["G1", "G2"]))
    assert re.fullmatch(r".+ \((ms|rows|count)\)", " ".join(spec["title"]["text"]))
    assert re.fullmatch(r"[a-z_]+", spec["name"])
    assert spec["description"].startswith(spec["title"]["text"][0])


@pytest.mark.parametrize("draw", ALL)
def test_an_empty_table_is_drawn_as_such(draw: Draw) -> None:
    svg = charts.static_svg(charts.compact_spec(draw(["G1"])))
    assert "No rows to show" not in texts(svg)
    svg = charts.static_svg(charts.compact_spec(draw([])))
    assert "No rows to show" in texts(svg)
    assert "NaN" not in svg


@pytest.mark.parametrize("draw", ALL)
def test_more_than_5000_groups_are_cut_and_the_chart_says_so(draw: Draw) -> None:
    spec = charts.compact_spec(draw([f"group {number}" for number in range(5_001)]))
    notes = " ".join(spec["title"]["subtitle"])
    assert re.search(r"The first (24|60) groups; 4,9\d\d more are in the table\.", notes)
    assert len(json.dumps(spec)) < 300_000


def test_outcomes_are_stacked_from_zero_and_labelled_with_counts() -> None:
    rows = [("G1", "failed", 1), ("G1", "success", 7), ("G1", "partial", 2)]
    spec = charts.compact_spec(
        charts.outcomes(pl.DataFrame(rows, ["group", "outcome", "n"], orient="row"))
    )
    segments = [(row["outcome"], row["start"], row["end"]) for row in data(spec) if "end" in row]
    assert segments == [("success", 0, 7), ("partial", 7, 9), ("failed", 9, 10)]
    assert spec["layer"][0]["encoding"]["x"]["scale"]["domainMin"] == 0
    assert "7 / 2 / 1 of 10" in texts(charts.static_svg(spec))


def test_unscored_rows_are_a_fourth_outcome_and_an_unknown_one_is_refused() -> None:
    table = pl.DataFrame({"group": ["G1"], "outcome": ["unscored"], "n": [2]})
    assert "0 / 0 / 0 / 2 of 2" in texts(
        charts.static_svg(charts.compact_spec(charts.outcomes(table)))
    )
    with pytest.raises(ReportError, match="outcome 'lost': a chart knows success, partial"):
        charts.outcomes(table.with_columns(outcome=pl.lit("lost")))


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ReportError, match="needs a column 'n'; the table has: group, outcome"):
        charts.outcomes(pl.DataFrame({"group": ["G1"], "outcome": ["success"]}))


def test_a_name_that_is_no_file_name_is_refused() -> None:
    with pytest.raises(ReportError, match=r"chart name '\.\./x'"):
        charts.ecdf(values(["G1"]), subject="Total time", unit="ms", name="../x")


def test_a_p95_of_few_rows_is_marked_as_their_maximum() -> None:
    rows = [("G1", 12, 5.0, 9.0, True), ("G2", 1200, 5.0, 9.5, False), ("G3", 3, None, None, None)]
    table = pl.DataFrame(rows, ["group", "n", "p50", "p95", "p95_is_max"], orient="row")
    spec = charts.compact_spec(charts.percentile_ranges(table, subject="Time", unit="ms"))
    said = texts(charts.static_svg(spec))
    assert "p50 5 · 9 = max of 12" in [" ".join(text.split()) for text in said]
    assert "p50 5 · p95 9.5 · n 1,200" in [" ".join(text.split()) for text in said]
    assert "p50 not reached · p95 not reached · n 3" in [" ".join(text.split()) for text in said]


def test_evidence_and_components_say_n_where_the_table_does() -> None:
    table = pl.DataFrame(
        {"group": ["G1"], "measure": ["records"], "n": [12], "p50": [4], "p95": [9]}
    )
    said = texts(charts.static_svg(charts.compact_spec(charts.evidence(table))))
    assert "records · p50 4 · 9 = max of 12" in [" ".join(text.split()) for text in said]
    counted = table.with_columns(above_zero=pl.lit(11), n=pl.lit(20))
    said = texts(charts.static_svg(charts.compact_spec(charts.evidence(counted))))
    assert "records · p50 4 · p95 9 · above 0: 11 of 20" in [
        " ".join(text.split()) for text in said
    ]
    parts = table.rename({"measure": "component"})
    assert "n 12" in texts(charts.static_svg(charts.compact_spec(charts.components(parts))))


def test_an_interval_without_width_is_not_drawn() -> None:
    columns = ["group", "n", "p50", "p95", "low", "high"]
    table = pl.DataFrame([("G1", 30, 5.0, 9.0, 5.0, 5.0)], columns, orient="row")
    chart = charts.percentile_ranges(table, subject="Time", unit="ms")
    strokes = [layer["mark"].get("strokeWidth") for layer in charts.compact_spec(chart)["layer"]]
    assert 10 not in strokes
    wider = table.with_columns(high=pl.lit(6.0))
    chart = charts.percentile_ranges(wider, subject="Time", unit="ms")
    strokes = [layer["mark"].get("strokeWidth") for layer in charts.compact_spec(chart)["layer"]]
    assert 10 in strokes


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None])
def test_a_value_that_is_no_number_breaks_only_itself(bad: float | None) -> None:
    table = pl.DataFrame({"group": ["G1", "G1", "G2"], "value": [1.0, bad, 2.0]})
    spec = charts.compact_spec(charts.ecdf(table, subject="Time", unit="ms"))
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec
    assert "G1 (n 2, 1 not reached)" in texts(charts.static_svg(spec))
    ends = {row["group"]: row["share"] for row in data(spec)}
    assert ends == {"G1 (n 2, 1 not reached)": 0.5, "G2 (n 1)": 1.0}


def test_nan_in_percentiles_is_not_reached() -> None:
    table = pl.DataFrame({"group": ["G1"], "n": [30], "p50": [math.nan], "p95": [math.inf]})
    spec = charts.compact_spec(charts.percentile_ranges(table, subject="Time", unit="ms"))
    assert "NaN" not in json.dumps(spec)


def test_a_long_sample_is_thinned_to_exact_points() -> None:
    size = 12_345
    table = pl.DataFrame({"group": ["G1"] * size, "value": [float(i % 997) for i in range(size)]})
    sample = samples(table)["G1"]
    points = sample.curve(500)
    whole = table["value"].to_list()
    assert len(points) <= 501
    for value, share in (points[1], points[100], points[-1]):
        assert share == sum(each <= value for each in whole) / size
    assert (points[0][1], points[-1]) == (0.0, (996.0, 1.0))
    assert samples(table.head(10))["G1"].dots(500).len() == 10


def test_many_groups_get_panels_of_their_own() -> None:
    assert "facet" not in charts.compact_spec(ecdf([f"G{i}" for i in range(6)]))
    assert charts.compact_spec(ecdf([f"G{i}" for i in range(7)]))["facet"]["field"] == "group"


@pytest.mark.parametrize("draw", ALL)
def test_two_long_names_that_look_the_same_stay_two_groups(draw: Draw) -> None:
    spec = charts.compact_spec(draw(["y" * 200 + "1", "y" * 200 + "2"]))
    by_head = {row["text"] for row in data(spec) if "note" in row}
    by_mark = {row["group"] for row in data(spec) if "group" in row}
    assert len(by_head or by_mark) == 2


def test_labels_are_printable_short_and_different() -> None:
    given = labels(["a", "a\x00", "a\x01", "b" * 200, "b" * 201, "a"])
    assert list(given.values())[:3] == [
        "a",
        "a\N{REPLACEMENT CHARACTER}",
        "a\N{REPLACEMENT CHARACTER} (2)",
    ]
    assert len(set(given.values())) == 5
    assert clean("\u202eevil\n") == "\N{REPLACEMENT CHARACTER}evil\N{REPLACEMENT CHARACTER}"


def test_times_are_utc_whatever_their_zone() -> None:
    tokyo = timezone(timedelta(hours=9))
    local = pl.Series("time", [NOON.astimezone(tokyo)]).dt.convert_time_zone("Asia/Tokyo")
    naive = pl.Series("time", [NOON.replace(tzinfo=None)])
    specs = [
        charts.compact_spec(
            charts.timeline(runs(["G1"], 1).with_columns(time), subject="Time", unit="ms")
        )
        for time in (local, naive)
    ]
    assert specs[0] == specs[1]
    (point,) = data(specs[0])
    assert (point["clock"], point["time"]) == ("2026-03-01 12:00:00", NOON.timestamp() * 1000)
    assert specs[0]["encoding"]["x"]["scale"]["type"] == "utc"
    assert "start time (UTC)" in texts(charts.static_svg(specs[0]))


def test_many_runs_become_medians_of_time_slices() -> None:
    table = runs(["G1"], 6_000)
    spec = charts.compact_spec(charts.timeline(table, subject="Time", unit="ms"))
    marks = data(spec)
    assert sum(mark["n"] for mark in marks) == 6_000
    assert len(marks) <= 1_500
    assert spec["title"]["subtitle"][1].startswith("Each mark: the median")
    first = table["value"].head(marks[0]["n"]).sort()
    assert marks[0]["value"] == first[(len(first) - 1) // 2]


def test_rows_without_time_or_value_are_counted() -> None:
    table = runs(["G1"], 3).with_columns(value=pl.Series([1.0, None, math.nan]))
    spec = charts.compact_spec(charts.timeline(table, subject="Time", unit="ms"))
    assert spec["title"]["subtitle"] == ["G1", "2 without time or value are not drawn."]


def test_series_differ_without_colour_and_by_it() -> None:
    assert (
        len(set(SYMBOLS))
        == len(set(DASHES))
        == len(set(SERIES_LIGHT))
        == len(set(SERIES_DARK))
        == 7
    )
    light, dark = config(), config(dark=True)
    assert light["axis"]["labelColor"] != dark["axis"]["labelColor"]
    assert light.keys() == dark.keys()


def test_a_displayed_chart_is_an_image_with_its_spec() -> None:
    before = alt.renderers.active
    charts.enable()
    try:
        chart = ecdf(["G1"])
        first, second = chart._repr_mimebundle_(), chart._repr_mimebundle_()
    finally:
        alt.renderers.enable(before)
    assert isinstance(first, dict)
    assert first == second
    assert set(first) == {charts.SVG_TYPE, charts.CHART_TYPE}
    assert first[charts.SVG_TYPE].startswith('<svg style="overflow:visible" ')
    assert list(first[charts.CHART_TYPE]) == sorted(first[charts.CHART_TYPE])
    v4: Any = nbformat.v4  # it carries no types
    output = v4.new_output("display_data", data=first)
    cell = v4.new_code_cell("chart", outputs=[output])
    nbformat.validate(v4.new_notebook(cells=[cell]))


def test_another_process_draws_the_same_bytes(root: Path) -> None:
    program = """
import json, polars as pl
from benchdata import charts
table = pl.DataFrame({"group": ["a", "b"], "component": ["x", "y"], "p50": [1, 2]})
spec = charts.compact_spec(charts.components(table))
print(json.dumps(spec) + charts.static_svg(spec))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env={"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"},
        capture_output=True,
        text=True,
        check=True,
    )
    table = pl.DataFrame({"group": ["a", "b"], "component": ["x", "y"], "p50": [1, 2]})
    spec = charts.compact_spec(charts.components(table))
    assert done.stdout == json.dumps(spec) + charts.static_svg(spec) + "\n"
