"""What an agent is asked, how its program is started, and what its raw lines tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from benchdata.contracts.usage import ModelUsage
from collectors.harness.billing import Access
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.shape import ShapeName
from collectors.harness.skills import Skill

Tools = Literal["none", "skill", "agent"]
"""What an agent may do besides answering: nothing, load a skill, or work in its folder."""

RETRIES = 2
"""How often an agent program may repeat a failed request: by default some go on for minutes."""


@dataclass(frozen=True, slots=True)
class Call:
    """What one run of an agent is asked.

    With the tools `none` the agent only answers; with `skill` it may load what is installed; with
    `agent` it may also read, write and run commands in its work folder. `schema` is the JSON schema
    that the answer must fit.
    """

    prompt: str
    model: str
    tools: Tools
    skill: Skill | None = None
    images: tuple[Path, ...] = ()
    schema: Mapping[str, Any] | None = None
    system: str | None = None


@dataclass(frozen=True, slots=True)
class Invocation:
    """A program to start in the run's work folder: its whole environment, and its input."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    stdin: bytes


@dataclass(frozen=True, slots=True)
class Report:
    """What the raw lines of one run tell; None is what they do not tell.

    `usage` is empty when unknown: it is taken only from where it is true. `sessions` counts the
    groups of lines from a start to its result. `models` are those that its messages name, where the
    usage may name the model that was asked. `skills_listed` names what the agent was shown.
    `answer` is that of a run that ended well, `said` the last text of the main conversation however
    it ended. `refused`: the model itself declined, which its protocol says with a stop reason of
    its own.
    """

    models: tuple[str, ...] = ()
    answer: str | None = None
    said: str | None = None
    structured: Any = None
    usage: tuple[ModelUsage, ...] = ()
    turns: int | None = None
    cost_usd: float | None = None
    failed: bool = False
    refused: bool = False
    api_status: int | None = None
    not_logged_in: bool = False
    skills_listed: tuple[str, ...] | None = None
    skill_read: bool | None = None
    sessions: int = 0


class AgentDriver(Protocol):
    """One agent program."""

    @property
    def name(self) -> str:
        """The name in rows and on the command line."""

    @property
    def shape(self) -> ShapeName:
        """The protocol that it speaks with its model."""

    def version(self) -> str:
        """Run the program and return its version.

        Raises:
            SetupFailed: It is absent or says no version.
        """

    def readable(self) -> tuple[Path, ...]:
        """Return the files and folders that the program needs to run, besides the system's own."""

    def invocation(
        self, call: Call, folder: RunFolder, access: Access, inside: Callable[[Path], str]
    ) -> Invocation:
        """Write the settings of a run, install its skill, and return how to start it.

        `inside` turns a path under `folder.agent` into the path that the agent sees.

        Raises:
            SetupFailed: The settings or the skill cannot be put there.
        """

    def report(self, lines: Iterable[bytes], code: int | None, call: Call) -> Report:
        """Read what the program printed until its end; `code` is None when it was ended by us."""
