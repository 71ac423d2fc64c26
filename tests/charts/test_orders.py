"""Rows in the order of collection: UTC, coloured by arm, the guard's words above."""

from __future__ import annotations

from datetime import timedelta

import polars as pl

from benchdata import charts
from tests.support.charted import NOON, data, frame, notes, said

GUARD = "Rows are not independent: lag 1 of 30 rows, p 0.002."


def order(rows: int) -> pl.DataFrame:
    made = [(NOON + timedelta(hours=at), "AB"[at % 2], float(at + 1)) for at in range(rows)]
    return frame("time group rank", made)


def test_the_guard_speaks_above_the_chart() -> None:
    assert GUARD in notes(charts.collection_order(order(6), GUARD))


def test_arms_differ_by_colour_and_shape_and_times_are_utc() -> None:
    chart = charts.collection_order(order(6), GUARD)
    spec = charts.compact_spec(chart)
    encoding = spec["encoding"]
    assert encoding["color"]["field"] == encoding["shape"]["field"] == "group"
    assert encoding["x"]["scale"]["type"] == "utc"
    assert data(spec)[0]["clock"] == "2026-03-01 12:00:00"
    assert {"A", "B", "start time (UTC)"} <= set(said(chart))


def test_rows_without_time_or_rank_are_counted() -> None:
    table = order(3).with_columns(rank=pl.Series([1.0, None, float("nan")]))
    assert "2 without time or rank are not drawn." in notes(charts.collection_order(table, GUARD))


def test_of_very_many_rows_every_kth_is_drawn() -> None:
    chart = charts.collection_order(order(5_000), GUARD)
    assert "Each mark: one of 3 rows." in notes(chart)
    assert len(data(charts.compact_spec(chart))) == 1_667
