"""What a service prints: read while it is written, and searched for lines of JSON."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx

T = TypeVar("T")
LINE_S = 2.0
"""How long a line may take from the answer to the output."""
POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class Printed:
    """The output of a service; `mark` is where to read on from."""

    output: Path

    def mark(self) -> int:
        """Return how much was printed so far, in bytes."""
        return self.output.stat().st_size if self.output.exists() else 0

    def since(self, mark: int) -> str:
        """Return what was printed since then."""
        if not self.output.exists():
            return ""
        with self.output.open("rb") as file:
            file.seek(mark)
            return file.read().decode("utf-8", "replace")


async def until_none(left: Callable[[], list[T]]) -> list[T]:
    """Wait until nothing is left, for as long as a line may take, and return what is."""
    end = time.monotonic() + LINE_S
    while (found := left()) and time.monotonic() < end:
        await asyncio.sleep(POLL_S)
    return found


def tells_of(text: str, answer: httpx.Response) -> bool:
    """Tell whether a line of JSON holds an answer's method, path and status, whatever its keys."""
    request = answer.request
    for line in text.splitlines():
        try:
            values = [str(value) for value in _scalars(json.loads(line))]
        except (ValueError, RecursionError):
            continue
        if (
            any(value.upper() == request.method for value in values)
            and any(request.url.path in value for value in values)
            and str(answer.status_code) in values
        ):
            return True
    return False


def _scalars(value: Any) -> Iterator[object]:
    """Give every value that holds no other."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _scalars(each)
    else:
        yield value
