"""A place with stand-ins in which an attempt is made within this process."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL
from collectors.jev_social.attempt import attempt
from collectors.jev_social.settings import Settings, settings_of
from collectors.jev_social.signals import Stop
from tests.support.collecting import PINS, written_task
from tests.support.decision_server import Reply, Server
from tests.support.socai_stand_in import Script, calls, direct
from tests.support.stand_ins import stand_ins


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
