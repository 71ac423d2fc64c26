"""One page in one browser: its files come from the artefact's folder, its clock and luck from here.

A page sees no network and no time of day. Its clock stands still until it is moved on, so that
what it does in a second it does in every second of the same length.
"""

from __future__ import annotations

import io
import mimetypes
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from collectors.skill_eval.renderers.confined import images
from collectors.skill_eval.renderers.confined.order import (
    Evidence,
    Failed,
    Order,
    Unable,
    patience,
)
from collectors.skill_eval.renderers.pictures import opaque

if TYPE_CHECKING:
    from PIL.Image import Image
    from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, Response, Route

ORIGIN = "http://localhost"
"""Where the artefact's folder is; no port, no socket: requests are answered in this process."""
FLAGS = (
    "--no-sandbox",  # it is in one, which allows no other within
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--disable-skia-runtime-opts",  # the same pixels from every processor
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--js-flags=--max-old-space-size=1024 --random-seed=1",  # also where no script of ours runs
    "--disable-blink-features=CSSRandomFunction",
    "--disable-site-isolation-trials",  # our script comes too late for a frame of another process
)
PINNED = (Path(__file__).parent / "pinned.js").read_text("utf-8")
SETTLED = (Path(__file__).parent / "settled.js").read_text("utf-8")
NOON = "2025-01-01T12:00:00Z"
WRITTEN = {"last-modified": "Wed, 01 Jan 2025 12:00:00 GMT"}
"""Of every file: without it a document was written at the time of day."""
ONE_CLOCK = "Date.prototype.constructor = Date"
"""The clock that stands still leaves the real one there."""
LOAD_S = 30
CALL_S = 30
"""Long, for a machine may be busy: what an artefact is must not depend on that."""
QUIET_MS = 3000
LARGEST_FILE = 64 * 1024**2
ERRORS = 400
"""This status and all above."""
TYPES = mimetypes.MimeTypes(filenames=())
for suffix, kind in {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".xhtml": "application/xhtml+xml",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
    ".wasm": "application/wasm",
}.items():
    TYPES.add_type(kind, suffix)


@dataclass(frozen=True, slots=True)
class Sight:
    """A page that has loaded, and how long it has been running by its own clock."""

    page: Page
    order: Order

    def run(self, milliseconds: int) -> None:
        """Let the page run on, and end what moves."""
        self.forward(milliseconds)
        self.ask(SETTLED, self.order.wait_ms / 1000)

    def forward(self, milliseconds: int) -> None:
        """Let the page run on, and leave what moves as it is."""
        with _answering("the page did not come to rest"):
            self.page.clock.run_for(milliseconds)

    def ask(self, script: str, given: Any = None) -> Any:
        """Return what a function says in the page."""
        with _answering("the page did not answer"):
            return self.page.evaluate(script, given)

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        with _answering("the page did not take a key"):
            self.page.keyboard.press(key)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        with _answering("the page did not take a size"):
            self.page.set_viewport_size({"width": width, "height": height})

    def shot(self, clip: dict[str, float] | None = None, *, still: bool = True) -> bytes:
        """Return the window as PNG, or a part of the whole page."""
        options: dict[str, Any] = {"clip": clip, "full_page": True} if clip else {}
        with _answering("the page was not drawn"):
            return self.page.screenshot(
                animations="disabled" if still else "allow", timeout=CALL_S * 1000, **options
            )

    def picture(self, clip: dict[str, float] | None = None, *, still: bool = True) -> Image:
        """Return the window, or a part of the whole page."""
        return decoded(self.shot(clip, still=still))


@contextmanager
def _answering(words: str, seconds: int = CALL_S) -> Iterator[None]:
    """Bound a question to the page; `words` are what is said when it has no answer."""
    from playwright.sync_api import Error

    with patience(seconds, words):
        try:
            yield
        except Error as error:
            reason, _, _ = error.message.partition("\n")
            raise Failed(f"{words}: {reason}") from None


def decoded(png: bytes) -> Image:
    """Return the picture of a PNG that the browser has made."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        return opaque(picture)


@contextmanager
def opened(order: Order, evidence: Evidence, *, motion: bool = False) -> Iterator[Sight]:
    """Yield the artefact's page once it has loaded and run for its time.

    Raises:
        Failed: It does not load, or is not the artefact's page by then.
        Unable: The browser does not start.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = _launched(playwright)
        context = browser.new_context(
            viewport={"width": order.width, "height": order.height},
            device_scale_factor=1,
            color_scheme="light",
            reduced_motion="no-preference" if motion else "reduce",
            locale="en-US",
            timezone_id="UTC",
            service_workers="block",
            accept_downloads=False,
        )
        context.add_init_script(PINNED)
        context.clock.pause_at(NOON)
        context.add_init_script(ONE_CLOCK)
        context.route("**/*", lambda route: _answer(route, order.folder, evidence))
        page = context.new_page()
        _watched(page, evidence)
        sight = Sight(page, order)
        _loaded(page, order)
        if not motion:
            sight.run(order.wait_ms)
        if not page.url.startswith(f"{ORIGIN}/"):
            raise Failed("the page went away from the artefact's folder")
        if sight.ask("() => document.querySelector('parsererror') !== null"):
            raise Failed("the page is not well-formed XML")
        yield sight
        browser.close()


def _launched(playwright: Playwright) -> Browser:
    from playwright.sync_api import Error

    environment: dict[str, str | float | bool] = {**os.environ}
    try:
        with patience(2 * LOAD_S, "the browser did not start", "unable"):
            return playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=FLAGS, env=environment
            )
    except Error as error:
        raise Unable(f"chromium cannot be started: {error.message}") from None


def _watched(page: Page, evidence: Evidence) -> None:
    """Write down what the page complains of."""

    def said(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            evidence.add(f"console {message.type}: {message.text}")

    page.on("console", said)
    page.on("pageerror", lambda error: evidence.add(f"uncaught: {error.message}"))
    page.on("crash", lambda _: evidence.add("the page crashed"))


def _loaded(page: Page, order: Order) -> None:
    """Open the page and wait for its files and fonts, as long as that is bearable."""
    from playwright.sync_api import TimeoutError as TooLate

    with _answering("the page did not load", 2 * LOAD_S):
        name = quote(order.entries[0], safe="/")
        answer = page.goto(f"{ORIGIN}/{name}", wait_until="load", timeout=LOAD_S * 1000)
        _checked(answer)
        with suppress(TooLate):
            page.wait_for_load_state("networkidle", timeout=QUIET_MS)
        page.evaluate("() => document.fonts.ready.then(() => true)")


def _checked(answer: Response | None) -> None:
    if answer is None or answer.status >= ERRORS:
        raise Failed("the page cannot be opened")


def _answer(route: Route, folder: Path, evidence: Evidence) -> None:
    """Answer a request with a file of the artefact, or refuse it."""
    url = urlsplit(route.request.url)
    if f"{url.scheme}://{url.netloc}" != ORIGIN:
        evidence.add(f"refused: {route.request.url}")
        route.abort("blockedbyclient")
        return
    path = Path(os.path.realpath(folder / unquote(url.path).lstrip("/")))
    if path.is_dir():
        path /= "index.html"
    inside = path.is_relative_to(folder)
    if not (inside and path.is_file() and path.stat().st_size <= LARGEST_FILE):
        evidence.add(f"not in the artefact: {url.path}")
        route.fulfill(status=404, body="")
        return
    still = images.still(path)
    kind = "image/png" if still else TYPES.guess_type(path.name)[0] or "application/octet-stream"
    body = still or path.read_bytes()
    route.fulfill(body=body, headers={**WRITTEN, "content-type": kind})
