"""Pictures in a browser without a network: decoded, side by side when wide, stacked on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchdata.reports.cells import Markdown
from benchdata.reports.page import draw
from benchdata.reports.pictures import Pictures, Sheet, picture
from tests.support.browser import PHONE, launched, visited
from tests.support.judged_stage import png

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

TOPS = "[...document.querySelectorAll('.sheet')].map(one => one.getBoundingClientRect().top)"
WIDTHS = "[...document.querySelectorAll('.thumbs img')].map(one => one.naturalWidth)"


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with launched(chromium) as started:
        yield started


def test_the_arms_stand_side_by_side_where_there_is_room(browser: Browser, tmp_path: Path) -> None:
    drawn = tuple(picture(png(640, 360 + 900 * n), f"{n}") for n in range(3))
    block = Pictures("task-1", tuple(Sheet(arm, "Q 1.25", drawn) for arm in ("none", "a" * 60)))
    file = tmp_path / "page.html"
    file.write_text(draw([Markdown("## Seen"), block], title="Pictures"), "utf-8")
    for options, same in (({}, True), (PHONE, False)):
        with visited(browser, file.as_uri(), **options) as visit:
            assert visit.page.evaluate(WIDTHS) == [640] * 6
            first, second = visit.page.evaluate(TOPS)
            assert (first == second) is same
            width = visit.page.evaluate("window.innerWidth")
            assert visit.page.evaluate("document.documentElement.scrollWidth") == width
