"""`benchdata serve`: the receiving side of sharing, with the board of what was received."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchdata.errors import BenchdataError

NEEDED = ("starlette", "uvicorn")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(serve)


def serve(
    data: Annotated[
        Path,
        typer.Option(
            help="The folder that keeps what was accepted; it is made if it is not there.",
            metavar="DIR",
            show_default=False,
        ),
    ],
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="The port to listen on; 0 takes a free one.", min=0, max=65535)
    ] = 8080,
    rate: Annotated[
        int, typer.Option(help="How many results one address may send a minute.", min=1)
    ] = 60,
) -> None:
    """Take shared results, keep each on disk before saying so, and show them as a board."""
    from importlib.util import find_spec

    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise BenchdataError(f"{missing[0]} is not installed: pip install 'benchdata[serve]'")
    from benchdata.server import running, store

    def ready(url: str) -> None:
        typer.echo(f"serving {url}, rows in {data / store.FILE}", err=True)

    running.run(data, host, port, rate, ready)
