"""`benchdata mcp`: an MCP server on standard input and output, for agents."""

from __future__ import annotations

from threading import Thread
from typing import Annotated

import typer

from benchdata.cli.arguments import ContractName
from benchdata.errors import BenchdataError

LOOK_S = 0.2
"""How often a signal is looked for: once polars is imported, Ctrl-C interrupts no waiting."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(mcp)


def mcp(
    data: Annotated[
        list[str] | None,
        typer.Option(
            help="A row file, directory or glob that agents may ask about; may be given again.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    contract: ContractName = None,
) -> None:
    """Serve tools to an agent over stdio: questions about the data, and skill benchmarks."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise BenchdataError("the MCP SDK is not installed here: pip install 'benchdata[mcp]'")
    from benchdata.mcp.assembly import assembled
    from benchdata.mcp.data import Data

    server = assembled(Data.given(data or [], contract))
    # In a thread, for a read of standard input cannot be interrupted: a signal ends the main one.
    serving = Thread(target=server.run, daemon=True)
    with server.closing:
        serving.start()
        while serving.is_alive():
            serving.join(LOOK_S)
