"""Token counts of other tools as rows have them: input without what was read or put in a cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

Usage = dict[str, Any]
Number = TypeVar("Number", int, float)
CODEX_COUNTS = ("input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens")


def usage(
    model: str, *, given: int | None, output: int | None, written: int | None, read: int | None
) -> Usage:
    """Return what was used of one model, `given` as the input without the cache's."""
    return {
        "model": model,
        "input_tokens": given,
        "output_tokens": output,
        "cache_creation_tokens": written,
        "cache_read_tokens": read,
    }


def spent(used: Usage) -> bool:
    """Tell whether any tokens were counted."""
    return any(count for name, count in used.items() if name != "model")


def total(parts: Sequence[Number | None]) -> Number | None:
    """Return a sum, None when a part of it is unknown, or when there are none."""
    known = [part for part in parts if part is not None]
    return sum(known) if known and len(known) == len(parts) else None


def without(whole: int | None, *parts: int | None) -> int | None:
    """Return what is left of `whole`; None when a part is unknown, or they are more than it."""
    known = [part for part in parts if part is not None]
    if whole is None or len(known) < len(parts) or sum(known) > whole:
        return None
    return whole - sum(known)


def of_codex(model: str, counts: Mapping[str, int | None]) -> Usage:
    """Return what `codex` used by its `CODEX_COUNTS`: its input holds what the cache gave and took.

    Older versions do not tell what was put in the cache; they had no such thing.
    """
    given, read, written, output = (counts.get(name) for name in CODEX_COUNTS)
    written = written or 0
    fresh = without(given, read, written)
    return usage(model, given=fresh, output=output, written=written, read=read)
