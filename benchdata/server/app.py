"""The routes: a result is taken, the board is shown, and nothing else is there."""

from __future__ import annotations

import math
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from benchdata.server.boards import Publisher
from benchdata.server.intake import CLOSE, Refused, received
from benchdata.server.rates import Rates
from benchdata.server.routes import BOARD, PAGE, RESULT
from benchdata.server.store import Full, Store

HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
BRIEF = HEADERS | {"cache-control": "max-age=1"}


def app(store: Store, rates: Rates) -> Starlette:
    """Return the application on an open store."""
    publisher = Publisher(store.tally)

    async def take(request: Request) -> Response:
        """Take a result: 200 only when it is on disk."""
        try:
            _admit(request, rates)
            await _keep(await received(request), store)
        except Refused as refused:
            return _said({"error": refused.reason}, refused.status, refused.headers)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read it
        return _said({"accepted": True}, 200, {})

    async def board(_: Request) -> Response:
        """Give the board as data."""
        made = await publisher.published()
        return Response(made.json, media_type="application/json", headers=BRIEF)

    async def page(_: Request) -> Response:
        """Give the board as a page."""
        made = await publisher.published()
        return Response(made.page, media_type="text/html", headers=BRIEF)

    made = Starlette(
        routes=[
            Route(RESULT, take, methods=["POST"]),
            Route(BOARD, board, methods=["GET"]),
            Route(PAGE, page, methods=["GET"]),
        ]
    )
    made.router.redirect_slashes = False  # a redirect repeats the address that was asked for
    return made


def _admit(request: Request, rates: Rates) -> None:
    """Refuse an address that sends too often."""
    wait = rates.wait(request.client.host if request.client else "")
    if wait:
        raise Refused(
            429, "too many results; try again later", {"retry-after": str(math.ceil(wait))} | CLOSE
        )


async def _keep(row: dict[str, Any], store: Store) -> None:
    try:
        await store.keep(row)
    except Full:
        raise Refused(503, "too many results wait; try again later", {"retry-after": "1"}) from None
    except OSError:
        raise Refused(503, "the result could not be stored; try again later") from None


def _said(content: dict[str, Any], status: int, headers: dict[str, str]) -> Response:
    return JSONResponse(content, status, HEADERS | headers)
