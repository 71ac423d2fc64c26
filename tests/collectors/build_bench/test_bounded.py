"""Answers that would fill our memory are faults of the service, and the next one is read."""

from __future__ import annotations

import asyncio
import sys
import tracemalloc
from pathlib import Path

import pytest

from collectors.build_bench.bounded import LARGEST
from collectors.build_bench.confined import Confined
from collectors.build_bench.grounds import Ground, Host
from collectors.build_bench.service import Place, Service
from collectors.build_bench.suites.api import Api, Failed
from collectors.harness.sandbox.probe import choose
from tests.collectors.build_bench.services import script

HOSTILE = """
import gzip, json, os
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        if self.path == "/packed":
            body = gzip.compress(bytes(64 * 1024 * 1024))
            self.send_header("content-encoding", "gzip")
        else:
            body = json.dumps({"wanted": self.headers["accept-encoding"]}).encode()
        kind = "text/event-stream" if self.path == "/events" else "application/json"
        self.send_header("content-type", kind)
        self.end_headers()
        if self.path == "/large":
            body = b" " * (LARGEST - len(body)) + body
        if self.path in ("/larger", "/events"):
            body = b" " * LARGEST + body
        self.wfile.write(body)
        while self.path == "/endless":
            self.wfile.write(body)

HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""


@pytest.fixture(params=["host", "confined"])
def ground(request: pytest.FixtureRequest, place: Place) -> Ground:
    """Each ground that a service can stand on."""
    shown = (Path(sys.base_prefix).resolve(),)
    return Host() if request.param == "host" else Confined(choose(), place, shown)


def test_what_is_too_large_or_packed_is_not_read(place: Place, ground: Ground) -> None:
    script(place, "start.sh", f"exec {Path(sys.executable).resolve()} -S serve.py")
    (place.work / "serve.py").write_text(f"LARGEST = {LARGEST}\n{HOSTILE}", "utf-8")

    async def asked() -> None:
        async with Service(place, (), ground) as running:
            await running.boot()
            api = Api(running)
            for path, words in (
                ("/endless", f"larger than {LARGEST:,} bytes"),
                ("/larger", f"larger than {LARGEST:,} bytes"),
                ("/packed", "packed as gzip, not asked for"),
            ):
                with pytest.raises(Failed, match=words):
                    await api.get(path)
            assert len((await api.get("/events")).text) > LARGEST
            for path in ("/large", "/"):
                assert (await api.get(path)).object(200) == {"wanted": "identity"}

    tracemalloc.start()
    try:
        asyncio.run(asked())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 8 * LARGEST
