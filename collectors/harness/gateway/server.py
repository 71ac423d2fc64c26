"""A server on a thread of its own, behind a unix socket and a port of the loopback interface."""

from __future__ import annotations

import asyncio
import shutil
import socket
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

SHORT = Path("/tmp")
"""The path of a unix socket has at most 107 bytes, and temporary folders may lie deep."""
MOST_CONNECTIONS = 64
"""One agent's: each may hold a whole request in memory, and descriptors of this process."""
# With the protocol named, asyncio sends small packets at once: else each answer waits 40 ms.
TCP = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)


class Server(ABC):
    """Serves from entering to leaving; it is entered once.

    `socket` is the path of the unix socket, in a folder that only this user may enter.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="gateway-", dir=SHORT))
        self.socket = self._folder / "socket"
        self._listeners = [
            _listening(socket.socket(socket.AF_UNIX), str(self.socket)),
            _listening(socket.socket(*TCP), ("127.0.0.1", 0)),
        ]
        self._port: int = self._listeners[1].getsockname()[1]
        self._over = asyncio.Event()
        self._loop: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(target=self._run, name=type(self).__name__, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self._loop.result()
        except BaseException:  # it could not begin
            self._put_away()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._loop.result().call_soon_threadsafe(self._over.set)
        self._put_away()

    def _put_away(self) -> None:
        self._thread.join()
        for each in self._listeners:
            each.close()
        shutil.rmtree(self._folder)

    @property
    def url(self) -> str:
        """The URL for a client that sees this machine's loopback interface."""
        return f"http://127.0.0.1:{self._port}"

    @asynccontextmanager
    @abstractmethod
    def serving(self, listeners: list[socket.socket]) -> AsyncIterator[None]:
        """Serve on these sockets; leaving it leaves nothing behind."""

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            if self._loop.done():
                raise
            self._loop.set_exception(error)

    async def _serve(self) -> None:
        async with self.serving(self._listeners):
            self._loop.set_result(asyncio.get_running_loop())
            await self._over.wait()


class Streams(Server):
    """A server that answers each connection by itself."""

    def __init__(self) -> None:
        super().__init__()
        self._tasks: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection to its end, and close it."""

    @asynccontextmanager
    async def serving(self, listeners: list[socket.socket]) -> AsyncIterator[None]:
        """Serve connections; leaving it breaks them."""
        servers = [await asyncio.start_server(self._begun, sock=each) for each in listeners]
        try:
            yield
        finally:
            for server in servers:
                server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begun(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._tasks) >= MOST_CONNECTIONS:
            writer.close()
            return
        task = asyncio.create_task(self.answer(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _listening(listener: socket.socket, address: str | tuple[str, int]) -> socket.socket:
    listener.bind(address)
    listener.listen()
    return listener
