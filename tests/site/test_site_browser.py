"""The site in a browser without a network: search, filters, keyboard, colours, a narrow screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from tests.support.accessible import faults, tabbed
from tests.support.browser import DARK, WIDE, Visit, launched, visited
from tests.support.listed import ATTACK, Listed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

NARROW: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True}


class Opened(Protocol):
    """Opens a page of the site by its address in it."""

    def __call__(self, page: str = ..., **options: Any) -> AbstractContextManager[Visit]: ...


@pytest.fixture(scope="module")
def browser(chromium: str, made: Listed) -> Iterator[Browser]:
    """Chromium, started when the site is there."""
    assert made.site.is_dir()
    with launched(chromium) as started:
        yield started


@pytest.fixture
def opened(browser: Browser, made: Listed) -> Opened:
    def opening(page: str = "index.html", **options: Any) -> AbstractContextManager[Visit]:
        return visited(browser, (made.site / page).as_uri(), **options)

    return opening


def shown(page: Page) -> list[str]:
    """Return the titles of the entries in sight."""
    return page.locator("#list .entry:visible .title").all_text_contents()


def expect(locator: Locator) -> Any:
    """Return what waits for an element; a script that waits is one that the page's policy stops."""
    from playwright.sync_api import expect

    return expect(locator)


def count(page: Page) -> str:
    return str(page.locator("#count").text_content())


@pytest.mark.parametrize("page", ["index.html", "benchmarks/jev-social.html"])
@pytest.mark.parametrize("options", [WIDE, DARK, NARROW, DARK | NARROW])
def test_a_page_is_in_order_for_every_reader(
    opened: Opened, page: str, options: dict[str, Any]
) -> None:
    with opened(page, **options) as visit:
        assert faults(visit.page) == []
        width = (WIDE | options)["viewport"]["width"]
        assert visit.page.evaluate("document.documentElement.scrollWidth") == width
        dark = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert dark == ("rgb(20, 23, 27)" if "color_scheme" in options else "rgb(255, 255, 255)")
        visit.is_quiet()


def test_a_search_finds_words_of_a_page_and_of_what_is_behind_it(opened: Opened) -> None:
    with opened() as visit:
        page, search = visit.page, visit.page.get_by_role("searchbox", name="Search")
        assert count(page) == "6 pages"
        search.fill("  SECOND  run ")
        assert shown(page) == ["Second run"]
        assert count(page) == "1 of 6 pages"
        search.fill("synthetic-lab-far")  # a region: it stands in no line of the list
        assert shown(page) == ["Synthetic Jev Social runs"]
        search.fill("ec0b02ffd505")  # the rows of the demo
        assert shown(page) == ["Synthetic Jev Social runs"]
        assert page.locator(".month:visible").count() == 1
        search.fill("no such words")
        assert shown(page) == []
        assert count(page) == "None of 6 pages; ask for less, or clear the filters"
        page.get_by_role("button", name="Clear").click()
        expect(page.locator("#count")).to_have_text("6 pages")
        assert len(shown(page)) == 6
        page.wait_for_url(visit.address)
        visit.is_quiet()


def test_what_is_asked_for_stands_in_the_address(opened: Opened) -> None:
    with opened() as visit:
        page = visit.page
        page.get_by_label("Gate").select_option("READY")
        page.get_by_label("Template").select_option("jev-social")
        assert shown(page) == ["Second run", "First run"]
        page.get_by_label("From").fill("2026-03-03")
        assert shown(page) == ["Second run"]
        page.wait_for_url(f"{visit.address}#template=jev-social&gate=READY&from=2026-03-03")
        page.reload()
        assert shown(page) == ["Second run"]
        assert page.get_by_label("Gate").input_value() == "READY"
        page.evaluate("location.hash = '#rows=synthetic'")
        expect(page.locator("#gate")).to_have_value("")
        assert shown(page) == ["Synthetic Jev Social runs"]
        page.evaluate("location.hash = '#content'")  # the skip link narrows nothing
        assert shown(page) == ["Synthetic Jev Social runs"]
        page.evaluate("location.hash = '#gate=nonsense&q=%00'")
        expect(page.locator("#rows")).to_have_value("")
        assert page.get_by_label("Gate").input_value() == ""


def test_everything_can_be_done_from_the_keyboard(opened: Opened) -> None:
    with opened(reduced_motion="reduce") as visit:  # scrolled at once
        page = visit.page
        assert tabbed(page, "Skip to the content") == ["Skip to the content"]
        names = tabbed(page, "q")
        assert names[:2] == ["All reports", "jev-social"]
        page.keyboard.type("run")
        assert len(shown(page)) > 2
        assert tabbed(page, "gate") == ["Clear", "contract", "template", "gate"]
        page.keyboard.type("READY")
        expect(page.locator("#gate")).to_have_value("READY")
        assert {"Second run", "First run"} <= set(shown(page))
        assert "Synthetic Jev Social runs" not in shown(page)
        assert tabbed(page, "to")[:2] == ["rows", "from"]
        assert tabbed(page, "Second run")[-1] == "Second run"
        page.get_by_role("button", name="Clear").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#count")).to_have_text("6 pages")
        visit.is_quiet()


def test_without_a_script_the_whole_list_is_there_and_nothing_that_does_nothing(
    opened: Opened,
) -> None:
    with opened(java_script_enabled=False) as visit:
        page = visit.page
        assert page.locator("#list .entry:visible").count() == 6
        assert page.locator("form:visible, input:visible, select:visible").count() == 0
        assert count(page) == "6 pages"


def test_hostile_text_is_read_as_text(opened: Opened, made: Listed) -> None:
    (benchmark,) = made.site.glob("benchmarks/listed*.html")
    for address in ("index.html", f"benchmarks/{benchmark.name}"):
        with opened(address) as visit:
            assert ATTACK in visit.page.locator(".title").all_text_contents()
            assert visit.page.locator("img").count() == 0
            visit.is_quiet()


@pytest.mark.slow
def test_a_report_of_the_site_opens_and_asks_for_nothing(opened: Opened, made: Listed) -> None:
    with opened(f"reports/{made.reports['demo'].name}/report.html") as visit:
        assert visit.page.locator("h1").text_content() == "Synthetic Jev Social runs"
        visit.is_quiet()
