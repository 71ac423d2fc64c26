"""From when to when something lasted: a clock that is set meanwhile makes no span negative."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True, slots=True)
class Beginning:
    """The moment it is made, by the clock on the wall and by one that nobody sets."""

    at: datetime = field(default_factory=lambda: datetime.now(UTC))
    _since: float = field(default_factory=time.monotonic)

    def until_now(self) -> tuple[datetime, datetime]:
        """Return the moment and the present, which lies behind it by what has passed."""
        return self.at, self.at + timedelta(seconds=time.monotonic() - self._since)
