"""The MCP server that an agent gets in the place of a connector: its tools, without exclusions.

Tools pass, and the server's instructions; resources, prompts and questions to the user do not.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server as McpServer
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ListToolsResult,
    PaginatedRequestParams,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
)

from collectors.harness.gateway.answering import answering
from collectors.harness.gateway.asgi import Message, Receive, Send
from collectors.harness.gateway.server import Server
from collectors.skill_eval.router import connector
from collectors.skill_eval.router.connector import CALL_S, LOAD, SEARCH, Connector, Session
from collectors.skill_eval.router.exclusion import Exclusion
from collectors.skill_eval.router.retrieval import Because, Retrieval
from collectors.skill_eval.router.sieve import Sieve, leaves

LARGEST = 2 * 1024 * 1024
"""Characters of one answer, as JSON."""
MOST_SESSIONS = 16
SAID = {"name", "title", "uri", "description"}
"""What a link tells of where it leads."""
NOTHING = "No skill was found."
REFUSED: Mapping[Because, str] = {
    "excluded": "This skill is not available.",
    "limit": "No more calls are answered.",
    "size": "The answer is too large.",
}


class Proxy(Server):
    """Serves one attempt from entering to leaving, at `address` for who knows the way.

    Raises:
        BenchdataError: The connector does not answer, when it is entered.
    """

    def __init__(
        self,
        given: Connector,
        environment: Mapping[str, str],
        exclusion: Exclusion,
        retrieval: Retrieval,
    ) -> None:
        self._connector = given
        self._environment = environment
        self._exclusion = exclusion
        self._retrieval = retrieval
        self._sieve = Sieve(exclusion)
        self._way = f"/{secrets.token_urlsafe(12)}"
        self._manager: StreamableHTTPSessionManager
        super().__init__()

    def address(self, base_url: str) -> str:
        """Return the URL of the MCP server, when this server is at `base_url`."""
        return base_url + self._way

    @asynccontextmanager
    async def serving(self, listeners: list[socket.socket]) -> AsyncIterator[None]:
        """Connect, then serve."""
        async with _held(self._connector, self._environment) as session:
            self._manager = StreamableHTTPSessionManager(
                app=self._server(session), max_sessions=MOST_SESSIONS
            )
            async with self._manager.run(), answering(self, listeners):
                yield

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer the agent."""
        if scope["path"] == self._way:
            await self._manager.handle_request(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    def _server(self, session: Session) -> McpServer[Any]:
        tools = [self._shown(tool) for tool in session.tools]

        async def listed(
            _: ServerRequestContext[Any], __: PaginatedRequestParams | None
        ) -> ListToolsResult:
            return ListToolsResult(tools=tools)

        async def called(
            _: ServerRequestContext[Any], asked: CallToolRequestParams
        ) -> CallToolResult:
            return await self._called(session, asked.name, asked.arguments or {})

        return McpServer(
            session.name,
            version=session.version,
            instructions=session.instructions and self._sieve.text(session.instructions),
            on_list_tools=listed,
            on_call_tool=called,
        )

    def _shown(self, tool: Tool) -> Tool:
        """Return a tool as the agent may see it: nothing excluded serves as an example."""
        changes: dict[str, Any] = {
            "description": tool.description and self._sieve.text(tool.description)
        }
        if tool.name in {SEARCH, LOAD}:  # what is taken out may be what the schema asks for
            changes["output_schema"] = None
        return tool.model_copy(update=changes)

    async def _called(
        self, session: Session, name: str, arguments: dict[str, Any]
    ) -> CallToolResult:
        """Pass a call on, unless it asks for an excluded skill, and its answer back."""
        asked = _told(arguments)
        if not self._retrieval.admits():
            return _error(REFUSED["limit"])
        if name != SEARCH and self._asks_for_one(name, arguments):
            return self._refused(asked, "excluded")
        try:
            with anyio.fail_after(CALL_S):
                result = await session.client.call_tool(name, arguments)
            if len(result.model_dump_json()) > LARGEST:
                return self._refused(asked, "size")
            return self._passed(name, asked, result)
        except MCPError as fault:
            self._retrieval.failure(asked, fault.message)
            if self._exclusion.mentions_one(fault.message):
                raise MCPError(fault.code, REFUSED["excluded"]) from None
            raise MCPError(fault.code, fault.message) from None
        except (RecursionError, RuntimeError, TimeoutError, ValueError, OSError) as fault:
            self._retrieval.failure(asked, type(fault).__name__)
            return _error("The connector did not answer.")

    def _asks_for_one(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a call is for an excluded skill; other tools may be given any sentence."""
        if name == LOAD:
            told = _told(arguments)
            return self._sieve.names_one(arguments) or self._exclusion.mentions_one(told)
        words = [each for each in leaves(arguments) if len(str(each).split()) == 1]
        return self._sieve.names_one(words)

    def _passed(self, name: str, asked: str, result: CallToolResult) -> CallToolResult:
        """Return an answer as the agent may see it, and write down what it is."""
        if name not in {SEARCH, LOAD}:
            return result
        return (self._found if name == SEARCH else self._loaded)(asked, result)

    def _found(self, asked: str, result: CallToolResult) -> CallToolResult:
        """Return what a search found, without what is excluded."""
        self._sieve.begin()
        left = self._sifted(result)
        found, withheld = (
            [*dict.fromkeys(names)] for names in (self._sieve.shown, self._sieve.withheld)
        )
        if result.is_error:
            self._retrieval.failure(asked, _text(left))
        else:
            self._retrieval.search(asked, found, withheld)
        return left

    def _loaded(self, asked: str, result: CallToolResult) -> CallToolResult:
        """Return the skill that was loaded, unless it turns out to be an excluded one."""
        blocks = [block.model_dump(mode="json") for block in result.content]
        if any(map(self._sieve.is_one, (*blocks, result.structured_content))):
            return self._refused(asked, "excluded")
        if result.is_error:
            self._retrieval.failure(asked, _text(result))
        else:
            self._retrieval.load(asked, _text(result))
        return result

    def _sifted(self, result: CallToolResult) -> CallToolResult:
        content = [kept for block in result.content if (kept := self._block(block)) is not None]
        structure = result.structured_content
        return CallToolResult(
            content=content or [TextContent(type="text", text=NOTHING)],
            structured_content=None if structure is None else self._sieve.structure(structure),
            is_error=result.is_error,
        )

    def _block(self, block: ContentBlock) -> ContentBlock | None:
        """Return what is left of a part of an answer; None when nothing is."""
        match block:
            case TextContent():
                text = self._sieve.text(block.text)
                return TextContent(type="text", text=text) if text.strip() else None
            case ResourceLink():
                left = self._sieve.structure(block.model_dump(mode="json", include=SAID))
                return None if left is None else block
            case EmbeddedResource(resource=TextResourceContents() as held):
                if self._exclusion.names_one(str(held.uri)):
                    return None
                text = self._sieve.text(held.text)
                kept = held.model_copy(update={"text": text})
                return EmbeddedResource(type="resource", resource=kept) if text.strip() else None
        return block

    def _refused(self, asked: str, because: Because) -> CallToolResult:
        self._retrieval.refusal(asked, because)
        return _error(REFUSED[because])


@asynccontextmanager
async def _held(given: Connector, environment: Mapping[str, str]) -> AsyncIterator[Session]:
    """Hold a connector in a task of its own: when it breaks, its calls fail and nothing else."""
    over = asyncio.Event()
    begun: asyncio.Future[Session] = asyncio.get_running_loop().create_future()

    async def hold() -> None:
        try:
            async with connector.connected(given, environment) as session:
                begun.set_result(session)
                await over.wait()
        except Exception as fault:
            if begun.done():
                raise
            begun.set_exception(fault)

    task = asyncio.create_task(hold())
    try:
        yield await begun
    finally:
        over.set()
        with suppress(Exception):  # it broke meanwhile, which its calls have told
            await task


def _told(arguments: Mapping[str, Any]) -> str:
    """Return the arguments of a call in a line: of a single text this."""
    values = [*arguments.values()]
    if len(values) == 1 and isinstance(values[0], str):
        return values[0]
    return json.dumps(arguments, ensure_ascii=False)


def _text(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent))


def _error(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)
