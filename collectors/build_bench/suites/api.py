"""The service under test as a probe sees it: requests, checked answers, real restarts."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import httpx

REQUEST_S = 10.0
"""From a request to the last byte of its answer."""
POLL_S = 0.05
SHOWN = 200
"""Characters of an answer that a message repeats."""
REFUSED = (400, 422)
"""The statuses of a body that breaks the contract."""

Json = dict[str, Any]


class Failed(Exception):
    """What a probe found wrong."""


class Target(Protocol):
    """A service that can be restarted; its address may be another one afterwards."""

    @property
    def client(self) -> httpx.AsyncClient:
        """The client of the present address."""

    def connect(self) -> socket.socket:
        """Return a connection of its own to the present address.

        Raises:
            OSError: Nothing accepts one there.
        """

    async def restart(self) -> None:
        """Stop the service as an operator does and start it on the same data."""

    async def crash(self) -> None:
        """Kill the service with no word of warning and start it on the same data."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, with the request it belongs to for messages."""

    request: str
    status: int
    content_type: str
    text: str

    def expect(self, *statuses: int) -> Answer:
        """Return this answer if it has one of the statuses.

        Raises:
            Failed: It has another.
        """
        if self.status not in statuses:
            wanted = " or ".join(map(str, statuses))
            raise Failed(f"{self.request}: {self.status} instead of {wanted}: {self.text[:SHOWN]}")
        return self

    def object(self, *statuses: int) -> Json:
        """Return the JSON object of an answer with one of the statuses.

        Raises:
            Failed: Another status, content type or JSON type.
        """
        self.expect(*statuses)
        if self.content_type.partition(";")[0].strip() != "application/json":
            raise Failed(f"{self.request}: content type is not application/json")
        try:
            body = json.loads(self.text)
        except ValueError:
            raise Failed(f"{self.request}: not JSON: {self.text[:SHOWN]}") from None
        if not isinstance(body, dict):
            raise Failed(f"{self.request}: not an object: {self.text[:SHOWN]}")
        return body

    def items(self) -> list[Json]:
        """Return the `items` of a list with status 200.

        Raises:
            Failed: There are none, or one is no object.
        """
        items = self.object(200).get("items")
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise Failed(f"{self.request}: items is not a list of objects")
        return items

    def error(self, code: str, *statuses: int) -> None:
        """Check that this is an error of that code with one of the statuses.

        Raises:
            Failed: It is not.
        """
        same(self.object(*statuses).get("code"), code, f"{self.request}: code")

    def invalid(self) -> None:
        """Check that this refuses a body that breaks the contract.

        Raises:
            Failed: It does not.
        """
        self.error("VALIDATION_ERROR", *REFUSED)

    def missing(self) -> None:
        """Check that this says the thing asked for is not there.

        Raises:
            Failed: It does not.
        """
        self.error("NOT_FOUND", 404)


class Api:
    """Requests to a service, each with a limit of time; `target` is for what is no request."""

    def __init__(self, target: Target) -> None:
        self.target = target

    async def get(self, path: str) -> Answer:
        """GET a path."""
        return await self._send("GET", path)

    async def delete(self, path: str) -> Answer:
        """DELETE a path."""
        return await self._send("DELETE", path)

    async def post(self, path: str, body: object) -> Answer:
        """POST a JSON value."""
        return await self._send("POST", path, json.dumps(body))

    async def patch(self, path: str, body: object) -> Answer:
        """PATCH with a JSON value."""
        return await self._send("PATCH", path, json.dumps(body))

    async def post_text(self, path: str, body: str) -> Answer:
        """POST a text that claims to be JSON."""
        return await self._send("POST", path, body)

    async def restart(self) -> None:
        """Restart the service in good order."""
        await self.target.restart()

    async def crash(self) -> None:
        """Kill the service and start it again."""
        await self.target.crash()

    async def _send(self, method: str, path: str, body: str | None = None) -> Answer:
        request = f"{method} {path}"
        headers = {} if body is None else {"content-type": "application/json"}
        try:
            async with asyncio.timeout(REQUEST_S):
                answer = await self.target.client.request(
                    method, path, content=body, headers=headers
                )
        except (TimeoutError, httpx.TimeoutException):
            raise Failed(f"{request}: no answer within {REQUEST_S:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Failed(f"{request}: {type(error).__name__}: {error}") from None
        kind = answer.headers.get("content-type", "")
        return Answer(request, answer.status_code, kind, answer.text)


def same(got: object, wanted: object, what: str) -> None:
    """Check a value and its JSON type: `true` is not 1.

    Raises:
        Failed: It is another one.
    """
    if got != wanted or isinstance(got, bool) != isinstance(wanted, bool):
        raise Failed(f"{what} is {got!r} instead of {wanted!r}")


def has(got: Mapping[str, Any], wanted: Mapping[str, object], what: str) -> None:
    """Check some fields of an object.

    Raises:
        Failed: One is another or not there.
    """
    for name, value in wanted.items():
        same(got.get(name), value, f"{what}: {name}")


def text(got: Mapping[str, Any], name: str, what: str) -> str:
    """Return a field that must be a string with something in it.

    Raises:
        Failed: It is not.
    """
    value = got.get(name)
    if not isinstance(value, str) or not value:
        raise Failed(f"{what}: {name} is {value!r} instead of a non-empty string")
    return value


def part(got: Mapping[str, Any], name: str, what: str) -> Json:
    """Return a field that must be an object.

    Raises:
        Failed: It is not.
    """
    value = got.get(name)
    if not isinstance(value, dict):
        raise Failed(f"{what}: {name} is {value!r} instead of an object")
    return value


async def until(
    seconds: float, what: str, look: Callable[[], Awaitable[Json]], wanted: Mapping[str, object]
) -> Json:
    """Look again and again until some fields have their values, and return what was seen last.

    Raises:
        Failed: They have not within the time.
    """
    end = time.monotonic() + seconds
    while True:
        seen = await look()
        if all(seen.get(name) == value for name, value in wanted.items()):
            return seen
        if time.monotonic() >= end:
            has(seen, wanted, f"{what} after {seconds:g} s")
        await asyncio.sleep(POLL_S)
