"""The browser that opens pages of services nobody vouches for: what it reaches, what is left."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from collectors.build_bench.suites import chromium, pages
from collectors.harness.sandbox.probe import choose
from tests.support.whole import processes_with

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def able() -> None:
    """Skip where no page can be opened."""
    if lacking := pages.lacking():
        pytest.skip(lacking)


def looked(body: Callable[[Page], Awaitable[None]]) -> None:
    async def within() -> None:
        async with chromium.opened({}) as browser:
            await body(await browser.new_page())

    asyncio.run(within())


def test_it_finds_no_file_and_no_other_service_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if choose().name != "bubblewrap":
        pytest.skip("bubblewrap does not work here")
    held_by_the_sandbox_alone = [flag for flag in chromium.FLAGS if "resolver" not in flag]
    monkeypatch.setattr(chromium, "FLAGS", held_by_the_sandbox_alone)
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden", "utf-8")
    other = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    Thread(target=other.serve_forever, daemon=True).start()

    async def body(page: Page) -> None:
        from playwright.async_api import Error

        for address, words in {
            secret.as_uri(): "ERR_FILE_NOT_FOUND",
            Path(__file__).as_uri(): "ERR_FILE_NOT_FOUND",
            Path.home().as_uri(): "ERR_FILE_NOT_FOUND",
            f"http://127.0.0.1:{other.server_port}/": "ERR_CONNECTION_REFUSED",
            "http://192.0.2.1/": "ERR_INTERNET_DISCONNECTED",
        }.items():
            with pytest.raises(Error, match=words):
                await page.goto(address)

    try:
        looked(body)
    finally:
        other.shutdown()
        other.server_close()


@pytest.mark.parametrize("cut", [False, True])
def test_nothing_of_it_is_left_however_it_ends(cut: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = uuid.uuid4().hex
    monkeypatch.setattr(chromium, "FLAGS", (*chromium.FLAGS, f"--{mark}"))

    async def body(page: Page) -> None:
        assert await page.title() == ""
        assert processes_with(mark)
        if cut:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError) if cut else nullcontext():
        looked(body)
    assert not processes_with(mark)
