"""Where the gateway sends what an agent asks, and with whose credential."""

from __future__ import annotations

import asyncio
import functools
import ssl
import urllib.request
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

import httpcore

from collectors.harness.billing import LOOPBACK
from collectors.harness.failures import SetupFailed
from collectors.harness.gateway.asgi import Application, Message

RawHeaders = list[tuple[bytes, bytes]]
"""Names are in lower case."""

CREDENTIALS = frozenset(
    {
        *(b"authorization", b"x-api-key", b"api-key", b"x-goog-api-key", b"cookie"),
        *(b"proxy-authorization", b"chatgpt-account-id", b"openai-organization"),
    }
)
"""Headers that say who pays."""
HOP_BY_HOP = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"upgrade"),
        *(b"transfer-encoding", b"host", b"content-length", b"accept-encoding", b"expect"),
    }
)
UNRETURNED = (HOP_BY_HOP - {b"content-length"}) | {b"set-cookie"}
UNSENT = (
    *(httpcore.ConnectError, httpcore.ConnectTimeout, httpcore.PoolTimeout),
    httpcore.ProxyError,
)
FAULTS = (*UNSENT, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)
# A model may say nothing for as long as Claude Code and codex wait themselves.
SECONDS = {"connect": 30.0, "pool": 30.0, "write": 60.0, "read": 600.0}


@dataclass(frozen=True, slots=True)
class Upstream:
    """A model API.

    `headers` hold the one credential, which replaces whatever the agent sends. `app` is a model
    within this process, in the place of one at `base_url`.
    """

    base_url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    app: Application | None = None

    def sent(self, headers: Iterable[tuple[bytes, bytes]]) -> RawHeaders:
        """Return what goes upstream of an agent's headers; what comes back is never encoded."""
        own = {name.lower().encode(): value.encode() for name, value in self.headers.items()}
        dropped = HOP_BY_HOP | CREDENTIALS | own.keys()
        kept = [(name, value) for name, value in headers if name not in dropped]
        return [*kept, (b"accept-encoding", b"identity"), *own.items()]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer whose body still comes, as it was sent."""

    status: int
    headers: RawHeaders
    pieces: AsyncIterator[bytes]


class Line:
    """The connections to an upstream, while an event loop runs."""

    def __init__(self, upstream: Upstream) -> None:
        self.upstream = upstream
        self._pool = _pool(upstream.base_url)

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.aclose()

    @asynccontextmanager
    async def asked(
        self, method: str, target: str, headers: RawHeaders, body: bytes
    ) -> AsyncIterator[Answer]:
        """Send a request and yield its answer; `target` continues the base URL.

        Raises:
            httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException: The upstream
                is not there, or breaks off.
        """
        if self.upstream.app:
            async with _within(self.upstream.app, method, target, headers, body) as answer:
                yield answer
            return
        async with self._pool.stream(
            method,
            self.upstream.base_url.rstrip("/") + target,
            headers=headers,
            content=body,
            extensions={"timeout": SECONDS},
        ) as response:
            names = [(name.lower(), value) for name, value in response.headers]
            yield Answer(response.status, names, response.aiter_stream())


@asynccontextmanager
async def _within(
    app: Application, method: str, target: str, headers: RawHeaders, body: bytes
) -> AsyncIterator[Answer]:
    """Ask an application of this process."""
    said: asyncio.Queue[Message | None] = asyncio.Queue()

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def run() -> None:
        path, _, query = target.partition("?")
        asked = {"method": method, "path": path, "query_string": query.encode()}
        try:
            await app({"type": "http", "headers": headers, **asked}, receive, said.put)
        finally:  # also when it failed: it has no answer then
            await said.put(None)

    async def pieces() -> AsyncIterator[bytes]:
        while message := await said.get():
            yield message.get("body", b"")

    task = asyncio.create_task(run())
    try:
        start = await said.get()
        if start is None:
            raise httpcore.RemoteProtocolError("no answer")
        yield Answer(start["status"], list(start["headers"]), pieces())
    finally:
        task.cancel()


def _pool(base_url: str) -> httpcore.AsyncConnectionPool | httpcore.AsyncHTTPProxy:
    """Return connections by way of the machine's proxy, but for this machine's own addresses."""
    url = urlsplit(base_url)
    host = url.hostname or ""
    if LOOPBACK.fullmatch(host):
        return httpcore.AsyncConnectionPool(max_connections=None)
    proxy = urllib.request.getproxies().get(url.scheme)
    if not proxy or urllib.request.proxy_bypass(host):
        return httpcore.AsyncConnectionPool(ssl_context=_certificates(), max_connections=None)
    address, login = _address(proxy)
    return httpcore.AsyncHTTPProxy(
        address, proxy_auth=login, ssl_context=_certificates(), max_connections=None
    )


def _address(proxy: str) -> tuple[str, tuple[str, str] | None]:
    """Return a proxy's address and the name and password in it, which no message repeats."""
    refusal = SetupFailed("the environment names a proxy whose address is not http://HOST:PORT")
    try:
        url = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        known = url.scheme in ("http", "https") and url.hostname and url.port != 0
    except ValueError:
        raise refusal from None
    if not known:
        raise refusal
    login = (unquote(url.username), unquote(url.password or "")) if url.username else None
    return f"{url.scheme}://{url.netloc.rpartition('@')[2]}", login


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Load the certificates once: it takes longer than all else of a pool."""
    return httpcore.default_ssl_context()
