"""Every chart on one page in a browser: drawn again at any width and in the dark, none cut off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest

from benchdata import charts
from benchdata.reports.page import render
from tests.support.browser import DARK, PHONE, Visit, launched, visited
from tests.support.cases import mostly_slow
from tests.support.charted import DRAWN, Chart, reach

if TYPE_CHECKING:
    from playwright.sync_api import Browser

v4: Any = nbformat.v4  # it carries no types
pytestmark = pytest.mark.browser
NAMES = [f"acme/tools@a-skill-of-some-length-{number}" for number in range(8)]


def cell(chart: Chart) -> Any:
    spec = charts.compact_spec(chart)
    bundle = {charts.SVG_TYPE: charts.static_svg(spec), charts.CHART_TYPE: spec}
    output = v4.new_output("display_data", data=bundle)
    return v4.new_code_cell("report.chart()", outputs=[output], execution_count=1)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    cells = [v4.new_markdown_cell("## Charts"), *(cell(draw(NAMES)) for draw in (*DRAWN, reach))]
    path: Path = tmp_path_factory.mktemp("page") / "charts.html"
    path.write_text(render(v4.new_notebook(cells=cells), title="Every chart"), "utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with launched(chromium) as started:
        yield started


@pytest.mark.parametrize("look", mostly_slow([PHONE, {}, DARK]), ids=["phone", "wide", "dark"])
def test_every_chart_is_drawn_and_fits(
    browser: Browser, address: str, look: dict[str, Any]
) -> None:
    with visited(browser, address, **look) as visit:
        page: Visit = visit
        page.drawn()
        page.has_drawn(len(DRAWN) + 1)
