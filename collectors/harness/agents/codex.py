"""Codex without a terminal: `codex exec --json`, configured by files alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from collectors.harness.agents import codex_events, pictures, programs
from collectors.harness.agents.driver import RETRIES, Call, Invocation, Report, Tools
from collectors.harness.billing import Access
from collectors.harness.environment import scrubbed
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder
from collectors.harness.gateway.shape import ShapeName

TOKEN = "HARNESS_TOKEN"
NATIVE = ("codex-*/vendor/*/bin/codex", "codex/node_modules/@openai/codex-*/vendor/*/bin/codex")
"""Where npm puts the executable that its `codex.js` starts, seen from the folder `@openai`."""

QUIET: Mapping[str, Any] = {
    "model_provider": "harness",
    "check_for_update_on_startup": False,
    "analytics.enabled": False,
    "web_search": "disabled",
    "agents.enabled": False,
    "skills.bundled.enabled": False,
    # Instructions of folders are left out, as those of projects are with claude.
    "project_doc_max_bytes": 0,
    "features.goals": False,
    # Else the program asks an address that refuses it for ever.
    "features.unbounded_connection_retries": False,
    "features.enable_request_compression": False,
    # The placeholder is for the program alone; everything else is for the agent's commands too.
    "shell_environment_policy.inherit": "all",
    "shell_environment_policy.exclude": [TOKEN],
}
WITHOUT_TOOLS: Mapping[str, Any] = {
    "features.shell_tool": False,
    "features.unified_exec": False,
    "features.view_image": False,
}
SANDBOX: Mapping[Tools, str] = {
    # Our own sandbox confines the agent; the program's own cannot be set up within it.
    "agent": "danger-full-access",
    # It loads a skill by a command of its shell, and so has that.
    "skill": "danger-full-access",
    # There is no off switch for apply_patch, so its writes are refused.
    "none": "read-only",
}


@dataclass(frozen=True, slots=True)
class Codex:
    """See `driver.AgentDriver`; `program` is the native executable."""

    program: Path
    name: ClassVar[str] = "codex"
    shape: ClassVar[ShapeName] = "responses"

    @classmethod
    def found(cls) -> Codex:
        """Return the driver of the program on this machine.

        Raises:
            SetupFailed: It is not installed.
        """
        found = programs.find("codex")
        if found.suffix != ".js":
            return cls(found)
        vendor = found.parents[2]
        native = next((path for each in NATIVE for path in sorted(vendor.glob(each))), None)
        if native is None:
            raise SetupFailed(f"{found.name}: its executable is missing; install codex again")
        return cls(native)

    def version(self) -> str:
        """Return the program's version."""
        return programs.version_of(self.program)

    def readable(self) -> tuple[Path, ...]:
        """Return the executable's folder, which has its search tool beside it."""
        return (self.program.parent.parent,)

    def invocation(
        self, call: Call, folder: RunFolder, access: Access, inside: Callable[[Path], str]
    ) -> Invocation:
        """Write `config.toml`, install the skill, and return how to start the program.

        The caller's login is not put beside it: with one, the program looks for tools at other
        hosts first. The gateway puts it into the requests.
        """
        if call.skill:
            call.skill.install(folder.skills)
        flags = ["exec", "--json", "--ephemeral", "--skip-git-repo-check", "--strict-config"]
        flags += ["--sandbox", SANDBOX[call.tools], "--model", call.model]
        for image in pictures.copy(call.images, folder.config):
            flags += ["--image", inside(image)]
        if call.schema is not None:
            schema = folder.config / "schema.json"
            schema.write_text(json.dumps(call.schema), encoding="utf-8")
            flags += ["--output-schema", inside(schema)]
        settings = _settings(call, folder, access, inside)
        lines = (
            f"{name} = {json.dumps(value, ensure_ascii=False)}\n"
            for name, value in settings.items()
        )
        (folder.config / "config.toml").write_text("".join(lines), encoding="utf-8")
        environment = scrubbed(folder, inside)
        environment |= {"CODEX_HOME": inside(folder.config), TOKEN: access.token}
        return Invocation((str(self.program), *flags), environment, stdin=call.prompt.encode())

    def report(self, lines: Iterable[bytes], code: int | None, call: Call) -> Report:
        """Read the lines that the program printed."""
        return codex_events.read(lines, code, call)


def _settings(
    call: Call, folder: RunFolder, access: Access, inside: Callable[[Path], str]
) -> dict[str, Any]:
    """Return the lines of `config.toml`, where a string or a list is written as in JSON."""
    provider = {
        "name": "harness",
        "base_url": f"{access.base_url}/v1",
        "wire_api": "responses",
        "env_key": TOKEN,
        "request_max_retries": RETRIES,
        "stream_max_retries": RETRIES,
    }
    settings = {**QUIET, **{f"model_providers.harness.{key}": provider[key] for key in provider}}
    if call.tools == "none":
        settings |= WITHOUT_TOOLS
    if call.system is not None and call.tools == "agent":
        settings["developer_instructions"] = call.system
    elif call.system is not None:
        instructions = folder.config / "system.md"
        instructions.write_text(call.system, encoding="utf-8")
        settings["model_instructions_file"] = inside(instructions)
    return settings
