"""The arms of a stage: what each run has installed, and what is made ready around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from collectors.harness.agents.driver import Call
from collectors.harness.attempt import Setting
from collectors.harness.folders import RunFolder
from collectors.skill_eval.arms import Arm

Ready = Callable[[Call, Setting, RunFolder], AbstractContextManager[tuple[Call, Setting]]]
"""Prepares one run in its folder, before the agent starts, and ends what it started after it.

It returns the call and the setting to run with, or raises NotBegun. The body is the run: once it
has ended, what the agent left still lies in `folder.agent`, and what is put in `folder.root` is
kept beside the row.
"""


def nothing() -> None:
    """Ask nobody: the runs of most arms need nothing but their agent."""


def as_it_is(call: Call, setting: Setting, _: RunFolder) -> AbstractContextManager[Any]:
    """Run with the call and the setting of every arm."""
    return nullcontext((call, setting))


@dataclass(frozen=True, slots=True)
class StageArm:
    """An arm, how its runs are made ready, and in `facts` what else makes them comparable.

    `tried` sees that what its runs need answers, and raises BenchdataError where it does not.
    """

    arm: Arm
    ready: Ready = as_it_is
    facts: Mapping[str, Any] = field(default_factory=dict)
    tried: Callable[[], object] = nothing

    @property
    def name(self) -> str:
        """The name that rows have."""
        return self.arm.name

    @property
    def spec(self) -> dict[str, Any]:
        """What the stage's file pins of it, in JSON."""
        return {"skill": self.arm.skill and self.arm.skill.digest, **self.facts}
