"""A page opened in Debian's Chromium without a network, and all that happened on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 800},
    "is_mobile": True,
    "has_touch": True,
}
DARK: dict[str, Any] = {"color_scheme": "dark"}
# Marks of data: frames, axes and legends are drawn with roles of their own.
MARKS = "g.role-mark :is(path, line, text)"
WAIT_MS = 20_000


@dataclass
class Visit:
    """One opened page and all that happened on it."""

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def dialog(self, dialog: Dialog) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def drawn(self) -> None:
        """Wait until every chart has been drawn in the colours of the page, or has failed to be."""
        dark = self.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        self.page.wait_for_selector(f"html[data-charts={'dark' if dark else 'light'}]")

    def has_drawn(self, charts: int, marks: int = 4) -> None:
        """Assert that there are so many charts, each with `marks` or more, none wider than it may.

        And that nothing else happened: no request but for the page, no message, no attack.
        """
        figures = self.page.locator("figure.chart")
        assert figures.count() == charts
        for figure in figures.all():
            assert figure.locator(f".plot svg {MARKS}").count() >= marks
            assert figure.locator(".plot svg").is_visible()
            assert not figure.locator("img.static").is_visible()
            fits = "(plot) => plot.scrollWidth <= plot.clientWidth"
            assert figure.locator(".plot").evaluate(fits)
        self.is_quiet()

    def is_quiet(self) -> None:
        """Assert that nothing left the page, complained or ran that is not the page's own."""
        assert self.requests == [self.address]
        assert self.said == []
        assert self.page.evaluate("window.violations") == []
        assert self.page.evaluate("typeof window.pwned") == "undefined"


@contextmanager
def launched(chromium: str) -> Iterator[Browser]:
    """Yield Debian's Chromium; the sandbox is off because tests may run as root."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@contextmanager
def visited(browser: Browser, address: str, **options: Any) -> Iterator[Visit]:
    """Yield a page, opened without a network; `options` are those of the browser's context."""
    context = browser.new_context(offline=True, **WIDE | options)
    context.set_default_timeout(WAIT_MS)
    visit = Visit(context.new_page(), address)
    context.on("request", lambda asked: visit.requests.append(asked.url))
    context.route(
        "**/*",
        lambda route: route.continue_() if route.request.url == address else route.abort(),
    )
    page = visit.page
    page.on("console", lambda message: visit.said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: visit.said.append(f"error: {error}"))
    page.on("dialog", visit.dialog)
    page.add_init_script(
        "window.violations = [];"
        "document.addEventListener('securitypolicyviolation',"
        " (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));"
    )
    page.goto(address)
    yield visit
    context.close()
