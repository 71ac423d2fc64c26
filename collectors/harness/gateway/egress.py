"""A proxy that lets an agent reach the named hosts, such as a package registry, and no other."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchdata.contracts.fields import instant_text
from benchdata.errors import shorten
from collectors.harness.gateway.server import Streams

CONNECT = re.compile(rb"CONNECT ([A-Za-z0-9.-]{1,253}):([0-9]{1,5}) HTTP/1\.[01]\r\n")
PORT = 443
SECONDS = 30
FAULTS = (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
PIECE = 64 * 1024
ALLOWED = b"HTTP/1.1 200 Connection established\r\n\r\n"
FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
NOT_THERE = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Visit:
    """A host that was asked for, or the first line of what was no such request."""

    at: str
    host: str
    allowed: bool


class Egress(Streams):
    """Tunnels to `hosts` as `HTTPS_PROXY` has it: whole names, each with a port or for 443.

    Raises:
        FileExistsError: The log is there already.
    """

    def __init__(self, hosts: Collection[str], *, log: Path) -> None:
        self._log = log.open("x", encoding="utf-8")
        super().__init__()
        self._allowed = {
            host if ":" in host else f"{host}:{PORT}" for host in map(str.lower, hosts)
        }
        self.visits: list[Visit] = []

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        super().__exit__(kind, *rest)
        self._log.close()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection and carry it to its end."""
        try:
            with suppress(*FAULTS):
                async with asyncio.timeout(SECONDS):
                    head = await reader.readuntil(b"\r\n\r\n")
                place = self._admitted(head)
                writer.write(await _carried(place, reader, writer) if place else FORBIDDEN)
                await writer.drain()
        finally:
            writer.close()

    def _admitted(self, head: bytes) -> tuple[str, int] | None:
        """Return the host and port that a request may reach, and note the visit."""
        found = CONNECT.match(head)
        place = (found[1].decode().lower(), int(found[2])) if found else None
        asked = "{}:{}".format(*place) if place else head.split(b"\r\n")[0].decode("latin-1")
        visit = Visit(instant_text(datetime.now(UTC)), shorten(asked), asked in self._allowed)
        self.visits.append(visit)
        self._log.write(json.dumps(asdict(visit)) + "\n")
        self._log.flush()
        return place if visit.allowed else None


async def _carried(
    place: tuple[str, int], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bytes:
    """Carry bytes both ways until both ends are done; return what is left to say."""
    try:
        async with asyncio.timeout(SECONDS):
            far_reader, far_writer = await asyncio.open_connection(*place)
    except (OSError, TimeoutError):
        return NOT_THERE
    try:
        writer.write(ALLOWED)
        await asyncio.gather(_poured(reader, far_writer), _poured(far_reader, writer))
    finally:
        far_writer.close()
    return b""


async def _poured(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
