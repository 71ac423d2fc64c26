"""Rows over time: UTC whatever the zone, thinned to medians, what has no place is counted."""

from __future__ import annotations

import math
from datetime import timedelta, timezone

import polars as pl

from benchdata import charts
from tests.support.charted import NOON, data, frame, said


def runs(each: int, step: timedelta = timedelta(minutes=1)) -> pl.DataFrame:
    rows = [(NOON + step * at, "G1", 50.0 + at, "cold", "success") for at in range(each)]
    return frame("time group value condition outcome", rows)


def test_times_are_utc_whatever_their_zone() -> None:
    tokyo = timezone(timedelta(hours=9))
    local = pl.Series("time", [NOON.astimezone(tokyo)]).dt.convert_time_zone("Asia/Tokyo")
    naive = pl.Series("time", [NOON.replace(tzinfo=None)])
    drawn = [
        charts.timeline(runs(1).with_columns(time), subject="Time", unit="ms")
        for time in (local, naive)
    ]
    specs = [charts.compact_spec(chart) for chart in drawn]
    assert specs[0] == specs[1]
    (point,) = data(specs[0])
    assert (point["clock"], point["time"]) == ("2026-03-01 12:00:00", NOON.timestamp() * 1000)
    assert specs[0]["encoding"]["x"]["scale"]["type"] == "utc"
    assert "start time (UTC)" in said(drawn[0])


def test_many_runs_become_medians_of_time_slices() -> None:
    table = runs(6_000)
    spec = charts.compact_spec(charts.timeline(table, subject="Time", unit="ms"))
    marks = data(spec)
    assert sum(mark["n"] for mark in marks) == 6_000
    assert len(marks) <= 1_500
    assert spec["title"]["subtitle"][1].startswith("Each mark: the median")
    first = table["value"].head(marks[0]["n"]).sort()
    assert marks[0]["value"] == first[(len(first) - 1) // 2]


def test_rows_without_time_or_value_are_counted() -> None:
    table = runs(3).with_columns(value=pl.Series([1.0, None, math.nan]))
    spec = charts.compact_spec(charts.timeline(table, subject="Time", unit="ms"))
    assert spec["title"]["subtitle"] == ["G1", "2 without time or value are not drawn."]


def test_no_two_marks_of_the_axis_read_alike() -> None:
    for days in (0.01, 1, 3, 7, 30, 800):
        table = runs(2, timedelta(days=days))
        texts = said(charts.timeline(table, subject="Time", unit="ms"))
        ticks = [text for text in texts if text.count("-") + text.count(":") and " (" not in text]
        assert ticks
        assert len(set(ticks)) == len(ticks)
