"""Counts as bars: stacked outcomes, stop reasons, each with its number and from zero."""

from __future__ import annotations

import pytest

from benchdata import charts
from benchdata.errors import ReportError
from tests.support.charted import data, frame, said


def test_outcomes_are_stacked_from_zero_and_labelled_with_counts() -> None:
    rows = [("G1", "failed", 1), ("G1", "success", 7), ("G1", "partial", 2)]
    chart = charts.outcomes(frame("group outcome n", rows))
    spec = charts.compact_spec(chart)
    segments = [(row["outcome"], row["start"], row["end"]) for row in data(spec) if "end" in row]
    assert segments == [("success", 0, 7), ("partial", 7, 9), ("failed", 9, 10)]
    assert spec["layer"][0]["encoding"]["x"]["scale"]["domainMin"] == 0
    assert "7 / 2 / 1 of 10" in said(chart)


def test_unscored_rows_are_a_fourth_outcome_and_an_unknown_one_is_refused() -> None:
    assert "0 / 0 / 0 / 2 of 2" in said(
        charts.outcomes(frame("group outcome n", [("G1", "unscored", 2)]))
    )
    with pytest.raises(ReportError, match="outcome 'lost': a chart knows success, partial"):
        charts.outcomes(frame("group outcome n", [("G1", "lost", 2)]))


def test_stop_reasons_keep_their_order_and_say_how_many_there_are() -> None:
    rows = [("G1", "step_limit", 3), ("G2", "timeout", 1), ("G1", "abort", 2)]
    chart = charts.stop_reasons(frame("group stop_reason n", rows))
    spec = charts.compact_spec(chart)
    bars = [(row["reason"], row["start"], row["end"]) for row in data(spec) if "end" in row]
    assert bars == [("step_limit", 0, 3), ("abort", 0, 2), ("timeout", 0, 1)]
    assert spec["layer"][0]["encoding"]["x"]["scale"]["domainMin"] == 0
    texts = said(chart)
    assert {"3 · step_limit", "2 · abort", "5 in all", "1 in all"} <= set(texts)


@pytest.mark.parametrize(("most", "ticks"), [(1, [0, 1]), (2, [0, 1, 2]), (5, [0, 1, 2, 3, 4, 5])])
def test_a_short_axis_of_counts_is_not_divided_into_halves(most: int, ticks: list[int]) -> None:
    chart = charts.stop_reasons(frame("group stop_reason n", [("G1", "abort", most)]))
    axis = charts.compact_spec(chart)["layer"][0]["encoding"]["x"]["axis"]
    assert axis["values"] == ticks
    assert [text for text in said(chart) if text.isdecimal()] == list(map(str, ticks))
