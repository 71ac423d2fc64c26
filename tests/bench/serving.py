"""How many shared results a second a server accepts, each on disk, against an echo.

The echo is a bare Starlette that reads a body and sends it back, with the same settings of uvicorn.
Client and servers share the machine's cores; the same client asks both, in turns, and of each its
fastest round counts. The CPU time of a post, of all rounds, depends least on what else is running.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from benchdata.server.routes import RESULT
from tests.bench.measure import cpu_seconds_of
from tests.support.serving import Serving, numbered, stored

CONNECTIONS = 16
SECONDS = 4.0
ROUNDS = 3
LEAST_RATE = 300


def main() -> None:
    """Print both rates and their ratio."""
    numbers = count()
    with tempfile.TemporaryDirectory(prefix="benchdata-bench-") as name:
        with _echo() as (echo, port), Serving(Path(name, "data")) as server:
            ours, theirs = Side(server.process.pid, server.port), Side(echo, port)
            for _ in range(ROUNDS):
                ours.ask(numbers)
                theirs.ask(numbers)
            costs = {side: side.cpu_ms() for side in (ours, theirs)}
        if len({*stored(server.file)}) != ours.posts:
            raise SystemExit("the file does not hold what was accepted")
    print(f"{CONNECTIONS} connections, {ROUNDS} rounds of {SECONDS:g} s each, the fastest counts")
    print(f"{'case':10} {'posts/s':>8} {'cpu ms':>7}")
    for case, side in (("echo", theirs), ("accepted", ours)):
        print(f"{case:10} {max(side.rates):8.0f} {costs[side]:7.2f}")
    rate = max(ours.rates)
    held = "at least" if rate >= LEAST_RATE else "BELOW"
    print(f"  accepted / echo = {rate / max(theirs.rates):.2f}; {held} {LEAST_RATE} posts/s")


class Side:
    """One of the two servers: what it was asked so far, and how fast it answered."""

    def __init__(self, pid: int, port: int) -> None:
        self._pid = pid
        self._port = port
        self._before = cpu_seconds_of(pid)
        self.posts = 0
        self.rates: list[float] = []

    def ask(self, numbers: Iterator[int]) -> None:
        """Send rows for one round."""
        posts, seconds = asyncio.run(_load(self._port, numbers))
        self.posts += posts
        self.rates.append(posts / seconds)

    def cpu_ms(self) -> float:
        """Return the CPU time of one post."""
        return 1000 * (cpu_seconds_of(self._pid) - self._before) / self.posts


async def _load(port: int, numbers: Iterator[int]) -> tuple[int, float]:
    """Return how many posts were answered with 200, and in how many seconds."""
    before = time.perf_counter()
    over = before + SECONDS
    counts = await asyncio.gather(*(_post(port, numbers, over) for _ in range(CONNECTIONS)))
    return sum(counts), time.perf_counter() - before


async def _post(port: int, numbers: Iterator[int], over: float) -> int:
    """Send one row after the other on one connection until it is over."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    done = 0
    while time.perf_counter() < over:
        _, body = numbered(next(numbers))
        head = f"POST {RESULT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"a post was answered {answer.splitlines()[0].decode()}")
        await reader.readexactly(int(answer.partition(b"content-length: ")[2].split()[0]))
        done += 1
    writer.close()
    await writer.wait_closed()
    return done


@contextmanager
def _echo() -> Iterator[tuple[int, int]]:
    """Run the echo in a process of its own, and yield its id and port."""
    command = [sys.executable, "-m", "tests.bench.serving", "echo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.pid, int(process.stdout.readline())
        finally:
            process.terminate()


def _serve_echo() -> None:
    import socket

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from benchdata.server.running import serve

    async def echo(request: Request) -> Response:
        return Response(await request.body(), media_type="application/json")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        serve(Starlette(routes=[Route(RESULT, echo, methods=["POST"])]), listener)


if __name__ == "__main__":
    run: Callable[[], None] = _serve_echo if sys.argv[1:] == ["echo"] else main
    run()
