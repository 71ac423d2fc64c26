"""One request of an agent, and the way back to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from collectors.harness.gateway.asgi import Message, Receive, Send

MOST_BODY = 32 * 1024 * 1024
JSON = (b"content-type", b"application/json")


class Client:
    """An agent that waits for an answer; `gone` is done once it waits no longer."""

    def __init__(self, scope: Message, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        query = scope["query_string"].decode("latin-1")
        self.target = f"{self.path}?{query}" if query else self.path
        self.gone: asyncio.Future[Any]

    def header(self, name: bytes) -> bytes:
        """Return the value of a header, or nothing."""
        return next((value for each, value in self.headers if each == name), b"")

    def header_texts(self) -> Mapping[str, str]:
        """Return the headers as text, by name."""
        return {name.decode("latin-1"): value.decode("latin-1") for name, value in self.headers}

    async def body(self) -> bytes | None:
        """Return the whole request, or None when its sender went away or says too much."""
        whole = bytearray()
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                return None
            whole += message.get("body", b"")
            if len(whole) > MOST_BODY:
                await self.answer(413, {"error": {"message": "the request is too large"}})
                return None
            if not message.get("more_body"):
                break
        self.gone = asyncio.ensure_future(self._receive())
        return bytes(whole)

    async def answer(self, status: int, data: Mapping[str, Any]) -> None:
        """Send a whole answer of the gateway's own."""
        raw = json.dumps(data).encode()
        await self.start(status, [JSON, (b"content-length", str(len(raw)).encode())])
        await self.piece(b"" if self.method == "HEAD" else raw)
        await self.end()

    async def start(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        """Begin an answer."""
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def piece(self, data: bytes) -> None:
        """Send a piece of the body."""
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self) -> None:
        """End the answer; one that is never ended breaks off."""
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})
