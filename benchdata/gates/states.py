"""The answer of a gate: the state of every group, and of the whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from benchdata.contracts.gate import READY

Verdict = Literal["READY", "INCOMPLETE"]


@dataclass(frozen=True, slots=True)
class Said:
    """What one rule says of a group: reasons against it, notes, and what passing would show."""

    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()


Answers = Mapping[str, Said]
"""What one rule says of the groups it is about, by group id."""


@dataclass(frozen=True, slots=True)
class GroupGate:
    """The state of one group: its words, whether it is ready, and each reason why it is not.

    `shows` is what the rows of a ready group can show, and what they cannot. Nothing waits for a
    group that is no `result`, such as reference runs: it is never published.
    """

    id: str
    label: str
    status: str
    ready: bool
    reasons: tuple[str, ...]
    notes: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    result: bool = True

    @property
    def waiting(self) -> bool:
        """Tell whether the group keeps the whole from publication."""
        return self.result and not self.ready


@dataclass(frozen=True, slots=True)
class Gate:
    """The answer for rows of one contract: ready when no group waits and nothing else is amiss."""

    groups: tuple[GroupGate, ...]
    reasons: tuple[str, ...]
    minimum: int
    notes: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Tell whether the rows may be published."""
        return not self.reasons and not any(group.waiting for group in self.groups)

    @property
    def verdict(self) -> Verdict:
        """Return the one word for it."""
        return READY if self.ready else "INCOMPLETE"
