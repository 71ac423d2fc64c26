"""A Chromium in a sandbox: it reaches one address and sees nothing of this machine's files."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from benchdata.errors import BenchdataError, shorten
from collectors.build_bench.grounds import LOOPBACK, Host
from collectors.harness.processes import Running
from collectors.harness.sandbox.forwarder import Forwarder
from collectors.harness.sandbox.probe import choose
from collectors.harness.sandbox.provider import Room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.async_api import Browser

CHROMIUM = "chromium"
FLAGS = (
    *("--headless", "--no-first-run", "--hide-scrollbars", "--mute-audio"),
    *("--no-sandbox", "--disable-dev-shm-usage"),  # it is in a sandbox, which lets it make none
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no other machine
)
FOLDERS = ("work", "home", "tmp")
START_S = 30.0
POLL_S = 0.02


@asynccontextmanager
async def opened(ports: dict[int, Path]) -> AsyncIterator[Browser]:
    """Yield a Chromium; `ports` are those it can reach, with the unix sockets that answer there.

    It runs in the strongest sandbox of this machine and has nothing of this process's environment.
    Nothing of it is left afterwards.

    Raises:
        BenchdataError: It cannot be started.
    """
    from playwright.async_api import Error, async_playwright

    with _started(ports) as (running, port, output):
        await _listening(running, port, output)
        with _reached(running, port) as address:
            async with async_playwright() as playwright:
                try:
                    browser = await playwright.chromium.connect_over_cdp(address)
                except Error as error:
                    raise _failure(error.message) from None
                try:
                    yield browser
                finally:
                    await browser.close()


@contextmanager
def _started(ports: dict[int, Path]) -> Iterator[tuple[Running, int, Path]]:
    """Yield the running program, the port at which it is driven, and the file of its output."""
    sandbox, port = choose(), Host().port()
    with tempfile.TemporaryDirectory(prefix="chromium-") as place:
        agent, output = Path(place, "agent"), Path(place, "output.txt")
        for name in FOLDERS:
            (agent / name).mkdir(parents=True)
        program = Path(shutil.which(CHROMIUM) or CHROMIUM)
        room = Room(agent, (program.resolve(),), ports)
        home = sandbox.inside(room, agent / "home")
        environment = {
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "HOME": home,
            "TMPDIR": sandbox.inside(room, agent / "tmp"),
        }
        driven = (f"--remote-debugging-port={port}", f"--user-data-dir={home}/profile")
        argv = (str(program), *FLAGS, *driven, "about:blank")
        with sandbox.start(
            argv, environment, room, stdin=b"", stdout=output, stderr=output
        ) as running:
            yield running, port, output


async def _listening(running: Running, port: int, output: Path) -> None:
    """Wait until it can be driven."""
    end = time.monotonic() + START_S
    while time.monotonic() < end and not running.ended:
        with suppress(OSError):
            running.connect(port).close()
            return
        await asyncio.sleep(POLL_S)
    said = output.read_text("utf-8", "replace").strip().splitlines()
    raise _failure(said[-1] if said else "it does not say why")


@contextmanager
def _reached(running: Running, port: int) -> Iterator[str]:
    """Yield the address at which the program's port can be reached from here."""
    listener = socket.create_server((LOOPBACK, 0))
    forwarder = Forwarder(listener, lambda: running.connect(port))
    try:
        yield f"http://{LOOPBACK}:{listener.getsockname()[1]}"
    finally:
        forwarder.close()


def _failure(words: str) -> BenchdataError:
    return BenchdataError(f"{CHROMIUM} cannot be started: {shorten(words)}")
