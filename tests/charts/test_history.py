"""Measures by version: in the order of the table, medians, shifts, changes of level, spread."""

from __future__ import annotations

from typing import Any

from benchdata import charts
from tests.support.charted import data, frame, marks, notes, said

LOOK: dict[str, Any] = {"subject": "Time", "unit": "ms"}
VERSIONS = ["1.9.0", "1.10.0", "2.0.0"]


def order(spec: dict[str, Any]) -> list[str]:
    """Return the versions along the axis."""
    domains = [
        layer["encoding"]["x"]["scale"]["domain"]
        for layer in spec["layer"]
        if "scale" in layer["encoding"].get("x", {})
    ]
    assert all(domain == domains[0] for domain in domains)
    return list(domains[0])


def test_versions_keep_the_order_of_the_table_and_medians_their_intervals() -> None:
    runs = frame("version value", [(v, 10.0 * at) for v in reversed(VERSIONS) for at in range(3)])
    runs = runs.vstack(frame("version value", [("2.0.0", 5.0)]).with_columns(value=None))
    medians = frame(
        "version p50 low high", [(v, 10.0, 5.0, None if v == "2.0.0" else 20.0) for v in VERSIONS]
    )
    chart = charts.version_runs(runs, medians, **LOOK)
    spec = charts.compact_spec(chart)
    assert order(spec) == VERSIONS
    assert "Rows not reached: 1." in notes(chart)
    closed, opened = marks(spec, "rule")
    assert opened["encoding"]["y2"] == {"value": 0}
    assert closed["encoding"]["y"]["scale"] == {"zero": True}
    assert len([row for row in data(spec) if "value" in row]) == 9


def test_a_shift_without_interval_is_a_dot_alone_around_zero() -> None:
    rows = [("1.9.0", 4.0, 1.0, 7.0, "worse"), ("2.0.0", 1.0, None, None, "cannot tell: interim")]
    table = frame("version estimate low high verdict", rows)
    spec = charts.compact_spec(charts.version_shifts(table, min_effect=2.0, **LOOK))
    bars = [layer for layer in marks(spec, "rule") if "y2" in layer["encoding"]]
    assert [len(spec["datasets"][bar["data"]["name"]]) for bar in bars] == [1]
    filled, hollow = (
        [row["version"] for row in spec["datasets"][layer["data"]["name"]]]
        for layer in marks(spec, "point")
    )
    assert (filled, hollow) == (["1.9.0"], ["2.0.0"])
    (area,) = marks(spec, "rect")
    assert (area["encoding"]["y"]["datum"], area["encoding"]["y2"]["datum"]) == (-2, 2)


def test_shifts_as_ratios_stand_around_one() -> None:
    table = frame("version estimate low high", [("1.9.0", 1.2, 1.1, 1.3)])
    chart = charts.version_shifts(table, ratio=True, min_effect=0.05, **LOOK)
    spec = charts.compact_spec(chart)
    datums = [layer["encoding"]["y"].get("datum") for layer in marks(spec, "rule")]
    assert 1 in datums
    assert next(marks(spec, "point"))["encoding"]["y"]["scale"]["type"] == "log"
    assert "the minimum effect of 5%" in notes(chart)


def test_changes_of_level_say_what_changed_and_do_not_overlap() -> None:
    names = [f"1.{at}.0" for at in range(20)]
    medians = frame("version p50", [(name, 100.0 + at) for at, name in enumerate(names)])
    turns = frame("version before after", [(names[at], 100.0, 110.0) for at in (4, 5, 18)])
    chart = charts.version_changes(medians, turns, ["Mann-Kendall: p 0.004."], **LOOK)
    assert "1.4.0: 100 to 110" in said(chart)
    assert notes(chart) == "Mann-Kendall: p 0.004. Upright lines: 3 changes of level."
    lines = {row["version"]: row["row"] for row in data(charts.compact_spec(chart)) if "row" in row}
    assert lines["1.4.0"] != lines["1.5.0"]
    assert lines["1.4.0"] == lines["1.18.0"]


def test_why_there_is_no_change_of_level_is_what_the_caller_found() -> None:
    medians = frame("version p50", [(name, 100.0) for name in VERSIONS])
    none = frame("version before after", [("x", 1.0, 1.0)]).clear()
    found = ["Mann-Kendall: p 1.", "Change points: cannot tell."]
    assert notes(charts.version_changes(medians, none, found, **LOOK)) == " ".join(found)


def test_spread_has_the_line_at_two_and_counts_what_it_lacks() -> None:
    table = frame("version spread", [("1.9.0", 1.3), ("1.10.0", 2.6), ("2.0.0", None)])
    chart = charts.version_spread(table)
    spec = charts.compact_spec(chart)
    assert [layer["encoding"]["y"]["datum"] for layer in marks(spec, "rule")] == [2]
    assert next(marks(spec, "point"))["encoding"]["y"]["scale"]["domainMin"] == 1
    assert "Versions without such a ratio: 1." in notes(chart)


def test_of_many_versions_few_are_named_first_and_last_among_them() -> None:
    names = [f"1.{at}.0" for at in range(300)]
    table = frame("version spread", [(name, 1.5) for name in names])
    texts = [text for text in said(charts.version_spread(table)) if text.startswith("1.")]
    assert {"1.0.0", "1.299.0"} <= set(texts)
    assert len([text for text in texts if text.endswith(".0") and text.count(".") == 2]) <= 8
