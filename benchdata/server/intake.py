"""What a request must be, and the row it holds; no answer repeats any of what was sent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from benchdata.contracts.privacy import REFUSED_NAMES
from benchdata.contracts.shared_result import SHARED_RESULT, SharedResult, Skill
from benchdata.errors import RowError
from benchdata.rows.strict_json import decode

MEDIA_TYPE = "application/json"
LARGEST_BODY = 64 * 1024
BODY_LIMIT_S = 10.0
CLOSE = {"connection": "close"}
"""What is left of a request that is not read to its end must not be taken for the next one."""
UNKNOWN = "(unknown key)"
NAMES = {"row", *SharedResult.model_fields, *Skill.model_fields, *REFUSED_NAMES}
STEP = re.compile(rf"(?:{'|'.join(sorted(NAMES))})(?:\[[0-9]{{1,3}}\])?")


class Refused(Exception):
    """The answer to a request that is not taken."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str] | None = None) -> None:
        """Keep what the answer is made of."""
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.headers = dict(headers or {})


async def received(request: Request) -> dict[str, Any]:
    """Return the row that a request holds, in normal form.

    Raises:
        Refused: It holds none.
        ClientDisconnect: The client left before its end.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != MEDIA_TYPE:
        raise Refused(415, f"the content type must be {MEDIA_TYPE}", CLOSE)
    try:
        async with asyncio.timeout(BODY_LIMIT_S):
            body = await _body(request)
    except TimeoutError:
        raise Refused(408, f"the body took more than {BODY_LIMIT_S:g} s", CLOSE) from None
    try:
        return SHARED_RESULT.validate(decode(body))
    except RowError as error:
        raise Refused(422, f"{_known(error.path)}: {error.message}") from None


async def _body(request: Request) -> bytes:
    """Return the body, read no further than it may be long, whatever its head says."""
    too_long = Refused(413, f"the body is longer than {LARGEST_BODY // 1024} KiB", CLOSE)
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > LARGEST_BODY:
        raise too_long
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_BODY:
            raise too_long
    return bytes(body)


def _known(path: str) -> str:
    """Return a path up to the first key that is not the contract's own: that came from outside."""
    steps: list[str] = []
    for step in path.split("."):
        if not STEP.fullmatch(step):
            return ".".join([*steps, UNKNOWN])
        steps.append(step)
    return path
