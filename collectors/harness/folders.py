"""The private folder of one run: what the agent sees, and beside it what only we see."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from collectors.harness import trees
from collectors.harness.failures import NotBegun, Reason, SetupFailed

T = TypeVar("T")

PRIVATE = 0o700
FAULT = "harness-error.txt"
"""Where it is kept what went wrong on our side."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One run's folder. The agent sees `agent` and nothing else of it; `raw` is ours.

    The temporary files and the settings of the agent program lie side by side and never one in the
    other: codex cannot start a shell when its settings lie in the temporary folder.
    """

    root: Path

    @property
    def agent(self) -> Path:
        """All that the agent sees, and the only place where it may write."""
        return self.root / "agent"

    @property
    def work(self) -> Path:
        """Where the agent starts and leaves its result."""
        return self.agent / "work"

    @property
    def home(self) -> Path:
        """The agent's home folder."""
        return self.agent / "home"

    @property
    def config(self) -> Path:
        """The agent program's settings and skills, fresh in every run."""
        return self.agent / "config"

    @property
    def skills(self) -> Path:
        """Where the agent program discovers skills."""
        return self.config / "skills"

    @property
    def tmp(self) -> Path:
        """The agent's temporary folder."""
        return self.agent / "tmp"

    @property
    def raw(self) -> Path:
        """What was recorded of the run, out of the agent's reach."""
        return self.root / "raw"

    @property
    def stdout(self) -> Path:
        """The lines that the agent program printed, as they came."""
        return self.raw / "stdout.jsonl"

    @property
    def stderr(self) -> Path:
        """What the agent program said besides."""
        return self.raw / "stderr.txt"

    @property
    def requests(self) -> Path:
        """The gateway's log of the run's requests, without the credential."""
        return self.raw / "requests.jsonl"

    @property
    def visits(self) -> Path:
        """The log of the hosts that the agent asked for; empty where there is no way to any."""
        return self.raw / "egress.jsonl"

    @property
    def profile(self) -> Path:
        """What the sandbox let the agent see and reach, and how it held it."""
        return self.raw / "sandbox.json"

    @property
    def scratch(self) -> Path:
        """Where a collector works on copies of what the agent made, if it does."""
        return self.root / "scratch"

    def remove(self) -> None:
        """Remove what the agent saw and made, with all copies; what was recorded stays."""
        for place in (self.agent, self.scratch):
            if place.exists():
                trees.remove(place)


def create(root: Path) -> RunFolder:
    """Make the folder of a new run at `root`, readable to its owner only.

    Raises:
        SetupFailed: Something is there already, or the folder cannot be made.
    """
    folder = RunFolder(root.resolve())
    wanted = (folder.agent, folder.raw, folder.work, folder.home, folder.config, folder.tmp)
    try:
        folder.root.mkdir(PRIVATE, parents=True)
        for path in wanted:
            path.mkdir(PRIVATE)
    except FileExistsError:
        raise SetupFailed(
            f"{root.name}: this run's folder is there already; runs never overwrite one another"
        ) from None
    except OSError as error:
        raise SetupFailed(f"{root.name}: no folder for the run: {error.strerror}") from None
    return folder


def used(root: Path, work: Callable[[RunFolder], T], lost: Callable[[Reason], T]) -> T:
    """Return what some work comes to in a new folder, of which what was recorded is left.

    Whatever the work raises is kept there, and `lost` makes a result of the reason.

    Raises:
        NotBegun: By the work.
    """
    try:
        folder = create(root)
        try:
            return work(folder)
        finally:
            folder.remove()
    except NotBegun as failure:
        keep(root, FAULT, str(failure))
        raise
    except SetupFailed as failure:
        keep(root, FAULT, str(failure))
        return lost("setup_failed")
    except Exception:  # noqa: BLE001 -- a row whatever happens; the fault is kept beside it
        keep(root, FAULT, traceback.format_exc())
        return lost("harness_error")


def keep(folder: Path, name: str, text: str) -> None:
    """Keep a text beside a run; a disk that is full loses it and not the row."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", "backslashreplace")
