"""A service's page in a browser: one Chromium for a suite, one address that outlives restarts."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from benchdata.errors import BenchdataError, shorten
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

CHROMIUM = "chromium"
FLAGS = (
    "--no-sandbox",  # it may be run by root
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no other machine
)
WIDE = {"width": 1280, "height": 900}
SHOWN_S = 2.0
"""From a change to the page that shows it."""
LIVE_S = 10.0
"""From a service that can be reached to a page that follows it."""
ROWS = """rows => rows.filter(row => row.checkVisibility({visibilityProperty: true}))
    .map(row => ({id: row.dataset.orderId, status: row.dataset.status, text: row.innerText}))"""
CALL_MS = 5000
ERRORS = 400
"""This status and all above."""


def lacking() -> str | None:
    """Say what this machine lacks to open a page, if it lacks anything."""
    if importlib.util.find_spec("playwright") is None:
        return 'playwright is not installed; pip install "benchdata[render]"'
    if shutil.which(CHROMIUM) is None:
        return f"{CHROMIUM} is not on PATH"
    return None


class Front:
    """A loopback address in front of a service: it stays when the service's own changes.

    While it is cut off, the page that was opened there is offline and the service is not.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._port = 0
        self._forwarder: Forwarder | None = None

    def __enter__(self) -> Self:
        """Let connections through."""
        self.mend()
        return self

    def __exit__(self, *_: object) -> None:
        """Break all of them."""
        self.cut()

    @property
    def address(self) -> str:
        """The origin of the page."""
        return f"http://127.0.0.1:{self._port}"

    def cut(self) -> None:
        """Break what is open and accept nothing more."""
        forwarder, self._forwarder = self._forwarder, None
        if forwarder is not None:
            forwarder.close()

    def mend(self) -> None:
        """Accept connections again."""
        if self._forwarder is None:
            listener = socket.create_server(("127.0.0.1", self._port))
            self._port = listener.getsockname()[1]
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
    """Yield a service with a browser, which has nothing of this process's environment.

    Raises:
        BenchdataError: The browser cannot be started.
    """
    from playwright.async_api import Error, async_playwright

    environment: dict[str, str | float | bool] = {"PATH": os.defpath, "LANG": "C.UTF-8"}
    with Front(target) as front:
        async with async_playwright() as playwright:
            try:
                browser = await playwright.chromium.launch(
                    executable_path=shutil.which(CHROMIUM), args=FLAGS, env=environment
                )
            except Error as error:
                raise BenchdataError(
                    f"{CHROMIUM} cannot be started: {shorten(error.message)}"
                ) from None
            try:
                yield Stage(target, browser, front)
            finally:
                await browser.close()


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
