"""What a displayed chart leaves: an image with its spec, the same bytes in every process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import altair as alt
import nbformat
import polars as pl

from benchdata import charts
from tests.support.charted import ecdf

PROGRAM = """
import json, polars as pl
from benchdata import charts
table = pl.DataFrame({"group": ["a", "b"], "component": ["x", "y"], "p50": [1, 2]})
spec = charts.compact_spec(charts.components(table))
print(json.dumps(spec) + charts.static_svg(spec))
"""


def test_a_displayed_chart_is_an_image_with_its_spec() -> None:
    before = alt.renderers.active
    charts.enable()
    try:
        chart = ecdf(["G1"])
        first, second = chart._repr_mimebundle_(), chart._repr_mimebundle_()
    finally:
        alt.renderers.enable(before)
    assert isinstance(first, dict)
    assert first == second
    assert set(first) == {charts.SVG_TYPE, charts.CHART_TYPE}
    assert first[charts.SVG_TYPE].startswith('<svg style="overflow:visible" ')
    assert list(first[charts.CHART_TYPE]) == sorted(first[charts.CHART_TYPE])
    v4: Any = nbformat.v4  # it carries no types
    output = v4.new_output("display_data", data=first)
    cell = v4.new_code_cell("chart", outputs=[output])
    nbformat.validate(v4.new_notebook(cells=[cell]))


def test_another_process_draws_the_same_bytes(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=root,
        env={"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"},
        capture_output=True,
        text=True,
        check=True,
    )
    table = pl.DataFrame({"group": ["a", "b"], "component": ["x", "y"], "p50": [1, 2]})
    spec = charts.compact_spec(charts.components(table))
    assert done.stdout == json.dumps(spec) + charts.static_svg(spec) + "\n"
