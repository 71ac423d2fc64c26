"""The script that the decks' tasks give: what its head promises to those who write slides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import Visit, launched, visited
from tests.support.sheets import SUITES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SCRIPT = SUITES / "screen" / "night-bus-deck" / "input" / "deck.js"
SLIDES = "".join(f'<section class="slide"><h2>Slide {number}</h2></section>' for number in range(3))
SHOWN = """[...document.querySelectorAll("h2")]
    .filter((each) => getComputedStyle(each).visibility === "visible")
    .map((each) => each.textContent)"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("deck") / "deck.html"
    script = SCRIPT.read_text("utf-8")
    path.write_text(f"<!doctype html><body>{SLIDES}<script>{script}</script>", "utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with launched(chromium) as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    with visited(browser, address) as visit:
        yield visit


def shown(visit: Visit) -> list[str]:
    found: list[str] = visit.page.evaluate(SHOWN)
    return found


def test_keys_go_through_the_slides(visit: Visit) -> None:
    assert shown(visit) == ["Slide 0"]
    for key, number in (
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
        ("PageDown", 2),
        ("ArrowRight", 2),
        ("PageUp", 1),
        ("Home", 0),
        ("End", 2),
    ):
        visit.page.keyboard.press(key)
        assert shown(visit) == [f"Slide {number}"], key
    assert visit.said == []


def test_the_address_opens_a_slide(visit: Visit) -> None:
    visit.page.evaluate("location.hash = '#/2'")
    visit.page.wait_for_function("Reveal.getIndices().h === 2")
    assert shown(visit) == ["Slide 2"]


def test_tools_find_the_slides(visit: Visit) -> None:
    assert visit.page.evaluate("Reveal.getSlides().length") == 3
    visit.page.evaluate("Reveal.slide(1)")
    assert shown(visit) == ["Slide 1"]
    assert visit.page.evaluate("Reveal.getIndices(Reveal.getSlides()[2])") == {"h": 2, "v": 0}


def test_a_slide_fills_the_window(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 640, "height": 400})
    box = visit.page.locator("section").first.bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 20, 640, 360)


def test_both_decks_are_given_the_same_script() -> None:
    other: Path = SUITES / "heldout" / "cold-store-deck" / "input" / "deck.js"
    assert other.read_bytes() == SCRIPT.read_bytes()
