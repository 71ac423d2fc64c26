"""Passes an agent's requests on to its model, one by one: holds, refuses, counts."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import Callable
from typing import Any, Literal

from benchdata.errors import shorten
from collectors.harness.gateway.asgi import Message, Receive, Send
from collectors.harness.gateway.client import Client
from collectors.harness.gateway.exchanges import GOOD, Entry, Ledger
from collectors.harness.gateway.policy import Policy
from collectors.harness.gateway.shape import Listener, Shape, TooLong
from collectors.harness.gateway.turns import Turns
from collectors.harness.gateway.upstream import FAULTS, UNRETURNED, UNSENT, Answer, Line

Decision = Literal["go", "stop"]
OnTurn = Callable[[int], Decision]

STREAM = b"text/event-stream"
NOT_THERE = 502


class Relay:
    """An ASGI application between one agent and its upstream.

    `stopped` is why nothing is sent on any more, and `fault` what the callback raised.
    """

    def __init__(
        self,
        line: Line,
        policy: Policy,
        shape: Shape,
        ledger: Ledger,
        token: str,
        on_turn: OnTurn | None,
    ) -> None:
        self._policy = policy
        self._shape = shape
        self._ledger = ledger
        self._token = token.encode()
        self._on_turn = on_turn
        self._line = line
        self._hold: asyncio.Task[None] | None = None
        self.turns = Turns()
        self.stopped: str | None = None
        self.fault: BaseException | None = None
        self._held_s = 0.0
        self._holding_since: float | None = None

    @property
    def held_s(self) -> float:
        """How long the callback ran in all, with one that still runs."""
        since = self._holding_since
        return self._held_s + (0.0 if since is None else time.monotonic() - since)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        client = Client(scope, receive, send)
        if client.method == "HEAD":  # older versions of Claude Code look whether anyone is there
            await client.answer(200, {})
            return
        if not self._knows(client):  # and may not make us take in what it says
            await client.answer(401, {"error": {"message": "not the token of this run"}})
            return
        body = await client.body()
        if body is None:
            return
        if client.path == self._shape.path and client.method == "POST":
            await self._asked(client, body)
        elif client.path in self._shape.others:
            entry = self._ledger.open(Entry("other", client.path))
            await self._passed(client, body, entry)
        else:
            await client.answer(404, {"error": {"message": "the gateway does not pass this on"}})

    async def close(self) -> None:
        """End the hold, which waits for the callback, and the connections."""
        if self._hold:
            await asyncio.wait([self._hold])
        await self._line.close()

    def _knows(self, client: Client) -> bool:
        """Tell whether a request holds the token, so that no one else spends the credential."""
        told = (client.header(b"authorization"), client.header(b"x-api-key"))
        return any(hmac.compare_digest(each.split(b" ")[-1], self._token) for each in told)

    async def _asked(self, client: Client, raw: bytes) -> None:
        """Answer a request for the model: hold it, refuse it or pass it on."""
        body = _object(raw)
        kind = self._shape.kind(client.header_texts(), body)
        entry = self._ledger.open(Entry(kind, shorten(str(body.get("model")))))
        if kind == "main":
            if self.turns.arrives(self._shape.said(body)):
                self._hold = asyncio.create_task(self._turn_over(self.turns.ended))
            entry.turn = self.turns.ended + 1
        if not await self._let_go(client, entry):
            entry.error = "gone"
            self._ledger.close(entry)
            return
        entry.refused = self._cause(entry, readable=bool(body))
        if entry.refused:
            self._ledger.close(entry)
            await client.answer(*self._shape.refusal(f"Refused: {entry.refused}"))
        else:
            await self._passed(client, raw, entry)

    async def _let_go(self, client: Client, entry: Entry) -> bool:
        """Wait for the hold, whoever began it; return whether the agent is still there."""
        if self._hold and not self._hold.done():
            since = time.monotonic()
            await asyncio.wait([self._hold, client.gone], return_when=asyncio.FIRST_COMPLETED)
            entry.held_s = time.monotonic() - since
        return not client.gone.done()

    async def _turn_over(self, turn: int) -> None:
        """Run the callback in a thread of its own, so that the gateway goes on meanwhile."""
        if not self._on_turn or self.stopped:
            return
        since = self._holding_since = time.monotonic()
        try:
            decision = await asyncio.to_thread(self._on_turn, turn)
        except Exception as error:  # noqa: BLE001 -- raised again where the gateway is left
            self.fault = error
            decision = "stop"
        self._held_s += time.monotonic() - since
        self._holding_since = None
        if decision == "stop":
            self.stopped = self.stopped or "stop"

    def _cause(self, entry: Entry, *, readable: bool) -> str | None:
        """Return why a request is not sent on, if there is a reason."""
        self.stopped = self.stopped or self._end(entry)
        if self.stopped:
            return self.stopped
        if not readable:
            return "unreadable"
        return None if entry.model in self._policy.models else "model"

    def _end(self, entry: Entry) -> str | None:
        """Return why nothing is sent on from here, if there is a reason."""
        policy = self._policy
        told = (each.usage for each in self._ledger.exchanges())
        usage = [each for each in told if each and each.model in policy.models]
        if entry.kind == "main" and _reached(self.turns.ended, policy.max_turns):
            return "max_turns"
        prices = None if policy.max_cost_usd is None else policy.prices
        if prices and _reached(prices.least(usage), policy.max_cost_usd):
            return "max_cost"
        return None

    async def _passed(self, client: Client, raw: bytes, entry: Entry) -> None:
        """Send a request on until its answer has passed, or the agent goes away."""
        entry.sent_at = time.monotonic()
        forward = asyncio.create_task(self._forward(client, raw, entry))
        try:
            await asyncio.wait([forward, client.gone], return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not forward.done():
                entry.error = None if entry.heard.complete else "gone"
                forward.cancel()
            await asyncio.wait([forward])
            self._ledger.close(entry)
            self._see_who_answered(entry)
        if not forward.cancelled() and await forward:
            await client.end()

    def _see_who_answered(self, entry: Entry) -> None:
        """Stop what another model than the pinned one has part in, the last answer included."""
        usage = entry.exchange().usage
        if usage and usage.model not in self._policy.models:
            self.stopped = self.stopped or "model"

    async def _forward(self, client: Client, raw: bytes, entry: Entry) -> bool:
        """Pass one answer; return whether it came to its end."""
        target = client.target.removeprefix(self._shape.prefix)
        headers = self._line.upstream.sent(client.headers)
        try:
            async with self._line.asked(client.method, target, headers, raw) as answer:
                entry.status = answer.status
                await self._hear(client, answer, entry)
        except (*FAULTS, TooLong) as fault:
            if not entry.heard.complete:
                entry.error = "unreachable" if isinstance(fault, UNSENT) else "broken"
                entry.heard.status = NOT_THERE
            if entry.status is None:
                entry.status = NOT_THERE
                await client.answer(NOT_THERE, {"error": {"message": "the model API is not there"}})
            return False
        return True

    async def _hear(self, client: Client, answer: Answer, entry: Entry) -> None:
        """Pass an answer as it comes and hear it, each piece before the agent can."""
        streamed = any(
            name == b"content-type" and value.startswith(STREAM) for name, value in answer.headers
        )
        listener = Listener(self._shape, entry.heard, streamed=streamed)
        kept = [(name, value) for name, value in answer.headers if name not in UNRETURNED]
        main = entry.kind == "main" and answer.status in GOOD
        await client.start(answer.status, kept)
        if not streamed:
            whole = bytearray()
            async for piece in answer.pieces:
                listener.feed(piece)
                whole += piece
            listener.end()
            if main:
                self.turns.answered(complete=entry.heard.complete)
            await client.piece(bytes(whole))
            return
        async for piece in answer.pieces:
            listener.feed(piece)
            if main:
                self.turns.answered(complete=entry.heard.complete)
            await client.piece(piece)


def _reached(value: float, most: float | None) -> bool:
    return most is not None and value >= most


def _object(raw: bytes) -> dict[str, Any]:
    """Return the object of a request that reads alike everywhere; empty when it is none."""
    try:
        body = json.loads(raw.decode(), object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that stands twice: we would heed one and the model API perhaps the other."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found
