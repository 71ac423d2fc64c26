"""Heat maps: k of n in the cell, darker for more, hatched without rows."""

from __future__ import annotations

from typing import Any

from benchdata import charts
from tests.support.charted import data, frame, marks, notes, said

LOOK: dict[str, Any] = {"subject": "Passed trials"}


def heatmap(rows: list[tuple[Any, ...]], names: str = "row column n k") -> Any:
    return charts.heatmap(frame(names, rows), **LOOK)


def test_cells_say_their_counts_and_are_as_dark_as_their_share() -> None:
    chart = heatmap([("t1", "A", 3, 2), ("t1", "B", 4, 0), ("t2", "A", 1, 1), ("t2", "B", 2, 1)])
    assert {"2/3", "0/4", "1/1", "1/2", "t1", "t2", "A", "B"} <= set(said(chart))
    spec = charts.compact_spec(chart)
    scale = next(marks(spec, "rect"))["encoding"]["color"]["scale"]
    assert scale["domain"] == [0, 1]
    assert [row["share"] for row in data(spec) if row.get("share") is not None] == [
        2 / 3,
        0,
        1,
        0.5,
    ]


def test_lightness_alone_tells_the_ends_of_the_ramp_apart() -> None:
    spec = charts.compact_spec(heatmap([("t1", "A", 3, 2)]))
    light, dark = (
        sum(int(colour[at : at + 2], 16) for at in (1, 3, 5)) / 3
        for colour in next(marks(spec, "rect"))["encoding"]["color"]["scale"]["range"]
    )
    assert light - dark > 150


def test_text_is_white_on_dark_cells_and_dark_on_light_ones() -> None:
    spec = charts.compact_spec(heatmap([("t1", "A", 4, 1), ("t1", "B", 4, 3)]))
    inks = {row["text"]: row["ink"] for row in data(spec) if "ink" in row}
    assert inks == {"1/4": "#1b1f24", "3/4": "#ffffff"}


def test_a_cell_without_rows_is_hatched_whether_absent_or_empty() -> None:
    chart = heatmap([("t1", "A", 3, 2), ("t1", "B", 0, 0), ("t2", "A", None, None)])
    spec = charts.compact_spec(chart)
    empty = [
        (row["row"], row["column"]) for row in data(spec) if "share" in row and row["share"] is None
    ]
    assert empty == [("t1", "B"), ("t2", "A"), ("t2", "B")]
    strokes = next(marks(spec, "rule"))
    lines = spec["datasets"][strokes["data"]["name"]]
    assert len(lines) == 18
    assert all(line["x"] < line["x2"] and line["y"] > line["y2"] for line in lines)
    assert "Hatched: no rows." in notes(chart)


def test_scores_say_their_n() -> None:
    chart = heatmap([("p1", "A", 3, 0.5)], "row column n value")
    assert "0.50 · 3" in said(chart)


def test_a_score_is_as_dark_as_its_share_of_the_most_there_can_be() -> None:
    chart = charts.heatmap(frame("row column n value", [("p1", "A", 3, 1.5)]), most=3, **LOOK)
    assert "1.50 · 3" in said(chart)
    assert [row["share"] for row in data(charts.compact_spec(chart)) if "share" in row] == [0.5]
    assert "Darker: a larger share of 3." in notes(chart)


def test_long_names_of_columns_become_letters_with_a_key() -> None:
    chart = heatmap([("t1", arm, 3, 2) for arm in ("none", "acme/tools@a-long-name", "c")])
    assert {"A", "B", "C"} <= set(said(chart))
    assert "A none · B acme/tools@a-long-name · C c" in notes(chart)


def test_columns_beyond_twelve_are_counted() -> None:
    chart = heatmap([("t1", f"arm-{at}", 3, 2) for at in range(15)])
    assert "The first 12 arms; 3 more are in the table." in notes(chart)
