"""The way to a service whose answers nobody vouches for: none of them can fill our memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx

LARGEST = 4 * 1024**2
"""Bytes of an answer."""
LONGEST = 256 * 1024**2
"""Bytes of a stream of events, which is read while it comes and never held whole."""
PLAIN = "identity"


@dataclass(frozen=True, slots=True)
class Bounded(httpx.AsyncBaseTransport):
    """Another way on which answers are at most so large, and not packed: those grow when read."""

    way: httpx.AsyncBaseTransport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return an answer that raises when more is read of it than is borne.

        Raises:
            DecodingError: It is packed, though no packed one was asked for.
        """
        request.headers["accept-encoding"] = PLAIN
        response = await self.way.handle_async_request(request)
        packed = response.headers.get("content-encoding", PLAIN)
        if packed != PLAIN:
            await response.aclose()
            raise httpx.DecodingError(f"packed as {packed}, not asked for", request=request)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Stream(response.stream, request, _most(response))
        return response

    async def aclose(self) -> None:
        """Close the other way."""
        await self.way.aclose()


@dataclass(frozen=True, slots=True)
class _Stream(httpx.AsyncByteStream):
    stream: httpx.AsyncByteStream
    request: httpx.Request
    most: int

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self.most
        async for chunk in self.stream:
            left -= len(chunk)
            if left < 0:
                raise httpx.ReadError(f"larger than {self.most:,} bytes", request=self.request)
            yield chunk

    async def aclose(self) -> None:
        await self.stream.aclose()


def _most(response: httpx.Response) -> int:
    kind = response.headers.get("content-type", "")
    events = response.status_code == httpx.codes.OK and kind.startswith("text/event-stream")
    return LONGEST if events else LARGEST
