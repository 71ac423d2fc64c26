"""Calls of a server's tools, in memory and by way of a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import anyio
from mcp import Client
from mcp.types import CallToolResult, TextContent, Tool

Progress = Callable[[float, float | None, str | None], None]


def call(server: Any, name: str, /, **arguments: Any) -> CallToolResult:
    """Call one tool of a server, which lives on."""
    return watched(server, lambda *_: None, name, **arguments)


def watched(server: Any, heard: Progress, name: str, /, **arguments: Any) -> CallToolResult:
    """Call one tool, and hear of its progress."""

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard(progress, total, message)

    async def go() -> CallToolResult:
        async with Client(server) as client:
            return await client.call_tool(name, arguments, progress_callback=hear)

    return anyio.run(go)


def tools(server: Any) -> Mapping[str, Tool]:
    """Return a server's tools by name."""

    async def go() -> Mapping[str, Tool]:
        async with Client(server) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    return anyio.run(go)


def text(result: CallToolResult) -> str:
    """Return what a result says to a reader."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def data(result: CallToolResult) -> dict[str, Any]:
    """Return a result's data; the call must not have failed."""
    assert not result.is_error, text(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def refused(result: CallToolResult) -> str:
    """Return the one sentence of a call that failed as it should."""
    said = text(result)
    assert result.is_error, said
    assert "Traceback" not in said
    assert "Error executing" not in said
    return said
