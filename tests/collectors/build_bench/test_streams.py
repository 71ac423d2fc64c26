"""Server-sent events are read as the standard says, and every wait for them has an end."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable

import pytest

from collectors.build_bench.grounds import Host
from collectors.build_bench.service import Place, Service
from collectors.build_bench.suites.api import Api, Failed
from collectors.build_bench.suites.streams import Comment, Event, Item, Parser, reading, unread
from tests.collectors.build_bench.services import script

ONE, TWO = Event("message", "1", ""), Event("message", "2", "")
CASES: dict[str, tuple[bytes, list[Item]]] = {
    "data alone": (b"data: 1\n\n", [ONE]),
    "all fields": (b"id: 7\nevent: order\ndata: {}\n\n", [Event("order", "{}", "7")]),
    "data of several lines": (b"data: a\ndata\ndata:  b\n\n", [Event("message", "a\n\n b", "")]),
    "CRLF": (b"event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", [Event("a", "1", ""), TWO]),
    "CR": (b"data: 1\r\rdata: 2\r\r", [ONE, TWO]),
    "mixed line ends": (b"data: 1\r\n\ndata: 2\n\r\n", [ONE, TWO]),
    "comments": (b": beat\n:\ndata: 1\n\n", [Comment("beat"), Comment(""), ONE]),
    "an id stays": (b"id: 3\ndata: 1\n\ndata: 2\n\n", [Event("message", n, "3") for n in "12"]),
    "an id alone": (b"id: 3\n\ndata: 1\n\n", [Event("message", "1", "3")]),
    "an id with a zero byte": (b"id: 3\0\ndata: 1\n\n", [ONE]),
    "no data, no event": (b"event: order\n\ndata: 1\n\n", [ONE]),
    "other fields": (b"retry: 10\nfoo: bar\ndata: 1\n\n", [ONE]),
    "byte order mark": (b"\xef\xbb\xbfdata: 1\n\n", [ONE]),
    "beyond ASCII": ("data: é€😀\n\n".encode(), [Event("message", "é€😀", "")]),
    "an event that is not ended": (b"data: 1\n\ndata: 2\n", [ONE]),
}


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
@pytest.mark.parametrize(("text", "wanted"), CASES.values(), ids=CASES)
def test_chunks_of_any_size_become_the_same_events(
    text: bytes, wanted: list[Item], size: int
) -> None:
    parser = Parser()
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    assert [item for chunk in chunks for item in parser.feed(chunk)] == wanted


def test_an_event_is_there_with_its_last_byte() -> None:
    parser = Parser()
    assert parser.feed(b"data: 1\r\n") == []
    assert parser.feed(b"\r") == [ONE]
    assert parser.feed(b"\n") == []


SERVICE = """
import os, socketserver, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        kind = "text/html" if self.path == "/page" else "text/event-stream"
        if self.path == "/never":
            time.sleep(30)
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()
        if self.path == "/told":
            said = self.headers.get("last-event-id", "none")
            self.wfile.write(f": hello\\n\\ndata: {said}\\n\\n".encode())
            time.sleep(1)
            self.wfile.write(b"data: late\\n\\n")
        if self.path == "/beats":
            for _ in range(30):
                self.wfile.write(b":\\n\\n")
                time.sleep(0.1)

server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler)
server.daemon_threads = True
server.serve_forever()
"""


def run(place: Place, body: Callable[[Api], Awaitable[None]]) -> None:
    script(place, "start.sh", f"exec {sys.executable} -S serve.py 2>/dev/null")
    (place.work / "serve.py").write_text(SERVICE, "utf-8")

    async def within() -> None:
        async with Service(place, (), Host()) as service:
            await service.boot()
            await body(Api(service))

    asyncio.run(within())


def test_a_stream_is_read_with_its_last_id_and_ends(place: Place) -> None:
    async def body(api: Api) -> None:
        async with reading(api, "/told", "41") as feed:
            assert await feed.item(2) == Comment("hello")
            assert await feed.event() == Event("message", "41", "")
            await feed.quiet(0.2)
            with pytest.raises(Failed, match=r"nothing within 0\.2 s"):
                await feed.item(0.2)
            with pytest.raises(Failed, match="has an event message"):
                await feed.quiet(5)
            with pytest.raises(Failed, match="has ended"):
                await feed.event()
        async with reading(api, "/told") as feed:
            assert await feed.event() == Event("message", "none", "")

    run(place, body)


def test_comments_are_no_event_and_do_not_prolong_the_wait_for_one(place: Place) -> None:
    async def body(api: Api) -> None:
        async with reading(api, "/beats") as feed:
            began = time.monotonic()
            with pytest.raises(Failed, match=r"no event within 0\.5 s"):
                await feed.event(0.5)
            assert time.monotonic() - began < 1.5
            await feed.quiet(0.3)

    run(place, body)


def test_what_is_no_stream_or_does_not_begin_is_told(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collectors.build_bench.suites.streams.REQUEST_S", 0.5)

    async def body(api: Api) -> None:
        with pytest.raises(Failed, match="200 text/html instead of an event stream"):
            async with reading(api, "/page"):
                pass
        with pytest.raises(Failed, match=r"GET /never: no answer within 0\.5 s"):
            async with unread(api, "/never"):
                pass

    run(place, body)
