"""Pages are opened in a browser of their own; what goes wrong on them is noted."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.build_bench.grounds import Host
from collectors.build_bench.service import Place, Service
from collectors.build_bench.suites import chromium, pages
from collectors.build_bench.suites.api import Failed
from collectors.build_bench.suites.pages import Front, Stage, shown, staged
from tests.collectors.build_bench.services import healthy, script

PAGE = """<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,">
<p data-testid="connection-status">live</p>
<ul><li data-testid="order-row" data-order-id="a" data-status="paid">shown
<li data-testid="order-row" data-order-id="b" data-status="paid" hidden>hidden
<li data-testid="order-row" data-order-id="c" data-status="paid" style="visibility: hidden">hidden
</ul>
<script>
const act = {
    logged: () => console.error("broken"),
    raised: () => setTimeout(() => { throw new Error("thrown") }),
    answered: () => fetch("/nothing"),
    elsewhere: () => fetch("http://elsewhere.example/x").catch(() => {}),
};
</script>"""
SERVICE = """
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(404 if self.path == "/nothing" else 200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(open("page.html", "rb").read())

server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler)
server.daemon_threads = True
server.serve_forever()
"""


def run(place: Place, body: Callable[[Stage], Awaitable[None]]) -> None:
    script(place, "start.sh", f"exec {sys.executable} -S serve.py 2>/dev/null")
    (place.work / "serve.py").write_text(SERVICE, "utf-8")
    (place.work / "page.html").write_text(PAGE, "utf-8")

    async def within() -> None:
        async with Service(place, (), Host()) as service:
            await service.boot()
            async with staged(service) as stage:
                await body(stage)

    asyncio.run(within())


@pytest.mark.browser
def test_a_page_is_read_and_its_faults_are_noted(place: Place) -> None:
    async def body(stage: Stage) -> None:
        async with stage.visit() as visit:
            assert visit.faults == []
            assert await visit.rows() == [{"id": "a", "status": "paid", "text": "shown"}]
            for name, words in {
                "logged": "logged: broken",
                "raised": "raised: thrown",
                "answered": f"answered 404: {stage.front.address}/nothing",
                "elsewhere": "asked elsewhere: http://elsewhere.example/x",
            }.items():
                visit.faults.clear()
                await visit.page.evaluate(f"act.{name}()")

                async def noted(words: str = words) -> bool:
                    return words in visit.faults

                await shown(name, noted, wanted=True)
            with pytest.raises(Failed, match="connection-status is 'live' instead of 'gone'"):
                await visit.says("connection-status", "gone", 0.2)

    run(place, body)


@pytest.mark.browser
def test_the_address_of_a_page_outlives_a_break_and_a_restart(place: Place) -> None:
    async def body(stage: Stage) -> None:
        async with stage.visit() as visit:
            before, port = stage.front.address, stage.target.client.base_url.port
            reached = "fetch('/').then(() => true, () => false)"
            assert await visit.page.evaluate(reached)
            stage.front.cut()
            assert not await visit.page.evaluate(reached)
            await stage.restart()
            stage.front.mend()
            assert await visit.page.evaluate(reached)
            assert stage.front.address == before
            assert stage.target.client.base_url.port != port

    run(place, body)


def test_a_front_takes_no_connection_while_it_is_cut_or_the_service_is_gone(place: Place) -> None:
    healthy(place)

    async def got(front: Front) -> bytes:
        reader, writer = await asyncio.open_unix_connection(front.socket)
        writer.write(b"GET /health HTTP/1.0\r\n\r\n")
        try:
            return await reader.readline()
        except ConnectionError:
            return b""
        finally:
            writer.close()

    async def within() -> None:
        async with Service(place, (), Host()) as service:
            await service.boot()
            with Front(service) as front:
                assert b" 200 " in await got(front)
                front.cut()
                with pytest.raises(ConnectionRefusedError):
                    await got(front)
                front.mend()
                assert b" 200 " in await got(front)
                await service.stop()
                assert await got(front) == b""

    asyncio.run(within())


def test_what_is_lacking_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "CHROMIUM", "no-such-browser")
    assert pages.lacking() == "no-such-browser is not on PATH"
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert "benchdata[render]" in str(pages.lacking())


@pytest.mark.browser
def test_a_browser_that_does_not_start_is_an_error_and_no_verdict(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    broken.chmod(0o755)
    monkeypatch.setattr(chromium, "CHROMIUM", str(broken))

    async def never(_: Stage) -> None:
        raise AssertionError

    with pytest.raises(BenchdataError, match="cannot be started"):
        run(place, never)
