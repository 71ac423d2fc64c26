"""What a sandbox let an agent see is written down as it was, and only once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collectors.harness import folders, profiles
from collectors.harness.folders import RunFolder
from collectors.harness.sandbox.bubblewrap import Bubblewrap
from collectors.harness.sandbox.provider import Limits, Room
from collectors.harness.sandbox.workspace import Workspace


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folders.create(tmp_path / "run")


def test_bubblewrap_is_written_down_with_every_option(folder: RunFolder, tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    room = Room(folder.agent, (shown,), {8100: tmp_path / "socket"}, Limits(open_files=99))
    profiles.write(folder.profile, Bubblewrap(), room, ("b.invalid:443", "a.invalid:443"))
    found = json.loads(folder.profile.read_text("utf-8"))
    assert (found["sandbox"], found["starts_in"]) == ("bubblewrap", "/agent/work")
    assert (found["ports"], found["hosts"]) == ([8100], ["a.invalid:443", "b.invalid:443"])
    options = " ".join(found["bubblewrap"])
    assert "--unshare-all" in options
    assert f"--ro-bind {shown} {shown}" in options
    assert f"--bind {folder.agent} /agent" in options
    assert found["rlimits"]["RLIMIT_NOFILE"] == found["limits"]["open_files"] == 99
    assert len(found["seccomp"]) == 64


def test_the_weaker_sandbox_says_that_it_holds_less(folder: RunFolder) -> None:
    profiles.write(folder.profile, Workspace("it was asked for"), Room(folder.agent), ())
    found = json.loads(folder.profile.read_text("utf-8"))
    assert found["sandbox"] == "workspace"
    assert "files and network not confined" in found["weakness"]
    assert "bubblewrap" not in found


def test_a_record_is_never_overwritten(folder: RunFolder) -> None:
    profiles.write(folder.profile, Workspace("x"), Room(folder.agent), ())
    with pytest.raises(FileExistsError):
        profiles.write(folder.profile, Workspace("x"), Room(folder.agent), ())
