"""Kinds that a browser draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from collectors.skill_eval.renderers.confined.browser import Sight, decoded, opened
from collectors.skill_eval.renderers.confined.order import Evidence, Order
from collectors.skill_eval.renderers.pictures import LARGEST_SIDE

if TYPE_CHECKING:
    from PIL.Image import Image

STEP_MS = 1000
"""How long the page runs after a key, a slide or a jump."""
GLANCE_MS = 200
"""How long it runs at each place that is passed, so that what waits to be seen appears."""
TAB_MS = 100
HEIGHT = """() => Math.max(
    document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0)"""
SCROLLER = """() => {
    const able = (each) => each.scrollHeight - each.clientHeight > 1;
    const inner = [...document.querySelectorAll("*")].filter((each) =>
        able(each) && ["auto", "scroll"].includes(getComputedStyle(each).overflowY));
    const root = document.scrollingElement ?? document.documentElement;
    const area = (each) => each.clientWidth * each.clientHeight;
    const found = able(root) ? root : inner.sort((a, b) => area(b) - area(a))[0] ?? root;
    Object.defineProperty(window, "__scroller", {value: found, configurable: true});
    return [found.scrollHeight, found.clientHeight];
}"""
SCROLLED = "(top) => window.__scroller.scrollTo({top, behavior: 'instant'})"
BOXES = """(selector) => {
    let found;
    try { found = [...document.querySelectorAll(selector)]; } catch { return []; }
    const outer = found.filter((each) => !found.some((other) =>
        other !== each && other.contains(each)));
    return outer.map((each) => {
        const box = each.getBoundingClientRect();
        return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height};
    }).filter((box) => box.width >= 1 && box.height >= 1 && box.x >= 0 && box.y >= 0);
}"""
SLIDES = """() => {
    if (typeof window.Reveal?.getSlides !== "function") return 0;
    Reveal.configure({
        transition: "none", backgroundTransition: "none", fragments: false, autoSlide: 0});
    return Reveal.getSlides().length;
}"""
SLIDE = """(number) => {
    const {h, v} = Reveal.getIndices(Reveal.getSlides()[number]);
    Reveal.slide(h, v ?? 0);
}"""
DRAWING = """(largest) => {
    const root = document.documentElement;
    if (!(root instanceof SVGSVGElement)) return null;
    const {width, height} = root.getBoundingClientRect();
    const share = Math.min(1, largest / width, largest / height);
    if (share < 1) {
        if (!root.hasAttribute("viewBox")) root.setAttribute("viewBox", `0 0 ${width} ${height}`);
        root.style.width = `${Math.max(1, Math.floor(width * share))}px`;
        root.style.height = `${Math.max(1, Math.floor(height * share))}px`;
    }
    const shown = root.getBoundingClientRect();
    return [Math.ceil(shown.width), Math.ceil(shown.height)];
}"""


def reveal(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give one picture a slide, with all its fragments."""
    with opened(order, evidence) as sight:
        slides = sight.ask(SLIDES)
        if not slides:
            evidence.add("there is no deck of reveal.js: the page is shown as it opens")
            yield sight.picture()
        for number in range(_told(slides, order, evidence, "slides")):
            sight.ask(SLIDE, number)
            sight.run(STEP_MS)
            yield sight.picture()


def keyboard(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give a picture of the page, and one after each arrow key until one was there before."""
    with opened(order, evidence) as sight:
        for _ in range(order.tabs):
            sight.press("Tab")
            sight.run(TAB_MS)
        seen: set[bytes] = set()
        while len(seen) < order.pictures:
            png = sight.shot()
            if png in seen:
                return
            seen.add(png)
            yield decoded(png)
            sight.press(order.key)
            sight.run(STEP_MS)


def stacked(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give one picture a section; of one that is higher than a picture may be, its upper part."""
    with opened(order, evidence) as sight:
        _passed(sight, order)
        boxes = sight.ask(BOXES, order.sections)
        if not boxes:
            evidence.add("the page has no sections: it is shown as it opens")
            yield sight.picture()
        for box in boxes[: _told(len(boxes), order, evidence, "sections")]:
            sides = {side: min(box[side], LARGEST_SIDE) for side in ("width", "height")}
            yield sight.picture({**box, **sides})


def scroll_frame(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give the window at places from the top to the end, not further apart than it is high.

    Where that would be too many, they are as far apart as they must be.
    """
    with opened(order, evidence) as sight:
        whole, window = sight.ask(SCROLLER)
        needed = max(1, -(-whole // max(1, window)))
        count = _told(needed, order, evidence, "windows")
        for place in range(count):
            sight.ask(SCROLLED, (whole - window) * place / max(1, count - 1))
            sight.run(STEP_MS)
            yield sight.picture()


def page_tile(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give the whole page, cut into tiles from the top."""
    with opened(order, evidence) as sight:
        _passed(sight, order)
        height = sight.ask(HEIGHT)
        tiles = _told(max(1, -(-height // LARGEST_SIDE)), order, evidence, "tiles")
        for top in range(0, tiles * LARGEST_SIDE, LARGEST_SIDE):
            rest = min(LARGEST_SIDE, max(height, order.height) - top)
            yield sight.picture({"x": 0, "y": top, "width": order.width, "height": rest})


def svg(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give the whole drawing in its own size, or as large as a picture may be."""
    with opened(order, evidence) as sight:
        size = sight.ask(DRAWING, LARGEST_SIDE)
        if size is None:
            evidence.add("the file is no SVG: it is shown as it opens")
            yield sight.picture()
        elif 0 in size:
            evidence.add("the drawing has no size")
        else:
            sight.resize(*size)
            sight.run(0)
            yield sight.picture()


def _told(number: int, order: Order, evidence: Evidence, words: str) -> int:
    """Return how many of them are shown, and tell when that is not all."""
    if number > order.pictures:
        evidence.add(f"{order.pictures} of {number} {words} are shown")
    return min(number, order.pictures)


def _passed(sight: Sight, order: Order) -> None:
    """Look once at everything that will be shown of a page, then go back to its top."""
    whole, window = sight.ask(SCROLLER)
    end = min(whole, order.pictures * LARGEST_SIDE)
    for top in range(0, end, max(window, order.height)):
        sight.ask(SCROLLED, top)
        sight.run(GLANCE_MS)
    sight.ask(SCROLLED, 0)
    sight.run(STEP_MS)
