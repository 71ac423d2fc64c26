"""A stand-in for the catalog of skills: its search, and the repositories that it names."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

OWNER = "acme/skills"
HEAD = "---\nname: {name}\ndescription: Says how {name} is done.\n---\n{body}\n"


def mirror(folder: Path, bodies: Mapping[str, str], repository: str = OWNER) -> Path:
    """Write a repository of skills, each with a reference beside it, and return the mirror."""
    for name, body in bodies.items():
        place = folder / repository / name
        (place / "references").mkdir(parents=True)
        (place / "SKILL.md").write_text(HEAD.format(name=name, body=body))
        (place / "references" / "more.md").write_text(f"MORE-OF-{name}\n")
    return folder


@dataclass
class Catalog:
    """A catalog that runs: where it is, what it lists, and the queries that it was asked.

    It lists names with their installs. With `answer` set it says just that, with `status`. After so
    many `answers` it has an outage.
    """

    listed: Mapping[str, int]
    url: str = ""
    answer: bytes | None = None
    status: int = 200
    answers: int | None = None
    queries: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)

    def found(self, query: str) -> bytes:
        """Return the answer to a query: all that is listed."""
        self.queries.append(query)
        if self.answer is not None:
            return self.answer
        skills = [
            {"id": f"{OWNER}/{name}", "name": name, "source": OWNER, "installs": installs}
            for name, installs in self.listed.items()
        ]
        return json.dumps({"skills": skills, "query": query}).encode()


class _Handler(BaseHTTPRequestHandler):
    server: _Loopback

    def do_GET(self) -> None:
        catalog = self.server.catalog
        catalog.agents.append(self.headers.get("User-Agent", ""))
        url = urlsplit(self.path)
        known = url.path == "/api/search"
        body = catalog.found(parse_qs(url.query)["q"][0]) if known else b"{}"
        out = catalog.answers is not None and len(catalog.queries) > catalog.answers
        self.send_response((503 if out else catalog.status) if known else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


class _Loopback(ThreadingHTTPServer):
    daemon_threads = True
    catalog: Catalog


@contextmanager
def serving(listed: Mapping[str, int]) -> Iterator[Catalog]:
    """Run a catalog of skills and their installs on a free port of the loopback interface."""
    with _Loopback(("127.0.0.1", 0), _Handler) as http:
        http.catalog = Catalog(listed, f"http://127.0.0.1:{http.server_address[1]}")
        thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield http.catalog
        finally:
            http.shutdown()
            thread.join()
