"""The process of a server: from its socket to an end that answers what it received."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from uvicorn import Config, Server

from benchdata.errors import BenchdataError
from benchdata.server.app import app
from benchdata.server.rates import Rates
from benchdata.server.store import opened

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
QUIET: dict[str, Any] = {
    "http": "h11",
    "ws": "none",
    "lifespan": "off",
    "log_config": None,
    "log_level": "error",  # what clients do wrong is their answer's to say
    "access_log": False,
    "proxy_headers": False,
    "server_header": False,
    "limit_concurrency": 1_024,
    "timeout_graceful_shutdown": 15,
}


def run(folder: Path, host: str, port: int, rate: int, ready: Callable[[str], None]) -> None:
    """Serve until a signal ends it; `ready` is told the URL once a connection is taken.

    `rate` is how many results an address may send a minute.

    Raises:
        BenchdataError: The address cannot be listened on, or the folder cannot be used.
    """
    with opened(folder) as store, _listener(host, port) as listener:
        ready(_url(listener))
        serve(app(store, Rates(rate)), listener)


def serve(application: Starlette, listener: socket.socket) -> None:
    """Serve an application on a socket until a signal ends it; requests that began are answered."""
    # the body of an answer must not wait until its head was acknowledged, which takes 40 ms;
    # connections inherit it
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = Server(Config(application, **QUIET))
    # uvicorn raises the signals again at its end, for whom they were before it: that is it, too
    before = {number: signal.signal(number, server.handle_exit) for number in ENDING}
    try:
        server.run([listener])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _listener(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (")[0]  # after it, the address again
        raise BenchdataError(f"{host}:{port}: cannot be listened on: {reason}") from None


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
