"""Raw lines of an agent program as plain data: what cannot be read is passed over, never guessed.

Every version of a program adds events and fields, so nothing here asks for a whole shape.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from pydantic import ValidationError

from benchdata.contracts.usage import ModelUsage

MOST_LINES = 500_000
"""An agent's command may write into the program's output, and short lines take long to read."""
MOST = sys.float_info.max
"""The largest amount: integers of JSON have no bound."""


def objects(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Give the JSON object of every line that is one, of as many as a real run can have."""
    for line in islice(lines, MOST_LINES):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def within(value: Any, *names: str) -> Any:
    """Return what lies under `names`, one object in the other; None where there is no such."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def items(value: Any, *names: str) -> list[Any]:
    """Return the list under `names`, empty where there is none."""
    found = within(value, *names)
    return found if isinstance(found, list) else []


def text(value: Any, *names: str) -> str | None:
    """Return the text under `names`, or None; half of a character, cut in two, becomes U+FFFD."""
    found = within(value, *names)
    if not isinstance(found, str):
        return None
    return found.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def whole(value: Any, *names: str) -> int | None:
    """Return the count under `names`, or None."""
    found = within(value, *names)
    return found if type(found) is int and found >= 0 else None


def amount(value: Any, *names: str) -> float | None:
    """Return the amount under `names`, or None."""
    found = within(value, *names)
    return float(found) if type(found) in (int, float) and 0 <= found <= MOST else None


def usage_of(model: str, counts: Mapping[str, int | None]) -> ModelUsage | None:
    """Return the usage of one model; None when its name is no model id that a row may hold."""
    try:
        return ModelUsage.model_validate({"model": model, **counts})
    except ValidationError:
        return None
