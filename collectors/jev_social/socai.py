"""Drives the `socai` command: where it is, what it can do, and one command at a time."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collectors.jev_social import documents, processes
from collectors.jev_social.environment import Config, for_socai, home
from collectors.jev_social.failures import Failure

PROBE_S = 15
ACTION_S = 480
PLATFORMS = ("instagram", "tiktok", "linkedin")
SUBCOMMANDS = (
    *("search", "get-posts", "get-videos", "profile", "author", "company", "history"),
    "page_state",
)
IDENTIFIER = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
# a leading v belongs to no word before it: `v0.6.0` is the version 0.6.0
VERSION = re.compile(
    rf"(?<![\w.])v?(\d+\.\d+\.\d+(?:-{IDENTIFIER})?(?:\+{IDENTIFIER})?)(?!\w|[.+-]\w)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Probe:
    """What a `socai` says of itself; `version` is None when it cannot be told."""

    version: str | None
    platforms: frozenset[str]


class Socai:
    """The command, with its place and its environment."""

    def __init__(self, environment: Mapping[str, str], config: Config) -> None:
        self._environment = for_socai(environment)
        self._program = _located(environment, config)

    async def probe(self) -> Probe:
        """Ask whether it is there, of which version it is and which platforms it searches."""
        present = await self._answers("--help")
        if not present:
            return Probe(None, frozenset())
        # a group, which waits for those it cancels: each has a process to end
        async with asyncio.TaskGroup() as asking:
            version = asking.create_task(self._version())
            searches = {name: asking.create_task(self._searches(name)) for name in PLATFORMS}
        found = frozenset(name for name, searched in searches.items() if searched.result())
        return Probe(version.result(), found)

    async def subcommands(self, platform: str) -> frozenset[str]:
        """Return the subcommands of a platform that this socai has; none when it does not say."""
        text = await self._help(platform) or ""
        return frozenset(name for name in SUBCOMMANDS if _word(name).search(text))

    async def runs_folder(self) -> Path | None:
        """Return where socai is configured to put its runs, if it says so."""
        try:
            output = await self._run("config", "get", "runs.dir", seconds=PROBE_S)
        except Failure:
            return None
        first = output.stdout.decode("utf-8", "replace").partition("\n")[0]
        folder = Path(first.strip().strip('"'))
        return folder if output.code == 0 and folder.is_absolute() else None

    async def act(self, arguments: Sequence[str]) -> Any:
        """Run one command and return the JSON document that it writes.

        Raises:
            Failure: As `processes.run`; SOCAI_FAILED: the exit code is not 0; EMPTY_SOCAI_OUTPUT;
                INVALID_SOCAI_OUTPUT.
        """
        output = await self._run(*arguments, seconds=ACTION_S)
        if output.code != 0:
            raise Failure("SOCAI_FAILED")
        text = output.stdout.decode("utf-8", "replace")
        if not text.strip():
            raise Failure("EMPTY_SOCAI_OUTPUT")
        try:
            document = documents.last(text)
        except ValueError:
            raise Failure("INVALID_SOCAI_OUTPUT") from None
        if isinstance(document, dict) and isinstance(document.get("data"), dict):
            return document["data"]
        return document

    async def _run(self, *arguments: str, seconds: float) -> processes.Output:
        return await processes.run((self._program, *arguments), self._environment, seconds=seconds)

    async def _answers(self, *arguments: str) -> bool:
        """Return whether a command can be run and ends well."""
        try:
            return (await self._run(*arguments, seconds=PROBE_S)).code == 0
        except Failure:
            return False

    async def _version(self) -> str | None:
        try:
            output = await self._run("--version", seconds=PROBE_S)
        except Failure:
            return None
        return version_in((output.stdout + b"\n" + output.stderr).decode("utf-8", "replace"))

    async def _help(self, platform: str) -> str | None:
        try:
            output = await self._run(platform, "--help", seconds=PROBE_S)
        except Failure:
            return None
        text = (output.stdout + b"\n" + output.stderr).decode("utf-8", "replace")
        return text if output.code == 0 else None

    async def _searches(self, platform: str) -> bool:
        if await self._answers(platform, "search", "--help"):
            return True
        text = await self._help(platform) or ""
        return re.search(r"^\s*search\b(?!-)", text, re.MULTILINE) is not None


def version_in(text: str) -> str | None:
    """Return the first version that a text holds, without a leading v."""
    match = VERSION.search(text)
    return match[1] if match else None


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


def _located(environment: Mapping[str, str], config: Config) -> str:
    """Return the program: what is named, else where it is installed, else what PATH finds."""
    named = environment.get("SOCAI_BIN", "").strip() or config.socai_bin
    if named:
        return named
    installed = home(environment) / ".socai" / "bin" / "socai"
    if os.access(installed, os.X_OK) and installed.is_file():
        return str(installed)
    return shutil.which("socai", path=environment.get("PATH", os.defpath)) or str(installed)
