"""Turn boundaries without a gateway, for an agent that asks its own endpoint.

Such an agent holds its credential, nothing pins its model, and what it may use is bounded only by
ending it. A boundary is what the program says it is: an agent could say so itself.
"""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol, Self

from benchdata.contracts.usage import ModelUsage
from collectors.harness.agents import claude_turns
from collectors.harness.agents.driver import Invocation, Report
from collectors.harness.gateway.exchanges import Exchange
from collectors.harness.gateway.relay import OnTurn
from collectors.harness.gateway.server import Streams

FAULTS = (OSError, ValueError)
"""A client that hangs up, or whose line has no end."""


class Holder(Protocol):
    """What holds an agent between its turns; `gateway.Gateway` says what each fact means."""

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The requests that were seen."""

    @property
    def turns(self) -> int:
        """The turns so far."""

    @property
    def held_s(self) -> float:
        """How long the agent waited for `on_turn`."""

    @property
    def last_status(self) -> int | None:
        """The model API's last status, where it was seen."""

    @property
    def stopped(self) -> str | None:
        """Why the agent may not go on."""

    def usage(self) -> list[ModelUsage]:
        """Return the tokens of the requests that were seen."""


class Hold:
    """Counts turns and runs `on_turn` after each; of requests it sees nothing.

    `stopped` is `stop`, `max_turns` or `model`, the last only once the run is over. Leaving it
    raises what a callback raised.
    """

    exchanges: tuple[Exchange, ...] = ()
    last_status: int | None = None

    def __init__(self, on_turn: OnTurn | None, max_turns: int | None) -> None:
        self.turns = 0
        self.stopped: str | None = None
        self._on_turn = on_turn
        self._max_turns = max_turns
        self._fault: Exception | None = None
        self._held_s = 0.0
        self._holding_since: float | None = None
        self._one = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._fault and kind is None:
            raise self._fault

    @property
    def held_s(self) -> float:
        """How long `on_turn` ran in all until now, also while it runs."""
        since = self._holding_since
        return self._held_s + (0.0 if since is None else time.monotonic() - since)

    def usage(self) -> list[ModelUsage]:
        """Return nothing: what was used only the agent program tells."""
        return []

    def over(self) -> bool:
        """Take note that a turn is over; return whether the agent may go on."""
        with self._one:
            if not self.stopped:
                self.turns += 1
                self._call()
            if self._max_turns is not None and self.turns >= self._max_turns:
                self.stopped = self.stopped or "max_turns"
            return not self.stopped

    def told(self, report: Report, models: Collection[str]) -> None:
        """Take note of what the agent program said at its end: the last turn, and other models."""
        self.turns = max(self.turns, report.turns or 0)
        if not {*report.models, *(each.model for each in report.usage)} <= set(models):
            self.stopped = self.stopped or "model"

    def _call(self) -> None:
        if not self._on_turn:
            return
        since = self._holding_since = time.monotonic()
        try:
            if self._on_turn(self.turns) == "stop":
                self.stopped = "stop"
        except Exception as error:  # noqa: BLE001 -- raised again where the hold is left
            self._fault = error
            self.stopped = "stop"
        self._held_s += time.monotonic() - since
        self._holding_since = None


class Hook(Hold, Streams):
    """Holds by a command that the agent program runs after the tools of each message.

    The command says `turn` and waits for an answer; an agent that is to stop gets none. Leaving it
    waits for a callback that runs.

    Raises:
        Exception: What `on_turn` raised, where it is left.
    """

    def __init__(self, on_turn: OnTurn | None, max_turns: int | None) -> None:
        Hold.__init__(self, on_turn, max_turns)
        Streams.__init__(self)

    def __enter__(self) -> Self:
        return Streams.__enter__(self)

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        Streams.__exit__(self, kind, *rest)
        Hold.__exit__(self, kind, *rest)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Let one command wait."""
        try:
            with suppress(*FAULTS):
                if await reader.readline() != claude_turns.SAID:
                    return
                if await asyncio.to_thread(self.over):
                    writer.write(b"go\n")
                    await writer.drain()
                else:
                    await reader.read()  # until the agent is ended
        finally:
            writer.close()


class Processes(Hold):
    """Holds by one process a message: between two of them nothing of the agent runs."""

    def invocations(self, first: Invocation, stdout: Path) -> Iterator[Invocation]:
        """Give how to start each process, until the agent has ended by itself or is to stop.

        The one before has ended when the next is asked for; `stdout` is what all of them printed.
        """
        session = str(uuid.uuid4())
        yield claude_turns.begun(first, session)
        while claude_turns.unfinished(stdout) and self.over():
            yield claude_turns.resumed(first, session)
