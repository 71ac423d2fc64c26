"""A service folder under test: built once, then started, asked for its health and restarted."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from benchdata.errors import shorten
from collectors.build_bench.grounds import LOOPBACK, Ground, Tree
from collectors.build_bench.suites.api import REQUEST_S, Failed

BUILD, START = "build.sh", "start.sh"
BUILD_S = 60.0
READY_S = 20.0
"""From the start to the first 200 of /health."""
STOP_S = 5.0
"""From SIGTERM to the end."""
POLL_S = 0.01
HEALTH_S = 1.0
LAST_LINES, LAST_BYTES = 3, 4096


class NotReady(Failed):
    """A service that was not built, or did not come up; the message ends in its last words."""


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of one service: all it may write to is in `shown`, its output is not."""

    shown: Path
    output: Path

    @classmethod
    def within(cls, root: Path) -> Place:
        """Make the folders in an empty one."""
        place = cls(root / "service", root / "output.txt")
        for folder in (place.work, place.data, place.home / "tmp"):
            folder.mkdir(parents=True)
        return place

    @property
    def work(self) -> Path:
        """Where the service's program is."""
        return self.shown / "work"

    @property
    def data(self) -> Path:
        """What survives a restart."""
        return self.shown / "data"

    @property
    def home(self) -> Path:
        """For whatever programs keep for themselves."""
        return self.shown / "home"


@dataclass(slots=True)
class Service:
    """One service and its life; as a context it leaves no process behind.

    `path` are the folders in which its programs are looked for before those of the system.
    """

    place: Place
    path: tuple[Path, ...]
    ground: Ground
    boot_ms: list[int] = field(default_factory=list)
    _tree: Tree | None = None
    _client: httpx.AsyncClient | None = None
    _port: int = 0

    async def __aenter__(self) -> Self:
        """Return the service, which is not started yet."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it in good order, or at once when this is cancelled."""
        await self.stop()

    @property
    def client(self) -> httpx.AsyncClient:
        """The client of the present address.

        Raises:
            NotReady: The service is not running.
        """
        if self._client is None:
            raise NotReady("the service is not running")
        return self._client

    def connect(self) -> socket.socket:
        """Return a connection of its own to the present address.

        Raises:
            ConnectionRefusedError: The service is not running.
            OSError: It does not accept one.
        """
        if self._tree is None:
            raise ConnectionRefusedError("the service is not running")
        return self._tree.connect(self._port)

    async def build(self) -> None:
        """Run `build.sh` where there is one.

        Raises:
            NotReady: It fails or takes longer than a minute.
        """
        if not (self.place.work / BUILD).is_file():
            return
        tree = self._start(BUILD, {})
        try:
            await _wait(lambda: tree.exit_code() is not None, BUILD_S)
            code = tree.exit_code()
        finally:
            tree.kill()
        if code != 0:
            said = f"ended with {code}" if code is not None else f"ran longer than {BUILD_S:g} s"
            raise NotReady(f"{BUILD} {said}{self._last_words()}")

    async def boot(self) -> None:
        """Start the service on a new port and wait until it is healthy.

        Raises:
            NotReady: It ends, or is not healthy in time; it is ended then.
        """
        began = time.monotonic()
        self._port = port = self.ground.port()
        variables = {"PORT": str(port), "DATA_DIR": self.ground.inside(self.place.data)}
        self._tree = tree = self._start(START, variables)
        self._client = httpx.AsyncClient(
            base_url=f"http://{LOOPBACK}:{port}",
            transport=tree.transport(port),
            timeout=REQUEST_S,
        )
        try:
            async with asyncio.timeout(READY_S):
                await self._healthy(tree)
        except TimeoutError:
            await self.kill()
            said = f"/health did not answer 200 within {READY_S:g} s"
            raise NotReady(f"{said}{self._last_words()}") from None
        except BaseException:
            await self.kill()
            raise
        self.boot_ms.append(round((time.monotonic() - began) * 1000))

    async def ensure(self) -> None:
        """Boot the service if it is not running.

        Raises:
            NotReady: It does not come up.
        """
        if self._tree is None or self._tree.exit_code() is not None:
            await self.kill()
            await self.boot()

    async def restart(self) -> None:
        """Stop the service and boot it again on the same data.

        Raises:
            NotReady: It does not come up again, or did not end when it was asked to.
        """
        if not await self.stop():
            raise NotReady(f"{START} did not end within {STOP_S:g} s of SIGTERM")
        await self.boot()

    async def crash(self) -> None:
        """Kill the service and boot it again on the same data.

        Raises:
            NotReady: It does not come up again.
        """
        await self.kill()
        await self.boot()

    async def stop(self) -> bool:
        """Ask the service to end and then end what is left; return whether it did as asked."""
        tree, ended = self._tree, True
        try:
            if tree is not None and tree.exit_code() is None:
                tree.terminate()
                ended = await _wait(lambda: tree.exit_code() is not None, STOP_S)
        finally:
            await self.kill()
        return ended

    async def kill(self) -> None:
        """End the whole process tree at once."""
        tree, self._tree = self._tree, None
        client, self._client = self._client, None
        if tree is not None:
            tree.kill()  # first, so that a cancelled close leaves no process
        if client is not None:
            await client.aclose()

    async def _healthy(self, tree: Tree) -> None:
        """Wait until /health answers 200.

        Raises:
            NotReady: The service ends before that.
        """
        while not await _is_healthy(self.client):
            if (code := tree.exit_code()) is not None:
                raise NotReady(f"{START} ended with {code}{self._last_words()}")
            await asyncio.sleep(POLL_S)

    def _start(self, script: str, variables: Mapping[str, str]) -> Tree:
        home, inside = self.place.home, self.ground.inside
        environment = {
            "PATH": os.pathsep.join((*map(str, self.path), os.defpath)),
            "HOME": inside(home),
            "TMPDIR": inside(home / "tmp"),
            "LANG": "C.UTF-8",
            **variables,
        }
        program = inside(self.place.work / script)
        try:
            return self.ground.start([program], environment, self.place.work, self.place.output)
        except OSError as error:
            raise NotReady(f"{script} cannot be started: {error.strerror}") from None

    def _last_words(self) -> str:
        """Return the end of what the service printed, for a message."""
        try:
            with self.place.output.open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_BYTES))
                printed = file.read().decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        lines = [shorten(line.strip()) for line in printed if line.strip()]
        return ": " + " / ".join(lines[-LAST_LINES:]) if lines else ""


async def _is_healthy(client: httpx.AsyncClient) -> bool:
    try:
        return (await client.get("/health", timeout=HEALTH_S)).status_code == 200
    except httpx.HTTPError:
        return False


async def _wait(done: Callable[[], bool], seconds: float) -> bool:
    """Wait until something is so, and return whether it is within the time."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() >= end:
            return False
        await asyncio.sleep(POLL_S)
    return True
