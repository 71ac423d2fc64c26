"""Places with stand-ins: for an attempt within this process, for commands, and for a series."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL
from collectors.jev_social.attempt import attempt
from collectors.jev_social.settings import Settings, settings_of
from collectors.jev_social.signals import Stop
from tests.support.collecting import PINS, collected, flags, wait_until, written_task
from tests.support.command import ROOT, Done, ended
from tests.support.decision_server import Reply, Server
from tests.support.intake import rows_of
from tests.support.socai_stand_in import Script, calls, direct
from tests.support.stand_ins import stand_ins

SCRIPT = "from collectors.jev_social.cli import benchmark; benchmark()"
COMMANDS = {
    "benchdata": ("-m", "benchdata", "collect", "jev-social"),
    "jev-social-benchmark": ("-c", SCRIPT),
}


class Made(NamedTuple):
    """The row of an attempt and the stages it went through."""

    row: dict[str, Any]
    stages: list[str]

    @property
    def end(self) -> tuple[str, str]:
        """How it ended."""
        return self.row["outcome"], self.row["stop_reason"]


class Bench:
    """A folder with stand-ins; both obey scripts that can be changed."""

    def __init__(self, folder: Path, server: Server, variables: dict[str, str]) -> None:
        self.folder = folder
        self.server = server
        self.variables = {"PATH": os.environ["PATH"], **variables}
        self.pins = dict(PINS)
        self.stop = Stop()

    def socai(self, script: Script) -> None:
        """Let the command obey a script."""
        direct(self.folder / "bin", script)

    def decisions(self, *replies: Reply) -> None:
        """Let the server say these and then decide sensibly."""
        self.server.replies[:] = replies

    def settings(self, **task: Any) -> Settings:
        """Return the settings of an attempt."""
        file = written_task(self.folder, **task)
        return settings_of({"--task": str(file), **self.pins}, self.variables)

    def attempt(self, **task: Any) -> Made:
        """Make an attempt; its row must be valid and in normal form."""
        stages: list[str] = []
        settings, run_id = self.settings(**task), str(uuid.uuid4())
        row = attempt(settings, run_id=run_id, stop=self.stop, say=stages.append)
        assert JEV_SOCIAL.validate(row) == row
        assert (row["schema_version"], row["run_id"]) == (2, run_id)
        return Made(row, stages)

    def actions(self) -> list[list[str]]:
        """Return the arguments of the commands that were run, without probes."""
        argvs = [call["argv"] for call in calls(self.folder / "bin")]
        return [argv for argv in argvs if argv[-1] == "--pretty"]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Stand-ins that work."""
    with stand_ins(tmp_path) as (server, variables):
        yield Bench(tmp_path, server, variables)


class Place:
    """A folder with stand-ins, and the commands started in it."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder = folder
        self.task = written_task(folder)
        self.variables = os.environ | variables | {"PYTHONPATH": str(ROOT)}

    def start(self, command: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start one of the commands."""
        return subprocess.Popen(
            [sys.executable, "-W", "error", *COMMANDS[command], *arguments],
            env=self.variables,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, command: str, *arguments: str) -> Done:
        """Run one of the commands to its end."""
        return ended(self.start(command, *arguments))

    def searching(self) -> int:
        """Return the process id of the search, once there is one."""

        def found() -> list[int]:
            made = calls(self.folder / "bin")
            return [
                call["pid"]
                for call in made
                if call["argv"][1:2] == ["search"] and "--help" not in call["argv"]
            ]

        wait_until(lambda: found() != [])
        return found()[0]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Stand-ins that work, and the commands."""
    with stand_ins(tmp_path) as (_, variables):
        yield Place(tmp_path, variables)


class Series:
    """A folder with stand-ins, a task and a file of rows."""

    def __init__(self, folder: Path, server: Server, variables: dict[str, str]) -> None:
        self.bin = folder / "bin"
        self.task = written_task(folder)
        self.file = folder / "rows.ndjson"
        self.journal = folder / "rows.ndjson.journal"
        self.server = server
        self.variables = variables

    def hang(self) -> None:
        """Let searches hang, deaf to SIGTERM, each with a child that holds its pipes open."""
        answer = {"when": "tiktok search", "ignore_term": True, "spawn": 60, "sleep": 60}
        direct(self.bin, {"answers": [answer]})

    def arguments(self, count: int | str, **changes: str | None) -> list[str]:
        """Return the flags of a series of `count` rows; `_` for `-` in those that change."""
        more = {f"--{name.replace('_', '-')}": value for name, value in changes.items()}
        return flags(self.task, {"--repeat": str(count), "--append": str(self.file), **more})

    def collect(self, count: int | str, **changes: str | None) -> Done:
        """Run a series to its end."""
        return collected(self.variables, *self.arguments(count, **changes))

    def journalled(self) -> list[str]:
        """Return the run ids in the journal."""
        return [row["run_id"] for row in rows_of(self.journal)]

    def runs(self) -> list[str]:
        """Return the run ids of the file, each of whose rows is valid."""
        return [JEV_SOCIAL.validate(row)["run_id"] for row in rows_of(self.file)]

    def unwritten(self) -> set[str]:
        """Return the run ids in the journal without a row."""
        return set(self.journalled()) - set(self.runs() if self.file.exists() else [])

    def wait_for_journal(self, size: int) -> None:
        """Wait until the journal has more than `size` bytes."""
        wait_until(lambda: self.journal.exists() and self.journal.stat().st_size > size)

    def searching(self) -> list[int]:
        """Return the process ids of searches."""
        return [
            call["pid"]
            for call in calls(self.bin)
            if call["argv"][1:2] == ["search"] and "--help" not in call["argv"]
        ]


@pytest.fixture
def series(tmp_path: Path) -> Iterator[Series]:
    """Stand-ins that work, and no rows yet."""
    with stand_ins(tmp_path) as (server, variables):
        yield Series(tmp_path, server, variables)
