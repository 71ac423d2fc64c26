"""The page in a browser without a network: charts are drawn, nothing is asked for, text is text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

from benchdata.reports.page import Banner, render
from tests.support.browser import DARK, PHONE, Visit, launched, visited
from tests.support.cases import mostly_slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser

v4: Any = nbformat.v4  # it carries no types
pytestmark = pytest.mark.browser

ATTACK = "</script><script>window.pwned=1;alert(1)</script><!--<script><img src=x onerror=alert(2)>"
LONG = "a very long name of a group " * 8
SETUP = f"""
import datetime as dt
import polars as pl
from benchdata import charts
from benchdata.reports.tables import html_table
charts.enable()
attack = {ATTACK!r}
groups = ["G1 cold", attack, "G3 p95:ms a.b", {LONG!r}]
noon = dt.datetime(2026, 3, 1, 12, tzinfo=dt.timezone.utc)
rows = pl.DataFrame([
    {{
        "group": group,
        "condition": ("cold", "warm")[i % 2],
        "value": 100.0 * (i * 7 % 11) + 50 * j,
        "time": noon + dt.timedelta(hours=i),
        "component": ("jev", attack)[i % 2],
        "outcome": ("success", "partial", "failed")[i % 3],
        "stop_reason": ("step_limit", attack)[i % 2],
    }}
    for j, group in enumerate(groups) for i in range(12)
])
many = pl.concat([rows, *(rows.with_columns(group=pl.lit(f"H{{i}}")) for i in range(4))])
ranks = rows.group_by("group", "condition", maintain_order=True).agg(
    n=pl.len(), p50=pl.col("value").median(), p95=pl.col("value").max(),
    low=pl.col("value").min(), high=pl.col("value").max(), p95_is_max=pl.lit(True),
)
medians = rows.group_by("group", maintain_order=True).agg(
    p50=pl.col("value").median(), low=pl.col("value").min(), high=pl.col("value").max())
parts = rows.group_by("group", "component", maintain_order=True).agg(p50=pl.col("value").median())
time = {{"subject": "Total time by group", "unit": "ms"}}
"""
CELLS = (
    "charts.outcomes(rows.group_by('group', 'outcome', maintain_order=True).len('n'))",
    "charts.stop_reasons(rows.group_by('group', 'stop_reason', maintain_order=True).len('n'))",
    "charts.percentile_ranges(ranks, **time)",
    "charts.ecdf(rows, **time)",
    "charts.ecdf(many, **time, name='ecdf_panels')",
    "charts.strip(rows, medians, **time)",
    "charts.timeline(rows, **time)",
    "charts.components(parts)",
    "charts.evidence(ranks.rename({'condition': 'measure'}))",
    "html_table(rows.head(3), caption=attack)",
    "print(attack)",
)


@pytest.fixture(scope="module")
def notebook(root: Path, tmp_path_factory: pytest.TempPathFactory) -> nbformat.NotebookNode:
    """A notebook whose cells really ran in a kernel of their own."""
    cells = [v4.new_markdown_cell(f"# Report\n\nSome text {ATTACK}"), v4.new_code_cell(SETUP)]
    for number, source in enumerate(CELLS):
        cells += [v4.new_markdown_cell(f"## Part {number}"), v4.new_code_cell(source)]
    written: nbformat.NotebookNode = v4.new_notebook(cells=cells)
    # Without a path of its own the kernel would leave its sockets in the working directory.
    sockets = str(tmp_path_factory.mktemp("kernel") / "k")
    settings = Config({"KernelManager": {"transport": "ipc", "ip": sockets}})
    client = NotebookClient(
        written,
        kernel_name="python3",
        timeout=60,
        resources={"metadata": {"path": str(root)}},
        config=settings,
    )
    client.execute()
    return written


@pytest.fixture(scope="module")
def address(notebook: nbformat.NotebookNode, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the rendered page lies."""
    banners = [Banner("SYNTHETIC", f"Generated rows {ATTACK}"), Banner("INCOMPLETE", "3 of 4.")]
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(notebook, title="Report", banners=banners, footer=[ATTACK]), "utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with launched(chromium) as started:
        yield started


@pytest.fixture
def visit(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """The page, opened without a network; a parameter sets the context's options."""
    with visited(browser, address, **getattr(request, "param", {})) as seen:
        yield seen


LOOKS = mostly_slow([PHONE, {}, DARK])


@pytest.mark.parametrize("visit", LOOKS, indirect=True, ids=["phone", "wide", "dark"])
def test_every_chart_is_drawn_and_nothing_else_happens(visit: Visit) -> None:
    visit.drawn()
    visit.has_drawn(9)


def test_hostile_text_is_read_as_text(visit: Visit) -> None:
    visit.drawn()
    for place in (
        "main > section p",
        "figure.table td",
        "figure.table b",
        "pre.output",
        "footer",
        "header",
    ):
        assert ATTACK in " ".join(visit.page.locator(place).all_text_contents())
    assert ATTACK[:30] in str(visit.page.locator("#chart-outcomes svg").text_content())
    assert visit.page.locator("img:not(.static)").count() == 0


def test_a_tooltip_shows_text_and_no_markup(visit: Visit) -> None:
    visit.drawn()
    bars = visit.page.locator("#chart-outcomes .plot g.mark-rect path")
    bars.nth(3).hover()
    tooltip = visit.page.locator("#vg-tooltip-element.visible")
    tooltip.wait_for()
    assert ATTACK in str(tooltip.text_content())
    assert tooltip.locator("img, script").count() == 0
    assert visit.page.evaluate("window.violations") == []
    assert visit.said == []


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_phone_never_scrolls_sideways(visit: Visit) -> None:
    visit.drawn()
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_wide_table_scrolls_by_itself_and_shades_the_edge_that_it_goes_beyond(
    visit: Visit,
) -> None:
    table = visit.page.locator(".scroll").first
    assert table.evaluate("(box) => getComputedStyle(box).overflowX") == "auto"
    shades = table.evaluate("(box) => getComputedStyle(box).backgroundAttachment")
    assert shades == "local, local, scroll, scroll"


def test_charts_follow_the_scheme_and_the_width(visit: Visit) -> None:
    visit.drawn()
    ink = "#chart-outcomes .plot .role-mark text"
    light = visit.page.locator(ink).first.get_attribute("fill")
    visit.page.emulate_media(color_scheme="dark")
    visit.drawn()
    assert light != visit.page.locator(ink).first.get_attribute("fill")
    assert (
        visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"
    )
    visit.page.set_viewport_size({"width": 500, "height": 800})
    chart = visit.page.locator("#chart-outcomes .plot svg")
    for _ in range(100):
        if chart.evaluate("(svg) => svg.clientWidth") < 500:
            break
        visit.page.wait_for_timeout(50)
    assert chart.evaluate("(svg) => svg.clientWidth") == 500 - 2 * 16
    assert visit.said == []


@pytest.mark.parametrize("visit", [DARK], indirect=True)
def test_paper_is_white_with_images_and_without_code(visit: Visit) -> None:
    visit.drawn()
    visit.page.emulate_media(media="print")
    assert visit.page.locator("img.static").first.is_visible()
    assert not visit.page.locator(".plot").first.is_visible()
    assert not visit.page.locator("details").first.is_visible()
    assert (
        visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    assert visit.page.pdf(prefer_css_page_size=True).startswith(b"%PDF")


@pytest.mark.parametrize("visit", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_the_images_stay(visit: Visit) -> None:
    images = visit.page.locator("img.static")
    assert images.count() == 9
    for image in images.all():
        assert image.is_visible()


def test_the_page_can_be_used_from_the_keyboard(visit: Visit) -> None:
    visit.drawn()
    page = visit.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.locator("main#content:focus").wait_for()
    levels = [
        int(each[1])
        for each in page.evaluate(
            "[...document.querySelectorAll('h1,h2,h3,h4')].map(h => h.tagName)"
        )
    ]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
