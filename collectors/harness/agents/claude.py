"""Claude Code in print mode: `claude -p` with JSON lines in and out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from collectors.harness.agents import claude_events, pictures, programs
from collectors.harness.agents.driver import RETRIES, Call, Invocation, Report, Tools
from collectors.harness.billing import Access
from collectors.harness.environment import scrubbed
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.shape import ShapeName

TOOLS: Mapping[Tools, str] = {
    "none": "",
    "skill": "Skill",
    "agent": "Bash,Edit,Glob,Grep,Read,Skill,Write",
}
"""Named in every arm alike: no subagents, no web, no schedules, which the default list has."""

BUNDLED = ("doctor", "plugin-authoring")
"""The skills that are listed even when bundled skills are off; they are switched off by name."""
SETTINGS: dict[str, Any] = {"skillOverrides": dict.fromkeys(BUNDLED, "off")}

UNKEPT = "--no-session-persistence"

CREDENTIAL = {
    "subscription": "CLAUDE_CODE_OAUTH_TOKEN",
    "api-key": "ANTHROPIC_API_KEY",
    "none": "ANTHROPIC_API_KEY",
}
"""The one variable that is set: of two, the program takes the API key whatever was meant."""

ALIASES = (
    *("ANTHROPIC_DEFAULT_OPUS_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL"),
    *("ANTHROPIC_DEFAULT_HAIKU_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL"),
)
"""The models of side requests, which change with the version: all are the one that is measured."""

SWITCHES = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS": "1",
    # Else `@name` in a prompt becomes the contents of a file.
    "CLAUDE_CODE_DISABLE_FILE_MENTIONS": "1",
    # Else another model is asked what the measured one declines to answer.
    "CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK": "1",
    "CLAUDE_CODE_MAX_RETRIES": str(RETRIES),
    "DISABLE_AUTOUPDATER": "1",
    # The program refuses to run without permission prompts as root, but for in a sandbox.
    "IS_SANDBOX": "1",
}


@dataclass(frozen=True, slots=True)
class Claude:
    """See `driver.AgentDriver`; `program` is the native executable."""

    program: Path
    name: ClassVar[str] = "claude"
    shape: ClassVar[ShapeName] = "messages"

    @classmethod
    def found(cls) -> Claude:
        """Return the driver of the program on this machine.

        Raises:
            SetupFailed: It is not installed.
        """
        return cls(programs.find("claude"))

    def version(self) -> str:
        """Return the program's version."""
        return programs.version_of(self.program)

    def readable(self) -> tuple[Path, ...]:
        """Return the executable: it needs nothing besides."""
        return (self.program,)

    def invocation(
        self, call: Call, folder: RunFolder, access: Access, inside: Callable[[Path], str]
    ) -> Invocation:
        """Install the skill where the program discovers it, and return how to start it.

        Raises:
            SetupFailed: The skill cannot be installed, or has the name of a bundled one.
        """
        if call.skill and call.skill.name in BUNDLED:
            raise SetupFailed(f"{call.skill.name}: claude has a skill of this name, which is off")
        if call.skill:
            call.skill.install(folder.skills)
        environment = scrubbed(folder, inside) | SWITCHES | dict.fromkeys(ALIASES, call.model)
        environment["CLAUDE_CONFIG_DIR"] = inside(folder.config)
        environment["ANTHROPIC_BASE_URL"] = access.base_url
        environment[CREDENTIAL[access.billing]] = access.token
        return Invocation(
            (str(self.program), *_flags(call)), environment, stdin=message(call.prompt, call.images)
        )

    def report(self, lines: Iterable[bytes], code: int | None, call: Call) -> Report:
        """Read the lines that the program printed."""
        return claude_events.read(lines, code, call)


def _flags(call: Call) -> list[str]:
    equipped = call.tools != "none"
    flags = ["-p", "--verbose", UNKEPT, "--model", call.model]
    flags += ["--input-format", "stream-json", "--output-format", "stream-json"]
    flags += ["--strict-mcp-config", "--settings", json.dumps(SETTINGS)]
    # `user` is the run's own config folder. The sources of projects are left out, since the program
    # looks for them in every folder above the work folder too.
    flags += ["--setting-sources", "user" if equipped else ""]
    flags += ["--tools", TOOLS[call.tools]]
    if equipped:
        # Our own sandbox confines the agent. Permission rules would only refuse it the files beside
        # a skill, which lie outside its work folder.
        flags += ["--permission-mode", "bypassPermissions"]
    if call.system is not None:
        flag = "--append-system-prompt" if call.tools == "agent" else "--system-prompt"
        flags += [flag, call.system]
    if call.schema is not None:
        flags += ["--json-schema", json.dumps(call.schema)]
    return flags


def message(prompt: str, images: Iterable[Path] = ()) -> bytes:
    """Return a prompt and its images as the one line of the input."""
    content: list[dict[str, Any]] = [{"type": "text", "text": prompt}]
    content += map(pictures.block, images)
    line = {"type": "user", "message": {"role": "user", "content": content}}
    return json.dumps(line).encode() + b"\n"
