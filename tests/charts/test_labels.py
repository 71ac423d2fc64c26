"""Labels: printable, short, all different; direct ones find a free place or are left out."""

from __future__ import annotations

from benchdata import charts
from benchdata.charts.placement import LINE, beside, merged
from benchdata.charts.records import clean, labels
from benchdata.charts.theme import (
    DASHES,
    SERIES_DARK,
    SERIES_LIGHT,
    SYMBOLS,
    config,
    in_unit,
    series_labels,
)
from tests.support.charted import frame, said


def test_labels_are_printable_short_and_different() -> None:
    given = labels(["a", "a\x00", "a\x01", "b" * 200, "b" * 201, "a"])
    assert list(given.values())[:3] == [
        "a",
        "a\N{REPLACEMENT CHARACTER}",
        "a\N{REPLACEMENT CHARACTER} (2)",
    ]
    assert len(set(given.values())) == 5
    assert clean("\u202eevil\n") == "\N{REPLACEMENT CHARACTER}evil\N{REPLACEMENT CHARACTER}"


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


def test_series_beyond_the_looks_share_the_last_one() -> None:
    assert series_labels("abcdefg")["g"] == "g"
    shared = series_labels("abcdefghij")
    assert shared["f"] == "f"
    assert {shared[name] for name in "ghij"} == {"4 others"}


def test_a_label_runs_towards_the_middle_and_off_the_level_of_its_point() -> None:
    left, right = beside([(10, 50), (630, 200)], ["one", "two"], 640)
    assert (left.align, right.align) == ("left", "right")
    assert left.dx > 0 > right.dx
    assert left.dy < 0
    assert right.dy < 0


def test_a_label_without_a_free_place_is_left_out() -> None:
    crowd = [(100.0 + step, 50.0) for step in range(0, 60, 4)]
    found = beside(crowd, ["name"] * len(crowd), 640)
    assert 0 < len(found) < len(crowd)
    assert len({(place.index, place.dy) for place in found}) == len(found)


def test_labels_of_one_column_that_are_too_close_become_one_line() -> None:
    lines = merged([(100, "c"), (10, "a"), (12, "b")])
    assert lines == [(10, "a, b"), (100, "c")]
    assert merged([(0, "a"), (LINE, "b")]) == [(0, "a"), (LINE, "b")]


def test_a_measure_without_a_unit_has_no_empty_brackets() -> None:
    assert in_unit("Total", "ms") == "Total (ms)"
    assert in_unit("Score", "") == "Score"
    chart = charts.strip(frame("group value", [("a", 1.0)]), subject="Score", unit="")
    assert "Score" in said(chart)
    assert charts.compact_spec(chart)["description"].startswith("Score. One dot a row over value")
