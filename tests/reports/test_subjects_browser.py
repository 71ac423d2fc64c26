"""The demo report of every subject in a browser without a network, wide and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import PHONE, launched, visited

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with launched(chromium) as started:
        yield started


TEMPLATES = ("visual_judge", "compare", "build_bench", "skill_leaderboard", "history")


@pytest.mark.slow
@pytest.mark.parametrize("template", TEMPLATES)
def test_a_page_is_drawn_and_nothing_else_happens(
    browser: Browser, demo_of: Callable[[str], Path], tmp_path: Path, template: str
) -> None:
    folder = demo_of(template)
    for options in ({}, PHONE):
        with visited(browser, (folder / "report.html").as_uri(), **options) as visit:
            visit.drawn()
            visit.has_drawn(len(list(folder.glob("charts/*.svg"))), marks=2)
            picture = tmp_path / "page.png"
            visit.page.screenshot(path=picture, full_page=True)
            assert picture.read_bytes().startswith(PNG)
            width = visit.page.evaluate("window.innerWidth")
            assert visit.page.evaluate("document.documentElement.scrollWidth") == width
