"""A local proxy that an agent takes for its model API.

    with Gateway(upstream, policy, log=folder.requests, on_turn=evaluated) as gateway:
        ...  # run an agent with the base URL `gateway.url` and the credential `gateway.token`
    gateway.usage()

It knows the credential so that the agent need not, holds the agent between its turns, refuses what
the policy forbids, and keeps count.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from benchdata.contracts.usage import ModelUsage
from collectors.harness.gateway.answering import answering
from collectors.harness.gateway.exchanges import Exchange, Ledger, summed
from collectors.harness.gateway.messages import Messages
from collectors.harness.gateway.policy import Policy
from collectors.harness.gateway.relay import OnTurn, Relay
from collectors.harness.gateway.responses import Responses
from collectors.harness.gateway.server import Server
from collectors.harness.gateway.shape import Shape, ShapeName
from collectors.harness.gateway.upstream import Line, Upstream

SHAPES: dict[ShapeName, Shape] = {"messages": Messages(), "responses": Responses()}


class Gateway(Server):
    """One agent's way to its model, from entering to leaving; it is entered once.

    `on_turn` runs in a thread when the agent asks for more after turn k (from 1), and the agent
    waits: `go` lets it on, `stop` refuses this and every later request. After the last turn the
    agent asks nothing: the caller takes it up, `turns` is its number. Leaving the gateway waits for
    a callback that runs and raises what one raised.

    Raises:
        FileExistsError: The log is there already.
        SetupFailed: The machine's proxy has no address.
    """

    def __init__(
        self, upstream: Upstream, policy: Policy, *, log: Path, on_turn: OnTurn | None = None
    ) -> None:
        line = Line(upstream)
        self._ledger = Ledger(log)
        self.token = secrets.token_urlsafe(24)
        shape = SHAPES[policy.shape]
        self._relay = Relay(line, policy, shape, self._ledger, self.token, on_turn)
        super().__init__()

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        super().__exit__(kind, *rest)
        self._ledger.end()
        if self._relay.fault and kind is None:
            raise self._relay.fault

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Every request so far, in the order they came."""
        return self._ledger.exchanges()

    @property
    def turns(self) -> int:
        """The number of complete messages of the main conversation."""
        return self._relay.turns.count

    @property
    def held_s(self) -> float:
        """How long `on_turn` ran in all until now, also while it runs."""
        return self._relay.held_s

    @property
    def last_status(self) -> int | None:
        """The model API's last status, or that of the error within its stream."""
        return self._ledger.last_status()

    @property
    def stopped(self) -> str | None:
        """Why nothing is sent on any more: `stop` `max_turns` `max_cost` `model`.

        `model`: an answer came from a model that may not be asked.
        """
        return self._relay.stopped

    def usage(self) -> list[ModelUsage]:
        """Return the tokens used so far by model, of all kinds of requests; null is unknown."""
        return summed(each.usage for each in self.exchanges if each.usage)

    @asynccontextmanager
    async def serving(self, listeners: list[socket.socket]) -> AsyncIterator[None]:
        """Serve the relay."""
        try:
            async with answering(self._relay, listeners):
                yield
        finally:
            await self._relay.close()
