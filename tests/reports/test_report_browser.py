"""Whole reports in a browser without a network: the demo's, and one of rows full of markup."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import drawn
from tests.support.browser import DARK, PHONE, Visit, launched, visited
from tests.support.rendered import User

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

ENDS_SCRIPT = "</script><script>window.pwned=1</script>"
OPENS_COMMENT = "<!--<script>"
CALLS = "<img src=x onerror=window.pwned=2>"
CONTRACT = '''\
"""Rows whose group and reason are any text."""
from benchdata.contracts import Contract
from benchdata.contracts.fields import Count, Timestamp, flat_row
from benchdata.contracts.meaning import Metric, Outcome
FIELDS = {"seq ms": Count, "arm end": str, "at": Timestamp, "passed": bool}
MINE = Contract(
    name="mine", models={1: flat_row(FIELDS)}, identity=("seq",), group=("arm",), shown=("arm",),
    metrics=(Metric("ms", "ms", "ms"),), outcome=Outcome(success="passed", reason="end"),
    order="at",
)
'''


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples report of rows, a datasheet and a title that are all markup."""
    user = User(tmp_path_factory.mktemp("three"), "mallory")
    arms = [ENDS_SCRIPT, OPENS_COMMENT, CALLS]
    rows = [
        {
            "seq": number,
            "ms": 10 * number,
            "arm": arms[number % 3],
            "end": arms[number % 2],
            "at": f"2026-03-02T08:00:{number:02}.000Z",
            "passed": number % 4 > 0,
        }
        for number in range(24)
    ]
    drawn.write(user.work / "data" / "rows.ndjson", rows)
    regions = "".join(f"  {json.dumps(arm)}: {json.dumps(arm)}\n" for arm in arms)
    sheet = f"---\ntitle: {json.dumps(ENDS_SCRIPT)}\nregions:\n{regions}---\n"
    (user.work / "data" / "datasheet.md").write_text(sheet, "utf-8")
    (user.work / "mine.py").write_text(CONTRACT, "utf-8")
    return user.report("samples", "data", "--contract", "mine.py:MINE")


@pytest.fixture(scope="module")
def browser(chromium: str, demo_report: Path, hostile_report: Path) -> Iterator[Browser]:
    """Chromium, started when both reports are there."""
    assert demo_report.is_dir()
    assert hostile_report.is_dir()
    with launched(chromium) as started:
        yield started


@pytest.fixture
def demo(browser: Browser, demo_report: Path, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """The demo report; a parameter sets the context's options."""
    address = (demo_report / "report.html").as_uri()
    with visited(browser, address, **getattr(request, "param", {})) as visit:
        visit.drawn()
        yield visit


@pytest.fixture
def hostile(browser: Browser, hostile_report: Path) -> Iterator[Visit]:
    with visited(browser, (hostile_report / "report.html").as_uri()) as visit:
        visit.drawn()
        yield visit


LOOKS = [PHONE, {}, DARK]


@pytest.mark.slow
@pytest.mark.parametrize("demo", LOOKS, indirect=True, ids=["phone", "wide", "dark"])
def test_the_demo_report_is_drawn_and_nothing_else_happens(demo: Visit) -> None:
    demo.has_drawn(6)
    page = demo.page
    width = page.evaluate("window.innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("h1").all_text_contents() == ["Synthetic Jev Social runs"]
    labels = page.locator(".banner strong").all_text_contents()
    assert labels == ["SYNTHETIC", "INCOMPLETE", "UNREVIEWED"]
    assert page.locator("figure.table").count() == 6
    headings = page.locator("nav a").all_text_contents()
    assert headings[0] == "How the attempts ended"
    assert page.locator("main h2").all_text_contents() == headings


@pytest.mark.slow
def test_the_first_thing_below_the_heading_is_a_chart(demo: Visit) -> None:
    kinds = demo.page.evaluate("[...document.querySelector('main').children].map(e => e.className)")
    assert kinds[:3] == ["prose", "chart drawn", "code"]


def test_every_tick_label_is_inside_its_chart_on_a_phone(
    browser: Browser, demo_report: Path
) -> None:
    with visited(browser, (demo_report / "report.html").as_uri(), **PHONE) as visit:
        visit.drawn()
        cut = visit.page.evaluate(
            """[...document.querySelectorAll('.plot .role-axis-label text')].filter((text) => {
                const box = text.getBoundingClientRect();
                const plot = text.closest('.plot').getBoundingClientRect();
                return text.getAttribute('opacity') !== '0' && box.right > plot.right + 1;
            }).map((text) => text.textContent)"""
        )
        assert cut == []


def test_markup_in_rows_stays_text(hostile: Visit) -> None:
    hostile.has_drawn(4, marks=3)
    page = hostile.page
    assert page.title() == ENDS_SCRIPT
    assert page.locator("h1").all_text_contents() == [ENDS_SCRIPT]
    cells = page.locator("td").all_text_contents()
    charts = page.locator(".plot svg text").all_text_contents()
    for text in (ENDS_SCRIPT, OPENS_COMMENT, CALLS):
        assert text in cells
        assert any(text[:12] in label for label in charts)
    assert page.locator("img:not(.static)").count() == 0
    # the two of the page, and data for each chart and the dark theme
    assert page.locator("script:not([type='application/json'])").count() == 2
    assert page.locator("script[type='application/json']").count() == 4 + 1


def test_markup_in_rows_stays_text_in_a_tooltip(hostile: Visit) -> None:
    tooltip = hostile.page.locator("#vg-tooltip-element.visible")
    shown = ""
    for bar in hostile.page.locator("#chart-outcomes .plot g.mark-rect path").all():
        bar.hover()
        tooltip.wait_for()
        shown += str(tooltip.text_content())
        assert tooltip.locator("img, script").count() == 0
    for text in (ENDS_SCRIPT, OPENS_COMMENT, CALLS):
        assert text in shown
    hostile.is_quiet()


@pytest.mark.slow
def test_images_and_summary_hold_no_markup_of_rows(hostile_report: Path) -> None:
    for file in hostile_report.glob("charts/*.svg"):
        assert "<script" not in file.read_text("utf-8")
    text = (hostile_report / "summary.md").read_text("utf-8")
    assert "<script" not in text
    assert "<img" not in text
