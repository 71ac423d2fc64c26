"""Step curves: exact shares, rows that never got there, panels, runs green by turn."""

from __future__ import annotations

import json
import math

import polars as pl
import pytest

from benchdata import charts
from benchdata.charts.samples import samples
from tests.support.charted import data, ecdf, frame, notes, said


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None])
def test_a_value_that_is_no_number_breaks_only_itself(bad: float | None) -> None:
    table = pl.DataFrame({"group": ["G1", "G1", "G2"], "value": [1.0, bad, 2.0]})
    chart = charts.ecdf(table, subject="Time", unit="ms")
    spec = charts.compact_spec(chart)
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec
    assert "G1 (n 2, 1 not reached)" in said(chart)
    ends = {row["group"]: row["share"] for row in data(spec)}
    assert ends == {"G1 (n 2, 1 not reached)": 0.5, "G2 (n 1)": 1.0}


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


def test_shares_go_from_0_to_100_percent() -> None:
    scale = charts.compact_spec(ecdf(["G1"]))["encoding"]["y"]["scale"]
    assert scale["domain"] == [0, 1]


def test_never_green_runs_are_a_plateau_to_the_cap() -> None:
    rows = [("L1", 4), ("L1", 9), ("L1", None), ("L2", 30), ("L3", None)]
    chart = charts.share_green(frame("group value", rows), 80)
    spec = charts.compact_spec(chart)
    last = {row["group"]: (row["value"], row["share"]) for row in data(spec)}
    assert last == {
        "L1 (2 of 3 green, 1 never)": (80, pytest.approx(2 / 3)),
        "L2 (1 of 1 green)": (80, 1.0),
        "L3 (0 of 1 green, 1 never)": (80, 0.0),
    }
    assert "not green after 80 turns" in notes(chart)
    first = next(row for row in data(spec) if row["group"].startswith("L2"))
    assert (first["value"], first["share"]) == (0, 0)
