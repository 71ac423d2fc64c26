"""The scripted agent: `replay.py` under this very Python, its model a committed script."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import benchdata
from collectors.harness.agents import claude_events, pictures, replay
from collectors.harness.agents.driver import Call, Invocation, Report, Tools
from collectors.harness.billing import Access
from collectors.harness.environment import scrubbed
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.shape import ShapeName

PROGRAM = Path(replay.__file__).resolve()
TOOLS: Mapping[Tools, list[str]] = {"none": [], "skill": ["Skill"], "agent": [*replay.TOOLS]}


@dataclass(frozen=True, slots=True)
class Scripted:
    """See `driver.AgentDriver`; `python` is an interpreter, without its packages."""

    python: Path
    name: ClassVar[str] = "scripted"
    shape: ClassVar[ShapeName] = "messages"

    @classmethod
    def found(cls) -> Scripted:
        """Return the driver for the interpreter that is running."""
        return cls(Path(sys.executable).resolve())

    def version(self) -> str:
        """Return the version of benchdata, which the program is part of."""
        return benchdata.__version__

    def readable(self) -> tuple[Path, ...]:
        """Return the program and the interpreter's own folder."""
        return (PROGRAM, Path(sys.base_prefix).resolve())

    def invocation(
        self, call: Call, folder: RunFolder, access: Access, inside: Callable[[Path], str]
    ) -> Invocation:
        """Install the skill, and return how to start the program; its input is one JSON object."""
        if call.skill:
            call.skill.install(folder.skills)
        asked = {
            "model": call.model,
            "system": call.system,
            "content": [{"type": "text", "text": call.prompt}, *map(pictures.block, call.images)],
            "tools": TOOLS[call.tools],
            "structured": call.schema is not None,
            "skills": inside(folder.skills),
            "version": self.version(),
        }
        environment = scrubbed(folder, inside)
        environment |= {"ANTHROPIC_BASE_URL": access.base_url, "ANTHROPIC_API_KEY": access.token}
        argv = (str(self.python), "-I", "-S", "-B", str(PROGRAM))
        return Invocation(argv, environment, stdin=json.dumps(asked).encode())

    def report(self, lines: Iterable[bytes], code: int | None, call: Call) -> Report:
        """Read the lines that the program printed, which are like those of claude."""
        return claude_events.read(lines, code, call)
