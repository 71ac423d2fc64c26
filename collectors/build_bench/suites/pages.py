"""A service's page in a browser: one Chromium for a suite, one address that outlives restarts."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from collectors.build_bench.grounds import LOOPBACK, Host
from collectors.build_bench.suites import chromium
from collectors.build_bench.suites.api import POLL_S, Api, Failed, Target
from collectors.harness.sandbox.forwarder import Forwarder

if TYPE_CHECKING:
    from playwright.async_api import (
        Browser,
        BrowserContext,
        ConsoleMessage,
        Page,
        Request,
        Response,
    )

WIDE = {"width": 1280, "height": 900}
SHOWN_S = 2.0
"""From a change to the page that shows it."""
LIVE_S = 10.0
"""From a service that can be reached to a page that follows it."""
ROWS = """rows => rows.filter(row => row.checkVisibility({visibilityProperty: true}))
    .map(row => ({id: row.dataset.orderId, status: row.dataset.status, text: row.innerText}))"""
CALL_MS = 5000
ONLINE = "Object.defineProperty(Navigator.prototype, 'onLine', {get: () => true})"
"""A network in which there is nothing but the service is none to the browser, and pages ask it."""
ERRORS = 400
"""This status and all above."""


def lacking() -> str | None:
    """Say what this machine lacks to open a page, if it lacks anything."""
    if importlib.util.find_spec("playwright") is None:
        return 'playwright is not installed; pip install "benchdata[render]"'
    if shutil.which(chromium.CHROMIUM) is None:
        return f"{chromium.CHROMIUM} is not on PATH"
    return None


class Front:
    """A unix socket in front of a service: it stays when the service's own address changes.

    The browser finds it at `address`. While it is cut off, the page that was opened there is
    offline and the service is not.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._folder = tempfile.TemporaryDirectory(prefix="front-", dir="/tmp")
        self._port = Host().port()
        self._forwarder: Forwarder | None = None
        self.socket = Path(self._folder.name, "s")

    def __enter__(self) -> Self:
        """Let connections through."""
        self.mend()
        return self

    def __exit__(self, *_: object) -> None:
        """Break all of them."""
        self.cut()
        self._folder.cleanup()

    @property
    def address(self) -> str:
        """The origin of the page."""
        return f"http://{LOOPBACK}:{self._port}"

    @property
    def ports(self) -> dict[int, Path]:
        """The one port of the page's machine."""
        return {self._port: self.socket}

    def cut(self) -> None:
        """Break what is open and accept nothing more."""
        forwarder, self._forwarder = self._forwarder, None
        if forwarder is not None:
            forwarder.close()

    def mend(self) -> None:
        """Accept connections again."""
        if self._forwarder is None:
            self.socket.unlink(missing_ok=True)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(self.socket))
            listener.listen()
            self._forwarder = Forwarder(listener, self._target.connect)


@dataclass(slots=True)
class Visit:
    """One opened page; `faults` are errors, and requests that failed or went elsewhere."""

    page: Page
    faults: list[str] = field(default_factory=list)

    def watch(self, origin: str) -> None:
        """Note what goes wrong from now on."""
        note = self.faults.append

        def logged(said: ConsoleMessage) -> None:
            if said.type == "error":
                note(f"logged: {said.text}")

        def asked(request: Request) -> None:
            if not request.url.startswith((f"{origin}/", "data:", "blob:")):
                note(f"asked elsewhere: {request.url}")

        def answered(response: Response) -> None:
            if response.status >= ERRORS:
                note(f"answered {response.status}: {response.url}")

        self.page.on("console", logged)
        self.page.on("request", asked)
        self.page.on("response", answered)
        self.page.on("requestfailed", lambda request: note(f"failed: {request.url}"))
        self.page.on("pageerror", lambda error: note(f"raised: {error}"))

    async def text(self, test_id: str) -> str:
        """Return the text of an element."""
        return (await self.page.get_by_test_id(test_id).inner_text()).strip()

    async def rows(self) -> list[dict[str, str]]:
        """Return id, status and text of the order rows that can be seen."""
        rows: list[dict[str, str]] = await self.page.get_by_test_id("order-row").evaluate_all(ROWS)
        return rows

    async def says(self, test_id: str, wanted: str, seconds: float = SHOWN_S) -> None:
        """Wait until an element has a text.

        Raises:
            Failed: It has not within the time.
        """
        await shown(test_id, lambda: self.text(test_id), wanted, seconds)

    async def live(self) -> None:
        """Wait until the page follows the service.

        Raises:
            Failed: It does not within the time.
        """
        await self.says("connection-status", "live", LIVE_S)


class Stage(Api):
    """The requests to a service, and its pages."""

    def __init__(self, target: Target, browser: Browser, front: Front) -> None:
        super().__init__(target)
        self.front = front
        self._browser = browser

    @asynccontextmanager
    async def visitor(self, size: dict[str, int] = WIDE) -> AsyncIterator[BrowserContext]:
        """Yield the browser of someone who has not been here before; the way is open afterwards."""
        options: dict[str, Any] = {"viewport": size, "service_workers": "block"}
        context = await self._browser.new_context(base_url=self.front.address, **options)
        context.set_default_timeout(CALL_MS)
        await context.add_init_script(ONLINE)
        try:
            yield context
        finally:
            await context.close()
            self.front.mend()

    async def opened(self, visitor: BrowserContext) -> Visit:
        """Open the page in a tab and wait until it is live."""
        visit = Visit(await visitor.new_page())
        visit.watch(self.front.address)
        await visit.page.goto("/")
        await visit.live()
        return visit

    @asynccontextmanager
    async def visit(self, size: dict[str, int] = WIDE) -> AsyncIterator[Visit]:
        """Yield the one open page of a new visitor."""
        async with self.visitor(size) as visitor:
            yield await self.opened(visitor)


@asynccontextmanager
async def staged(target: Target) -> AsyncIterator[Stage]:
    """Yield a service with a browser that can reach nothing else.

    Raises:
        BenchdataError: The browser cannot be started.
    """
    with Front(target) as front:
        async with chromium.opened(front.ports) as browser:
            yield Stage(target, browser, front)


async def shown(
    what: str, look: Callable[[], Awaitable[object]], wanted: object, seconds: float = SHOWN_S
) -> None:
    """Look again and again until something is as it is wanted.

    Raises:
        Failed: It is not within the time.
    """
    end = time.monotonic() + seconds
    while (seen := await look()) != wanted:
        if time.monotonic() >= end:
            raise Failed(f"{what} is {seen!r} instead of {wanted!r} after {seconds:g} s")
        await asyncio.sleep(POLL_S)
