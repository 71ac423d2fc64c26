"""A linked chart under a mouse: its bars as counts, its dots, a drag and a click."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator

BAR = "path[aria-roledescription=bar]"
LABELS = "bars => bars.map(bar => bar.getAttribute('aria-label'))"
BELOW = 40  # pixels from the head of a group to well below its dots


def bars(chart: Locator) -> dict[str, int]:
    """Return how many rows each bar counts."""
    counts = {}
    for label in chart.locator(BAR).evaluate_all(LABELS):
        said = dict(part.split(": ") for part in label.split("; "))
        counts[said["outcome"]] = int(said["rows"])
    return counts


def dots(chart: Locator) -> int:
    """Return how many dots are drawn."""
    return chart.locator("g.mark-symbol.role-mark path").count()


def brush(chart: Locator, group: str) -> None:
    """Drag over all dots of a group."""
    head = chart.locator("text", has_text=re.compile(f"^{group}")).first.bounding_box()
    whole = chart.locator("svg.marks").bounding_box()
    assert head
    assert whole
    mouse = chart.page.mouse
    mouse.move(head["x"] + 1, head["y"] + head["height"] + 2)
    mouse.down()
    mouse.move(whole["x"] + whole["width"] - 30, head["y"] + BELOW, steps=8)
    mouse.up()


def click(chart: Locator, outcome: str) -> None:
    """Click the bar of an outcome."""
    chart.locator(f"{BAR}[aria-label*='outcome: {outcome}']").click()
