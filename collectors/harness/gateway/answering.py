"""Answers HTTP on given sockets by an application of this process, and says nothing of it."""

from __future__ import annotations

import asyncio
import functools
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio.lowlevel import checkpoint
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from collectors.harness.gateway.asgi import Application
from collectors.harness.gateway.server import MOST_CONNECTIONS

QUIET: dict[str, Any] = {
    "http": "h11",
    "ws": "none",
    "lifespan": "off",
    "log_config": None,
    "log_level": "critical",  # an agent that hangs up is no error here
    "access_log": False,
    "proxy_headers": False,
    "server_header": False,
    "date_header": False,
    "timeout_keep_alive": 600,
}


class _Connection(H11Protocol):
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Hang up on one too many: an agent must not use up what the harness needs."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()


@asynccontextmanager
async def answering(app: Application, listeners: list[socket.socket]) -> AsyncIterator[None]:
    """Answer until it is left, which ends what is under way."""
    await checkpoint()  # loads what the first request would otherwise wait for
    loop = asyncio.get_running_loop()
    config = Config(app, **QUIET)
    config.load()
    state = ServerState()
    protocol = functools.partial(_Connection, config, state, {})
    servers = [await loop.create_server(protocol, sock=each) for each in listeners]
    try:
        yield
    finally:
        for server in servers:
            server.close()
        tasks = list(state.tasks)
        for task in tasks:
            task.cancel()
        for connection in list(state.connections):
            connection.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)
