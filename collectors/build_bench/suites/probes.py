"""What a probe and a suite are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from collectors.build_bench.suites.api import Api, Target

Set = Literal["core", "extra"]
Check = Callable[[Any], Awaitable[None]]
"""Takes the Api that its suite opens."""


@asynccontextmanager
async def plainly(target: Target) -> AsyncIterator[Api]:
    """Yield what most probes need: requests."""
    yield Api(target)


@dataclass(frozen=True, slots=True)
class Probe:
    """One question to a service: it returns when the answer is right and raises when it is not.

    Probes make their own random data and never depend on one another or on an empty store.
    """

    id: str
    set: Set
    check: Check

    @property
    def asserts(self) -> str:
        """What must be so, in a sentence."""
        return (self.check.__doc__ or "").strip()


@dataclass(frozen=True, slots=True)
class Suite:
    """The probes of one task in their order; `sources` are the modules that define them.

    `opened` makes what all of them are given.
    """

    task: str
    probes: tuple[Probe, ...]
    sources: tuple[str, ...]
    opened: Callable[[Target], AbstractAsyncContextManager[Api]] = plainly


class Probes(list[Probe]):
    """Collects the probes of a module: `@core` and `@extra` name them after their functions."""

    def core(self, check: Check) -> Check:
        """Add a probe that the published suites have too."""
        return self._add(check, "core")

    def extra(self, check: Check) -> Check:
        """Add a probe of our own."""
        return self._add(check, "extra")

    def _add(self, check: Check, kind: Set) -> Check:
        name = getattr(check, "__name__", "").replace("_", "-")
        self.append(Probe(name, kind, check))
        return check
