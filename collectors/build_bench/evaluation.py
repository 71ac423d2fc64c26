"""One evaluation of a service folder: built, booted, and asked by the whole suite."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from collectors.build_bench.grounds import Ground
from collectors.build_bench.service import NotReady, Place, Service
from collectors.build_bench.suites import running
from collectors.build_bench.suites.probes import Suite
from collectors.build_bench.suites.running import Result

SUITE_S = 60.0
"""For all probes of a suite with their restarts; the first build and boot have their own limits."""
BROWSER_S = 120.0
"""For all checks of a page."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the suite said; `not_ready` is why it could not be run, and all probes failed."""

    results: tuple[Result, ...]
    boot_ms: tuple[int, ...]
    suite_ms: int
    not_ready: str | None

    @property
    def passed(self) -> int:
        """The number of probes that passed."""
        return sum(result.verdict == "pass" for result in self.results)


async def evaluate(
    suite: Suite,
    place: Place,
    path: tuple[Path, ...],
    ground: Ground,
    *,
    seconds: float = SUITE_S,
) -> Evaluation:
    """Judge the service whose program is in a place.

    `path` are the folders of the lane's programs. No process is left when this returns or is
    cancelled. A service that does not come up is a verdict and no error.
    """
    async with Service(place, path, ground) as service:
        try:
            await service.build()
            await service.boot()
        except NotReady as error:
            return Evaluation(running.all_failed(suite, str(error)), (), 0, str(error))
        began = time.monotonic()
        results = await running.run(suite, service, seconds=seconds)
        took = round((time.monotonic() - began) * 1000)
    return Evaluation(results, tuple(service.boot_ms), took, None)
