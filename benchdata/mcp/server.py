"""An MCP server whose errors are those of the command line: one sentence, and no trace."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult, TextContent
from pydantic import ValidationError

import benchdata
from benchdata.contracts.checks import WORDS
from benchdata.errors import BenchdataError, did_you_mean, shorten

NAME = "benchdata"


class Server(MCPServer[Any]):
    """Serves tools; what a tool has to end when the server does it gives to `closing`."""

    def __init__(self, instructions: str) -> None:
        super().__init__(
            NAME,
            instructions=instructions,
            version=benchdata.__version__,
            log_level="WARNING",
        )
        self.closing = ExitStack()

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[Any, Any] | None = None,
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; what it refuses is a result that says so in the words of benchdata.

        Raises:
            ToolError: There is no such tool, or it broke.
        """
        known = {
            tool.name: list(tool.input_schema["properties"]) for tool in await self.list_tools()
        }
        for argument in arguments:
            if argument not in known.get(name, arguments):
                return refused(_unknown(argument, known[name]))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            match error.__cause__:
                case BenchdataError() as cause:
                    return refused(str(cause))
                case ValidationError() as cause:
                    return refused(_fault(cause))
                case OSError() as cause if cause.strerror:
                    return refused(f"{name}: {cause.strerror}")
            raise


def refused(message: str) -> CallToolResult:
    """Return the result of a call that cannot be carried out."""
    return CallToolResult(content=[TextContent(type="text", text=message)], is_error=True)


def _unknown(argument: str, known: list[str]) -> str:
    hint = did_you_mean(argument, known) or f"; there are {', '.join(known)}"
    return f"{shorten(argument, 60)}: is no argument of this tool{hint}"


def _fault(error: ValidationError) -> str:
    """Return the first fault of the arguments, and nothing of what they hold."""
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    path = ".".join(str(step) for step in fault["loc"] if isinstance(step, int | str))
    message = fault["msg"].replace("Input should be", "must be", 1)
    return f"{shorten(path, 120)}: {WORDS.get(fault['type'], message)}"
