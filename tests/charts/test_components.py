"""Parts of a whole as dots of their own: never stacked, the whole beside them."""

from __future__ import annotations

from benchdata import charts
from tests.support.charted import data, frame, marks, notes, said


def test_components_are_dots_and_say_n_where_the_table_does() -> None:
    chart = charts.components(frame("group component n p50", [("G1", "media", 12, 4.0)]))
    assert "n 12" in said(chart)
    assert "do not add up" in notes(chart)
    spec = charts.compact_spec(chart)
    assert {layer["mark"]["type"] for layer in spec["layer"]} == {"point", "text"}


def test_composites_are_a_line_a_preset_with_the_whole_as_number_and_tick() -> None:
    rows = [
        ("L1", "default", "turns", 0.5, 0.61, 6),
        ("L1", "default", "cost", None, 0.61, 6),
        ("L1", "parity", "turns", 0.5, None, 6),
    ]
    chart = charts.composites(frame("group preset component score composite n", rows))
    texts = said(chart)
    assert {"L1", "n 6", "default · composite 0.61", "parity · no composite"} <= set(texts)
    spec = charts.compact_spec(chart)
    ticks = [row for row in data(spec) if "composite" in row]
    dots = [row for row in data(spec) if "score" in row]
    assert [tick["composite"] for tick in ticks] == [0.61]
    assert [dot["component"] for dot in dots] == ["turns", "turns"]
    assert ticks[0]["y"] == dots[0]["y"] < dots[1]["y"]
    assert all(layer["encoding"]["x"]["scale"] == {"zero": True} for layer in marks(spec, "point"))
