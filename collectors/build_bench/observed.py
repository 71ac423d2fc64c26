"""A ground that remembers the programs that were started on it, and every refusal of theirs."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from collectors.build_bench.grounds import Ground, Tree

REFUSALS = range(400, 500)


@dataclass(slots=True)
class Observed:
    """Another ground with a memory; `refused` are the answers with a 4xx status."""

    ground: Ground
    trees: list[Tree] = field(default_factory=list)
    refused: list[httpx.Response] = field(default_factory=list)

    def start(
        self, argv: Sequence[str], environment: Mapping[str, str], folder: Path, output: Path
    ) -> Tree:
        """Start a program there.

        Raises:
            OSError: It cannot be started.
        """
        tree = ObservedTree(self.ground.start(argv, environment, folder, output), self.refused)
        self.trees.append(tree)
        return tree

    def port(self) -> int:
        """Return a port that no service has."""
        return self.ground.port()

    def inside(self, path: Path) -> str:
        """Return the name that a path has for the programs."""
        return self.ground.inside(path)


@dataclass(frozen=True, slots=True)
class ObservedTree:
    """A tree whose refusals are noted."""

    tree: Tree
    refused: list[httpx.Response]

    def exit_code(self) -> int | None:
        """Return the exit code of the program, or None while it runs."""
        return self.tree.exit_code()

    def transport(self, port: int) -> httpx.AsyncBaseTransport:
        """Return the way to a loopback port of the program, open until it is killed."""
        return _Transport(self.tree.transport(port), self.refused)

    def connect(self, port: int) -> socket.socket:
        """Return a connection to a loopback port of the program; what it carries is not noted.

        Raises:
            OSError: Nothing accepts one there.
        """
        return self.tree.connect(port)

    def terminate(self) -> None:
        """Ask the program to end."""
        self.tree.terminate()

    def kill(self) -> None:
        """End all of it at once; nothing is left of it when this returns."""
        self.tree.kill()


@dataclass(frozen=True, slots=True)
class _Transport(httpx.AsyncBaseTransport):
    way: httpx.AsyncBaseTransport
    refused: list[httpx.Response]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self.way.handle_async_request(request)
        if response.status_code in REFUSALS:
            response.request = request
            await response.aread()
            self.refused.append(response)
        return response

    async def aclose(self) -> None:
        await self.way.aclose()
