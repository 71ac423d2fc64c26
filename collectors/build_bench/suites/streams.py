"""Server-sent events as a reader gets them: a parser, and streams read with their own deadlines."""

from __future__ import annotations

import asyncio
import codecs
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import httpx

from collectors.build_bench.suites.api import REQUEST_S, Api, Failed

DELIVERY_S = 2.0
"""From a change to its event at every reader."""
LINE_END = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Event:
    """One event; `id` is that of the last event that had one."""

    name: str
    data: str
    id: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A line that is for nobody; it shows that the stream is alive."""

    text: str


Item = Event | Comment


class Parser:
    """Makes events and comments of bytes, whatever chunks they come in.

    Source: HTML Living Standard, section 9.2.6.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._after_return = False
        self._rest = ""
        self._name, self._id = "", ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[Item]:
        """Take some bytes and return what they complete."""
        decoded = self._decoder.decode(chunk)
        if not decoded:
            return []
        text = decoded.removeprefix("\n") if self._after_return else decoded
        self._after_return = decoded.endswith("\r")
        *lines, self._rest = LINE_END.split(self._rest + text)
        return [item for line in lines if (item := self._taken(line)) is not None]

    def _taken(self, line: str) -> Item | None:
        if not line:
            return self._dispatched()
        if line.startswith(":"):
            return Comment(line[1:].strip())
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match field:
            case "event":
                self._name = value
            case "data":
                self._data.append(value)
            case "id" if "\0" not in value:
                self._id = value
        return None

    def _dispatched(self) -> Event | None:
        """Return the event that a blank line ends; without data there is none."""
        name, data = self._name, self._data
        self._name, self._data = "", []
        return Event(name or "message", "\n".join(data), self._id) if data else None


class Feed:
    """One open stream, read as fast as it comes; its items are handed out in their order."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._items: asyncio.Queue[Item | None] = asyncio.Queue()

    async def item(self, seconds: float) -> Item:
        """Return the next event or comment.

        Raises:
            Failed: None comes within the time, or the stream has ended.
        """
        try:
            async with asyncio.timeout(seconds):
                item = await self._items.get()
        except TimeoutError:
            raise Failed(f"the stream: nothing within {seconds:g} s") from None
        if item is None:
            raise Failed("the stream has ended")
        return item

    async def event(self, seconds: float = DELIVERY_S) -> Event:
        """Return the next event.

        Raises:
            Failed: None comes within the time, or the stream has ended.
        """
        try:
            async with asyncio.timeout(seconds):
                while not isinstance(item := await self.item(seconds), Event):
                    pass
        except TimeoutError:
            raise Failed(f"the stream: no event within {seconds:g} s") from None
        return item

    async def quiet(self, seconds: float) -> None:
        """Wait, and check that no event comes.

        Raises:
            Failed: One does, or the stream ends.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while isinstance(item := await self._items.get(), Comment):
                    pass
            said = "has ended" if item is None else f"has an event {item.name} with id {item.id}"
            raise Failed(f"the stream {said} within {seconds:g} s in which nothing changed")

    async def pump(self) -> None:
        """Read until the stream ends."""
        parser = Parser()
        with suppress(httpx.HTTPError, httpx.StreamError):
            async for chunk in self.response.aiter_bytes():
                for item in parser.feed(chunk):
                    self._items.put_nowait(item)
        self._items.put_nowait(None)


@asynccontextmanager
async def unread(api: Api, path: str, last_id: str | None = None) -> AsyncIterator[httpx.Response]:
    """Open a stream of which nothing is read but the head of the answer.

    Raises:
        Failed: It does not begin in time.
    """
    headers = {"accept": "text/event-stream"}
    if last_id is not None:
        headers["last-event-id"] = last_id
    endless = httpx.Timeout(REQUEST_S, read=None)
    client = api.target.client
    request = client.build_request("GET", path, headers=headers, timeout=endless)
    try:
        async with asyncio.timeout(REQUEST_S):
            response = await client.send(request, stream=True)
    except TimeoutError:
        raise Failed(f"GET {path}: no answer within {REQUEST_S:g} s") from None
    except httpx.HTTPError as error:
        raise Failed(f"GET {path}: {type(error).__name__}: {error}") from None
    try:
        yield response
    finally:
        await response.aclose()


@asynccontextmanager
async def reading(api: Api, path: str, last_id: str | None = None) -> AsyncIterator[Feed]:
    """Open a stream and read it in the background.

    Raises:
        Failed: It does not begin in time, or is no stream of events.
    """
    async with unread(api, path, last_id) as response:
        kind = response.headers.get("content-type", "").partition(";")[0].strip()
        if response.status_code != 200 or kind != "text/event-stream":
            raise Failed(f"GET {path}: {response.status_code} {kind} instead of an event stream")
        feed = Feed(response)
        pump = asyncio.create_task(feed.pump())
        try:
            yield feed
        finally:
            pump.cancel()
            await asyncio.wait([pump])
