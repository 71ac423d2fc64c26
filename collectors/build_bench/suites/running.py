"""Runs a suite against a service: every probe gets a verdict, whatever the service does."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Literal, Protocol

from benchdata.errors import shorten
from collectors.build_bench.suites.api import Api, Failed, Target
from collectors.build_bench.suites.probes import Probe, Set, Suite

Verdict = Literal["pass", "fail"]


class Restartable(Target, Protocol):
    """A service that a probe may leave dead."""

    async def ensure(self) -> None:
        """Start the service again if it is not running."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one probe said; `reason` is for people and belongs in no row."""

    id: str
    set: Set
    verdict: Verdict
    duration_ms: int
    reason: str | None


async def run(suite: Suite, service: Restartable, *, seconds: float) -> tuple[Result, ...]:
    """Run the probes one after another; those unfinished when the time is over fail."""
    results = []
    async with suite.opened(service) as api:
        end = asyncio.get_running_loop().time() + seconds
        for probe in suite.probes:
            began = time.monotonic()
            reason = await _reason(probe, api, service, end)
            if reason is None and asyncio.get_running_loop().time() > end:
                reason = "finished after the end of the suite's time"
            results.append(_result(probe, reason, time.monotonic() - began))
    return tuple(results)


def all_failed(suite: Suite, reason: str) -> tuple[Result, ...]:
    """Return the results of a suite that could not be run, for one shared reason."""
    return tuple(_result(probe, reason, 0.0) for probe in suite.probes)


def _result(probe: Probe, reason: str | None, seconds: float) -> Result:
    verdict: Verdict = "pass" if reason is None else "fail"
    said = None if reason is None else shorten(reason)
    return Result(probe.id, probe.set, verdict, round(seconds * 1000), said)


async def _reason(probe: Probe, api: Api, service: Restartable, end: float) -> str | None:
    """Return why a probe fails, or None."""
    limit = asyncio.timeout_at(end)
    try:
        async with limit:
            await service.ensure()
            await probe.check(api)
    except Exception as error:  # noqa: BLE001 - whatever a service brings about is a verdict on it
        if limit.expired():
            return "not finished within the suite's time"
        return str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
    return None
