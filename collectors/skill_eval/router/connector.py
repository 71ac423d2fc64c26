"""An MCP connector, given by a command or a URL, and how it is told that this is a benchmark."""

from __future__ import annotations

import logging
import math
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TextIO
from urllib.parse import urlsplit

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import Implementation, Tool
from pydantic import ValidationError

import benchdata
from benchdata.errors import BenchdataError, InputError, shorten
from collectors.harness import endpoints
from collectors.harness.billing import LEADING

TAG = "edge-cli/router-benchmark"
"""The name of the client and, of a URL, the user agent."""
TAGGED = "EDGE_CLIENT"
"""The variable that holds the tag for a command."""
TOKEN = "BENCHDATA_CONNECTOR_TOKEN"
"""The variable that holds what a URL wants as `Authorization: Bearer`."""
SEARCH, LOAD = "find_skill", "use_skill"
"""The tools that a connector must have."""
START_S = 60.0
CALL_S = 120.0
MOST_PAGES, MOST_TOOLS = 50, 1_000
FAULTS = (OSError, MCPError, ValidationError, httpx2.HTTPError, ExceptionGroup)
for logger in ("mcp", "client"):  # else a connector that is amiss is quoted in tracebacks
    logging.getLogger(logger).addHandler(logging.NullHandler())
LOOKS_LIKE_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Connector:
    """Either the words of a command or a URL."""

    command: tuple[str, ...] = ()
    url: str = ""

    @property
    def shown(self) -> str:
        """What a plan calls it: neither its arguments nor its query, which may hold a secret."""
        if not self.url:
            return os.path.basename(self.command[0])  # noqa: PTH119 -- a word, no path
        return endpoints.shown(self.url)


@dataclass(frozen=True, slots=True)
class Session:
    """A connector that answers: its client, what it says of itself, and its tools."""

    client: Client
    name: str
    version: str
    instructions: str | None
    tools: tuple[Tool, ...]


def parse(text: str) -> Connector:
    """Return the connector that an argument names.

    Raises:
        InputError: It is neither a URL of HTTP nor a command that is installed.
    """
    if LOOKS_LIKE_URL.match(text):
        parts = urlsplit(text)
        if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
            raise InputError("connector: a URL must begin with http:// or https://HOST")
        return Connector(url=text)
    try:
        words = shlex.split(text)
    except ValueError as fault:
        raise InputError(f"connector: {str(fault).lower()} in the command") from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        named = f" `{shorten(words[0], 80)}`" if words else ""
        raise InputError(f"connector: the command{named} is not found; install it, or give a URL")
    return Connector((os.path.abspath(program), *words[1:]))  # noqa: PTH100 -- follows no link


def described(connector: Connector, environment: Mapping[str, str]) -> Session:
    """Return what a connector says of itself; its client is closed.

    Raises:
        BenchdataError: As `connected`.
    """

    async def ask() -> Session:
        async with connected(connector, environment) as session:
            return session

    return anyio.run(ask)


@asynccontextmanager
async def connected(connector: Connector, environment: Mapping[str, str]) -> AsyncIterator[Session]:
    """Start or reach a connector, and end what was started.

    A command runs in an empty folder of its own, with the caller's environment but for what an
    agent would pay with.

    Raises:
        BenchdataError: It does not answer in time, or lacks a tool that is needed.
    """
    fault: BenchdataError | None = None
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
        tempfile.TemporaryDirectory(prefix="connector-") as folder,
        anyio.CancelScope(deadline=anyio.current_time() + START_S) as scope,
    ):
        async with AsyncExitStack() as stack:
            try:
                client = await stack.enter_async_context(
                    await _client(stack, connector, environment, said, folder)
                )
                session = await _session(client, connector)
            except BenchdataError as refusal:  # raised outside, where no group of tasks wraps it
                fault = refusal
            except FAULTS as silence:
                fault = _silent(connector, _last(said) or _words(silence))
            else:
                scope.deadline = math.inf
                yield session
    if scope.cancelled_caught:
        fault = _silent(connector, f"not within {START_S:g} s")
    if fault is not None:
        raise fault


async def _session(client: Client, connector: Connector) -> Session:
    """Return what a connector says of itself, or raise BenchdataError."""
    tools = await _tools(client)
    if missing := {SEARCH, LOAD} - {tool.name for tool in tools}:
        raise BenchdataError(f"connector {connector.shown}: has no tool {min(missing)}")
    told = client.server_info or Implementation(name=connector.shown, version="unknown")
    return Session(client, told.name, told.version, client.instructions, tools)


async def _client(
    stack: AsyncExitStack,
    connector: Connector,
    environment: Mapping[str, str],
    said: TextIO,
    folder: str,
) -> Client:
    """Return the client of a connector, tagged; `said` gets what a command says besides."""
    info = Implementation(name=TAG, version=benchdata.__version__)
    if connector.url:
        headers = {"User-Agent": TAG}
        if token := environment.get(TOKEN):
            headers["Authorization"] = f"Bearer {token}"
        http = await stack.enter_async_context(
            httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(START_S, read=CALL_S))
        )
        return Client(streamable_http_client(connector.url, http_client=http), client_info=info)
    kept = {name: text for name, text in environment.items() if not LEADING.fullmatch(name)}
    kept.pop(TOKEN, None)
    program, *rest = connector.command
    started = StdioServerParameters(
        command=program, args=rest, env={**kept, TAGGED: TAG}, cwd=folder
    )
    return Client(stdio_client(started, errlog=said), client_info=info)


async def _tools(client: Client) -> tuple[Tool, ...]:
    """Return the tools of all pages, or raise BenchdataError."""
    tools: list[Tool] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None and len(tools) <= MOST_TOOLS:
            return tuple(tools)
    raise BenchdataError(f"connector: lists more than {MOST_TOOLS:,} tools, or pages without end")


def _silent(connector: Connector, reason: str) -> BenchdataError:
    return BenchdataError(f"connector {connector.shown}: does not answer: {shorten(reason)}")


def _last(said: TextIO) -> str:
    """Return the last line of what a command said of itself."""
    said.seek(0)
    return said.read().strip().rpartition("\n")[2]


def _words(fault: BaseException) -> str:
    """Return what the first of several faults says."""
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    return str(fault) or type(fault).__name__
