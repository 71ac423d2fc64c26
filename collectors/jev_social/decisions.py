"""Asks a decision endpoint to choose one of some options, and takes only a valid answer."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import httpcore
from anyio.lowlevel import checkpoint

from collectors.jev_social import documents
from collectors.jev_social.failures import Failure
from collectors.jev_social.providers import Provider

MOST_BODY = 256 * 1024
LEAST_CONFIDENCE = 0.35
KEPT_S = 5.0
"""How long a connection is kept for the next decision; most servers keep it as long at least."""
LENGTH = b"content-length"
WAITS = ("connect", "read", "write", "pool")
NO_ANSWER = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)
HEADERS = {"Content-Type": "application/json", "Accept-Encoding": "identity"}

Question = Mapping[str, Any]
"""The body of a request but its model: `state`, and one choice under `questions`."""


@dataclass(slots=True)
class Asked:
    """One decision that was asked for; `answered` once it is valid."""

    model: str
    verified: bool = False
    answered: bool = False
    elapsed_ms: int = 0


class Decider:
    """One endpoint during one attempt; `asked` are all decisions so far, failed ones too."""

    def __init__(self, provider: Provider, asked: list[Asked]) -> None:
        self._provider = provider
        self._asked = asked
        # it knows of no redirect, and of no proxy or other setting of the machine
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=httpcore.default_ssl_context(), keepalive_expiry=KEPT_S
        )

    async def __aenter__(self) -> Self:
        # loads what the first decision would otherwise load within its own time
        await checkpoint()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._pool.aclose()

    async def choose(self, question: Question, *, unsure: str) -> str:
        """Return the chosen option.

        Raises:
            Failure: JEV_UNAVAILABLE: no JSON answer came in time; INVALID_JEV_RESPONSE: it is not
                an answer to the question; `unsure`: its confidence is too low.
        """
        asked = Asked(self._provider.model)
        self._asked.append(asked)
        started = time.monotonic_ns()
        try:
            reply = await self._posted({"model": self._provider.model, **question})
        finally:
            asked.elapsed_ms = (time.monotonic_ns() - started) // 1_000_000
        if isinstance(reply, dict) and isinstance(reply.get("model"), str):
            name = reply["model"].strip()
            asked.model, asked.verified = name or asked.model, bool(name)
        ((key, asks),) = question["questions"].items()
        choice, confidence = _answer(reply, key, asks["criteria"])
        asked.answered = True
        if confidence < LEAST_CONFIDENCE:
            raise Failure(unsure)
        return choice

    async def _posted(self, body: Mapping[str, Any]) -> Any:
        content = json.dumps(body, ensure_ascii=True).encode()
        try:
            async with asyncio.timeout(self._provider.seconds):
                return documents.whole(await self._body(content) or "{}")
        except (*NO_ANSWER, TimeoutError, ValueError):
            raise Failure("JEV_UNAVAILABLE") from None

    async def _body(self, content: bytes) -> str:
        """Return the text of a reply with a good status, a length within bounds and no encoding."""
        provider = self._provider
        headers = {**HEADERS, **provider.headers}
        async with self._pool.stream(
            "POST",
            provider.url,
            content=content,
            headers=[(name.encode(), value.encode("ascii")) for name, value in headers.items()],
            extensions={"timeout": dict.fromkeys(WAITS, provider.seconds)},
        ) as response:
            declared = [value for name, value in response.headers if name.lower() == LENGTH]
            if not 200 <= response.status < 300 or any(int(size) > MOST_BODY for size in declared):
                raise Failure("JEV_UNAVAILABLE")
            text = bytearray()
            async for chunk in response.aiter_stream():
                text += chunk
                if len(text) > MOST_BODY:
                    raise Failure("JEV_UNAVAILABLE")
            return text.decode("utf-8")


def pin_fault(asked: Sequence[Asked], pin: str) -> str:
    """Return the code of decisions that were not all made by the pinned model, or nothing."""
    if any(each.model != pin for each in asked):
        return "MODEL_PIN_MISMATCH"
    if any(each.answered and not each.verified for each in asked):
        return "MODEL_PIN_UNVERIFIED"
    return ""


def _answer(reply: Any, key: str, criteria: Mapping[str, str]) -> tuple[str, float]:
    """Return the choice and its confidence, or raise Failure."""
    answers = reply.get("answers") if isinstance(reply, dict) else None
    answer = answers.get(key) if isinstance(answers, dict) else None
    if not isinstance(answer, dict) or answer.get("type") != "choice":
        raise Failure("INVALID_JEV_RESPONSE")
    choice, shares = answer.get("choice"), answer.get("probabilities", {})
    if not isinstance(choice, str) or choice not in criteria or not isinstance(shares, dict):
        raise Failure("INVALID_JEV_RESPONSE")
    confidence, *_ = (_share(value) for value in (answer.get("confidence"), *shares.values()))
    return choice, confidence


def _share(value: Any) -> float:
    """Return a number from 0 to 1, or raise Failure."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Failure("INVALID_JEV_RESPONSE")
    return float(value)
