"""Numbers in charts and tables: how each is written, and what no axis can hold."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from fractions import Fraction

import polars as pl
import pytest

from benchdata import charts
from benchdata.charts.records import OFF_SCALE
from benchdata.numbers import display, p_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1234567, "1,234,567"),
        (-1234, "-1,234"),
        (2.0, "2"),
        (-0.0, "0"),
        (1 / 3, "0.3333"),
        (0.00012345, "0.0001234"),
        (12.5, "12.5"),
        (1234.56, "1,235"),
        (2.0**60, "1.153e18"),
        (10**400, "1e400"),
        (-1e308, "-1e308"),
        (5e-324, "4.941e-324"),
        (999_999_999_999_999, "999,999,999,999,999"),
        (None, "\N{EM DASH}"),
        (math.nan, "NaN"),
        (-math.inf, "-infinity"),
    ],
)
def test_numbers_are_written_for_a_reader(value: float | None, text: str) -> None:
    assert display(value) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (Fraction(1), "1"),
        (1 / 1024, "0.00098"),
        (0.0957, "0.096"),
        (0.1, "0.10"),
        (2.13e-5, "2.1e-05"),
    ],
)
def test_a_p_has_two_digits(p: Fraction | float, text: str) -> None:
    assert p_text(p) == text


@pytest.mark.parametrize("values", [(1e308, -1e308), (5e-324, 0.0)])
def test_values_that_fit_no_axis_are_a_note(values: tuple[float, float]) -> None:
    table = pl.DataFrame({"group": ["a", "b"], "value": values})
    ranks = table.with_columns(p50="value", p95="value", n=pl.lit(30), component=pl.lit("x"))
    start = pl.lit(datetime(2026, 1, 1, tzinfo=UTC))
    times = table.with_columns(time=start, condition=pl.lit("c"), outcome=pl.lit("success"))
    for chart in (
        charts.ecdf(table, subject="s", unit="ms"),
        charts.strip(table, subject="s", unit="ms"),
        charts.percentile_ranges(ranks, subject="s", unit="ms"),
        charts.components(ranks),
        charts.timeline(times, subject="s", unit="ms"),
    ):
        spec = charts.compact_spec(chart)
        assert OFF_SCALE in " ".join(spec["title"]["subtitle"])
        svg = charts.static_svg(spec)
        assert not re.search("NaN|Infinity", svg)
        assert ">a" in svg
