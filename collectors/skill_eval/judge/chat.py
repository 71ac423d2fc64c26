"""One blind question to an endpoint of the OpenAI chat-completions shape, with pictures."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx

from benchdata.contracts.usage import ModelUsage
from benchdata.errors import BenchdataError
from benchdata.stats.pricing import Prices, known_cost
from collectors.harness import endpoints
from collectors.harness.agents import pictures
from collectors.harness.agents.driver import Call, Report
from collectors.harness.billing import LOOPBACK
from collectors.harness.gateway.client import MOST_BODY
from collectors.harness.gateway.shape import Body, Heard, counts, objects, part

PATH = "/chat/completions"
ANSWER = "verdict"
MOST_ANSWER = 1024 * 1024
"""Bytes of a verdict with all that an endpoint says around it."""
LOOK_S = 0.2
GOOD = range(200, 300)
FILTERED = "content_filter"
TOKENS = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens"}


class Unanswered(BenchdataError):
    """An endpoint gave no answer that can be read; the words are none of its own."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Asks an endpoint at `base_url`, such as https://host/v1, within `limit_s` for each call.

    What it answers with a redirect is not followed: the key and the pictures go nowhere else.
    """

    base_url: str
    headers: Mapping[str, str] = field(repr=False)
    prices: Prices
    limit_s: float
    halted: Callable[[], bool]

    def __call__(self, call: Call) -> Report:
        """Make one call.

        Raises:
            TimeoutError: It took longer than it may.
            BenchdataError: A picture cannot be sent, or what came back is no answer.
        """
        content = json.dumps(_request(call)).encode()
        if len(content) > MOST_BODY:
            raise BenchdataError(f"the pictures make more than {MOST_BODY // 1024**2} MiB")
        status, raw = asyncio.run(self._within_limits(content))
        if status not in GOOD:
            raise Unanswered(f"{self._place}: answers with status {status}")
        if (data := _object(raw)) is None:
            raise Unanswered(f"{self._place}: its answer is no JSON object")
        return self._report(data, call)

    @property
    def _place(self) -> str:
        return f"the endpoint {endpoints.shown(self.base_url)}"

    async def _within_limits(self, content: bytes) -> tuple[int, bytes]:
        """Post, but neither longer than it may take nor after a stop."""
        until = time.monotonic() + self.limit_s
        posting = asyncio.ensure_future(self._posted(content))
        try:
            while not (await asyncio.wait({posting}, timeout=LOOK_S))[0]:
                if self.halted():
                    raise Unanswered("the call was stopped")
                if time.monotonic() > until:
                    raise TimeoutError
        finally:
            posting.cancel()
        return posting.result()

    async def _posted(self, content: bytes) -> tuple[int, bytes]:
        """Return the status and the body of an answer, whose length is bounded."""
        # not packed, for little can unpack to more than there is room for
        plain = {"content-type": "application/json", "accept-encoding": "identity"}
        headers = {**self.headers, **plain}
        local = bool(LOOPBACK.fullmatch(urlsplit(self.base_url).hostname or ""))
        url = self.base_url.rstrip("/") + PATH
        # the machine's proxy, if there is one, lies on no way to this machine itself
        async with httpx.AsyncClient(
            verify=_certificates(), trust_env=not local, timeout=self.limit_s
        ) as client:
            try:
                async with client.stream("POST", url, headers=headers, content=content) as answer:
                    found = bytearray()
                    async for piece in answer.aiter_raw():
                        found += piece
                        if len(found) > MOST_ANSWER:
                            raise Unanswered(f"{self._place}: its answer does not end")
                    return answer.status_code, bytes(found)
            except httpx.TimeoutException:
                raise TimeoutError from None
            except (httpx.HTTPError, httpx.InvalidURL):
                raise Unanswered(f"{self._place}: does not answer") from None

    def _report(self, data: Body, call: Call) -> Report:
        """Return what an answer tells; only the text of its first choice can be the verdict."""
        choice = next(iter(objects(data.get("choices"))), {})
        message = part(choice, "message")
        usage = _usage(data, call.model)
        content = message.get("content")
        return Report(
            answer=content if isinstance(content, str) else None,
            usage=(usage,),
            cost_usd=known_cost(self.prices, [usage]),
            failed=not choice or usage.model != call.model,
            refused=bool(message.get("refusal")) or choice.get("finish_reason") == FILTERED,
        )


def _request(call: Call) -> dict[str, Any]:
    """Return the body: an answer in the call's schema, asked with pictures as data."""
    shown = [
        {"type": "image_url", "image_url": {"url": pictures.url(image)}} for image in call.images
    ]
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": [{"type": "text", "text": call.prompt}, *shown]}
    ]
    if call.system is not None:
        messages.insert(0, {"role": "system", "content": call.system})
    wanted = {"name": ANSWER, "strict": True, "schema": call.schema}
    return {
        "model": call.model,
        "messages": messages,
        "response_format": {"type": "json_schema", "json_schema": wanted},
    }


def _usage(data: Body, asked: str) -> ModelUsage:
    """Return the tokens: the input that an endpoint tells holds what was read from its cache."""
    usage = part(data, "usage")
    told = dict(counts(usage, TOKENS))
    cached = dict(counts(part(usage, "prompt_tokens_details"), {"read": "cached_tokens"}))
    given, read = told.get("input_tokens"), cached.get("read", 0)
    served = data.get("model")
    heard = Heard(
        model=served if isinstance(served, str) else None,
        input_tokens=None if given is None else max(given - read, 0),
        output_tokens=told.get("output_tokens"),
        cache_creation_tokens=None if given is None else 0,
        cache_read_tokens=None if given is None else read,
    )
    return heard.usage(asked)


def _object(raw: bytes) -> Body | None:
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


@cache
def _certificates() -> ssl.SSLContext:
    """Load the certificates once: it takes longer than all else of a call."""
    return httpx.create_ssl_context()
