"""What was asked of the model in a run and what it used: exactly, or null."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchdata.contracts.fields import instant_text
from benchdata.contracts.usage import TOKEN_FIELDS, ModelUsage
from benchdata.errors import shorten
from collectors.harness.gateway.shape import Heard, Kind

GOOD = range(200, 300)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and what became of it.

    - `turn` numbers the messages of the main conversation from 1; a repeated request repeats it.
    - `model` was asked, or is the path of an `other`; `served` is what the answer says it is from.
    - `status` is null when the agent went away before there was any; `error` is the type that the
      API gave an error, also one within a stream, and `unreachable` or `broken` are ours.
    - `usage` is null when nothing was used; its counts are null where an answer broke off or the
      agent did not wait for it.
    - `held_s` passed before the request was sent on, `duration_s` from then to its end.
    - `refused` is why it was not sent on.
    """

    at: str
    kind: Kind
    turn: int | None
    model: str
    served: str | None
    status: int | None
    error: str | None
    usage: ModelUsage | None
    complete: bool
    duration_s: float
    held_s: float
    refused: str | None


@dataclass(slots=True)
class Entry:
    """An exchange while it goes on."""

    kind: Kind
    model: str
    turn: int | None = None
    status: int | None = None
    error: str | None = None
    held_s: float = 0.0
    refused: str | None = None
    heard: Heard = field(default_factory=Heard)
    at: str = field(default_factory=lambda: instant_text(datetime.now(UTC)))
    sent_at: float | None = None
    ended_at: float | None = None

    def exchange(self) -> Exchange:
        """Return it as it stands."""
        now = self.ended_at or time.monotonic()
        return Exchange(
            at=self.at,
            kind=self.kind,
            turn=self.turn,
            model=self.model,
            served=_short(self.heard.model),
            status=self.status,
            error=_short(self.heard.error) or self.error,
            usage=self.heard.usage(self.model) if self._used() else None,
            complete=self.heard.complete,
            duration_s=round(now - self.sent_at, 6) if self.sent_at else 0.0,
            held_s=round(self.held_s, 6),
            refused=self.refused,
        )

    def _used(self) -> bool:
        """Tell whether tokens were used, or may have been: the request was sent and not denied."""
        sent = self.kind != "other" and self.sent_at is not None
        return sent and (self.status is None or self.status in GOOD or self.error == "broken")

    def proof(self) -> int | None:
        """Return the status that a failure of the API shows by, also within a good one."""
        return (self.heard.status if self.status in GOOD else None) or self.status


class Ledger:
    """The exchanges of a run, in the order they came; they may be read from any thread."""

    def __init__(self, log: Path) -> None:
        self._entries: list[Entry] = []
        self._lock = threading.Lock()
        self._log = log.open("x", encoding="utf-8")

    def open(self, entry: Entry) -> Entry:
        """Add an exchange that begins."""
        with self._lock:
            self._entries.append(entry)
        return entry

    def close(self, entry: Entry) -> None:
        """Write down an exchange that ended."""
        entry.ended_at = time.monotonic()
        self._log.write(json.dumps(_plain(entry.exchange())) + "\n")
        self._log.flush()

    def end(self) -> None:
        """Close the log."""
        self._log.close()

    def exchanges(self) -> tuple[Exchange, ...]:
        """Return all exchanges so far, those that go on too."""
        with self._lock:
            return tuple(entry.exchange() for entry in self._entries)

    def last_status(self) -> int | None:
        """Return what the model API answered last, or None when it was never asked."""
        with self._lock:
            told = (entry.proof() for entry in reversed(self._entries) if entry.kind != "other")
            return next((status for status in told if status), None)


def summed(usages: Iterable[ModelUsage]) -> list[ModelUsage]:
    """Return one usage a model, in the order of their names; what is unknown once is unknown."""
    by_model: dict[str, list[ModelUsage]] = {}
    for usage in usages:
        by_model.setdefault(usage.model, []).append(usage)
    return [
        ModelUsage(model=model, **{name: _sum(each, name) for name in TOKEN_FIELDS})
        for model, each in sorted(by_model.items())
    ]


def _sum(usages: Iterable[ModelUsage], name: str) -> int | None:
    counts = [getattr(usage, name) for usage in usages]
    return None if None in counts else sum(counts)


def _short(told: str | None) -> str | None:
    """Return what an API told as one short line, whatever it was."""
    return None if told is None else shorten(str(told))


def _plain(exchange: Exchange) -> dict[str, Any]:
    usage = exchange.usage.model_dump() if exchange.usage else None
    return asdict(exchange) | {"usage": usage}
