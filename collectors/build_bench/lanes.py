"""The lanes: a framework, its runtime, and how its dependencies are prepared."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from benchdata.errors import BenchdataError, did_you_mean
from collectors.build_bench.digests import contents, digest

FOLDER = Path(__file__).parent / "lanes"
LOCK_FILES = {
    "pip": ("requirements.txt",),
    "npm": ("package.json", "package-lock.json"),
    "none": (),
}
"""The files that pin a lane's dependencies, by what installs them."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One lane file: `lane.toml`, beside it what agents are told and the pins.

    `tools` are patterns of folders that hold programs, `package` is the one whose version is the
    framework's: without it the framework is the runtime. `without_reference` and `unobtainable`
    say why there is no reference, and why not even agents can run in it.
    """

    title: str
    language: str
    runtime: Literal["python", "node", "deno"]
    dependencies: Literal["pip", "npm", "none"]
    id: str = ""
    package: str | None = None
    tools: tuple[str, ...] = ()
    without_reference: str | None = None
    unobtainable: str | None = None

    @property
    def folder(self) -> Path:
        """Where the lane's files lie."""
        return FOLDER / self.id

    @property
    def context(self) -> str:
        """What an agent is told of the lane: versions, tools, where the dependencies are."""
        return (self.folder / "context.md").read_text("utf-8")

    @property
    def lock_files(self) -> tuple[Path, ...]:
        """The files that pin the dependencies."""
        return tuple(self.folder / name for name in LOCK_FILES[self.dependencies])

    @property
    def lockfile_digest(self) -> str:
        """The digest of the pins; of nothing where there are no dependencies."""
        return digest(contents(self.lock_files))

    @property
    def why_no_reference(self) -> str | None:
        """Why the lane has no reference, or None when it has."""
        return self.unobtainable or self.without_reference

    def pinned_version(self) -> str | None:
        """Return the version of the framework in the pins, or None when it is the runtime."""
        if self.package is None:
            return None
        text = self.lock_files[-1].read_text("utf-8")
        if self.dependencies == "npm":
            version: str = json.loads(text)["packages"][f"node_modules/{self.package}"]["version"]
            return version
        found = re.search(rf"^{re.escape(self.package)}==([^\s;]+)", text, re.MULTILINE)
        assert found is not None
        return found[1]


@cache
def lanes() -> dict[str, Lane]:
    """Return every lane by its id."""
    return {path.parent.name: _read(path) for path in sorted(FOLDER.glob("*/lane.toml"))}


def lane(name: str) -> Lane:
    """Return a lane.

    Raises:
        BenchdataError: There is none of that name.
    """
    if name not in lanes():
        hint = did_you_mean(name, list(lanes()))
        raise BenchdataError(f"--lane: no lane is named so{hint}; there are: {', '.join(lanes())}")
    return lanes()[name]


def _read(path: Path) -> Lane:
    table = tomllib.loads(path.read_text("utf-8"))
    tools = tuple(table.pop("tools", ()))
    return replace(Lane(**table), id=path.parent.name, tools=tools)
