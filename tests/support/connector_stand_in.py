"""A stand-in for a connector: an MCP server that finds skills and gives them out.

    python -m tests.support.connector_stand_in FILE             # at standard input and output
    with serving(FILE) as url: ...                              # at a URL of this machine

FILE is JSON: `skills` with id, name, description and body; `form` of the answers (`both`, `json`,
`markdown`); `notes`, a file that gets a line of JSON for each client and call. Its tools come in
two pages. `use_skill` of the skill `boom` ends the process, of `sleepy` never answers, of `huge`
answers with megabytes, and of `broken` is an error of the protocol.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server as McpServer
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

from collectors.harness.gateway.answering import answering
from collectors.harness.gateway.asgi import Message, Receive, Send
from collectors.harness.gateway.server import Server

OBJECT: dict[str, Any] = {"type": "object"}
QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
SKILL = {"type": "object", "properties": {"skill": {"type": ["string", "integer"]}}}
FOUND = {"type": "object", "required": ["skills"]}
PAGES = (
    (Tool(name="find_skill", description="Finds skills.", input_schema=QUERY),),
    (
        Tool(name="use_skill", description="Gives a skill.", input_schema=SKILL),
        Tool(name="status", description="Says how it is.", input_schema=OBJECT),
    ),
)
INSTRUCTIONS = "Search for a skill before you begin."


class StandIn:
    """The server of a file's skills."""

    def __init__(self, file: Path) -> None:
        self.told = json.loads(file.read_text())
        self.server: McpServer[Any] = McpServer(
            "stand-in",
            version="1.2.3",
            instructions=INSTRUCTIONS,
            on_list_tools=self.listed,
            on_call_tool=self.called,
        )

    def note(self, **facts: Any) -> None:
        """Write down what came."""
        with Path(self.told["notes"]).open("a") as file:
            file.write(json.dumps(facts) + "\n")

    async def listed(
        self, _: ServerRequestContext[Any], asked: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """Return one page of the tools."""
        number = int(asked.cursor) if asked and asked.cursor else 0
        following = str(number + 1) if number + 1 < len(PAGES) else None
        schema = FOUND if self.told.get("form", "both") == "both" else None
        tools = [
            tool.model_copy(update={"output_schema": schema}) if tool.name == "find_skill" else tool
            for tool in PAGES[number]
        ]
        return ListToolsResult(tools=tools, next_cursor=following)

    async def called(
        self, context: ServerRequestContext[Any], asked: CallToolRequestParams
    ) -> CallToolResult:
        """Answer a call."""
        given = asked.arguments or {}
        client = context.session.client_params
        request = context.request
        self.note(
            tool=asked.name,
            given=given,
            client=client.client_info.name if client and client.client_info else None,
            variable=os.environ.get("EDGE_CLIENT"),
            secret=os.environ.get("ANTHROPIC_API_KEY"),
            headers=dict(request.headers) if request is not None else {},
        )
        if asked.name == "find_skill":
            return self._found()
        if asked.name == "use_skill":
            return await self._used(given.get("skill"))
        return _text("fine, and slide-maker is fine too")

    def _found(self) -> CallToolResult:
        skills = [
            {key: each[key] for key in ("id", "name", "description")}
            for each in self.told["skills"]
        ]
        match self.told.get("form", "both"):
            case "markdown":
                lines = (f"- **{each['name']}**: {each['description']}" for each in skills)
                return _text("\n".join(("# Found", "", *lines)))
            case "json":
                return _text(json.dumps({"skills": skills}))
        return CallToolResult(
            content=[TextContent(type="text", text=json.dumps({"skills": skills}))],
            structured_content={"skills": skills},
        )

    async def _used(self, wanted: Any) -> CallToolResult:
        match wanted:
            case "boom":
                os._exit(3)
            case "sleepy":
                await anyio.sleep_forever()
            case "huge":
                return _text("x" * 3_000_000)
            case "broken":
                raise MCPError(-32042, "it broke as told")
        for each in self.told["skills"]:
            if wanted in {each["id"], each["name"]}:
                return _text(f"---\nname: {each['name']}\n---\n{each['body']}")
        return CallToolResult(
            content=[TextContent(type="text", text=f"no skill {wanted}")], is_error=True
        )


def _text(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)])


class _Served(Server):
    def __init__(self, file: Path) -> None:
        self.manager = StreamableHTTPSessionManager(app=StandIn(file).server)
        super().__init__()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        await self.manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def serving(self, listeners: list[socket.socket]) -> AsyncIterator[None]:
        async with self.manager.run(), answering(self, listeners):
            yield


@contextmanager
def serving(file: Path) -> Iterator[str]:
    """Serve a file's skills at the URL that is yielded."""
    with _Served(file) as served:
        yield f"{served.url}/mcp"


async def main(file: Path) -> None:
    """Serve at standard input and output."""
    found = StandIn(file)
    async with stdio_server() as (reading, writing):
        await found.server.run(reading, writing, found.server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main, Path(sys.argv[1]))
