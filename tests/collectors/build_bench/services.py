"""Small services made by tests: each misbehaves in one way."""

from __future__ import annotations

import sys

from collectors.build_bench.service import Place

HEALTHY = """
import os, signal, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'{"pid": %d}' % os.getpid()
        self.send_response(200 if self.path == "/health" else 404)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

print("listening", flush=True)
HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""


def script(place: Place, name: str, text: str) -> None:
    """Write an executable shell script into a work folder."""
    path = place.work / name
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)


def healthy(place: Place, before: str = "", *, inline: bool = True) -> None:
    """Write a service that answers /health; `before` are lines of its start script."""
    script(place, "start.sh", f"{before}\n{'exec ' if inline else ''}{sys.executable} -S serve.py")
    (place.work / "serve.py").write_text(HEALTHY, "utf-8")
