"""Ranges from p50 to p95: few rows have a maximum instead, intervals have a width."""

from __future__ import annotations

import json
import math

import polars as pl

from benchdata import charts
from tests.support.charted import frame, said


def test_a_p95_of_few_rows_is_marked_as_their_maximum() -> None:
    rows = [("G1", 12, 5.0, 9.0, True), ("G2", 1200, 5.0, 9.5, False), ("G3", 3, None, None, None)]
    table = frame("group n p50 p95 p95_is_max", rows)
    texts = said(charts.percentile_ranges(table, subject="Time", unit="ms"))
    assert "p50 5 · 9 = max of 12" in texts
    assert "p50 5 · p95 9.5 · n 1,200" in texts
    assert "p50 not reached · p95 not reached · n 3" in texts


def test_evidence_says_n_and_how_many_brought_any() -> None:
    table = frame("group measure n p50 p95", [("G1", "records", 12, 4, 9)])
    assert "records · p50 4 · 9 = max of 12" in said(charts.evidence(table))
    counted = table.with_columns(above_zero=pl.lit(11), n=pl.lit(20))
    assert "records · p50 4 · p95 9 · above 0: 11 of 20" in said(charts.evidence(counted))


def test_an_interval_without_width_is_not_drawn() -> None:
    table = frame("group n p50 p95 low high", [("G1", 30, 5.0, 9.0, 5.0, 5.0)])
    for frame_, drawn in ((table, False), (table.with_columns(high=pl.lit(6.0)), True)):
        chart = charts.percentile_ranges(frame_, subject="Time", unit="ms")
        layers = charts.compact_spec(chart)["layer"]
        assert (10 in [layer["mark"].get("strokeWidth") for layer in layers]) is drawn


def test_nan_in_percentiles_is_not_reached() -> None:
    table = pl.DataFrame({"group": ["G1"], "n": [30], "p50": [math.nan], "p95": [math.inf]})
    spec = charts.compact_spec(charts.percentile_ranges(table, subject="Time", unit="ms"))
    assert "NaN" not in json.dumps(spec)
