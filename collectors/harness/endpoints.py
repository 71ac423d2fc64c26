"""The way of an agent that asks its model itself, where no gateway serves it."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from collectors.harness.billing import LOOPBACK
from collectors.harness.gateway.server import SHORT
from collectors.harness.sandbox.forwarder import Forwarder


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the agent asks, the hosts it must reach for that, and the ports of its sandbox."""

    url: str = ""
    hosts: tuple[str, ...] = ()
    ports: Mapping[int, Path] = field(default_factory=dict)


def shown(url: str) -> str:
    """Return an address as messages have it: what else a URL holds may be a secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


@contextmanager
def reachable(base_url: str, port: int | None) -> Iterator[Endpoint]:
    """Make the endpoint reachable; one of this machine is at `port` in a network of its own."""
    url = urlsplit(base_url)
    host = url.hostname or ""
    if not LOOPBACK.fullmatch(host):
        yield Endpoint(base_url, hosts=(f"{host}:{url.port or 443}",))
    elif port is None:
        yield Endpoint(base_url)
    else:
        with _passage(host, url.port or 80) as path:
            yield Endpoint(f"http://127.0.0.1:{port}{url.path}", ports={port: path})


@contextmanager
def _passage(host: str, port: int) -> Iterator[Path]:
    """Give a unix socket at which a place of this machine answers."""
    folder = Path(tempfile.mkdtemp(prefix="passage-", dir=SHORT))
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "socket"))
    listener.listen()
    forwarder = Forwarder(listener, partial(socket.create_connection, (host, port)))
    try:
        yield folder / "socket"
    finally:
        forwarder.close()
        shutil.rmtree(folder)
