"""The folder of a run: private, never overwritten, and what the agent saw goes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.harness import folders
from collectors.harness.failures import SetupFailed


def test_everything_in_it_is_private(tmp_path: Path) -> None:
    folder = folders.create(tmp_path / "runs" / "one")
    inner = [path for path in folder.root.rglob("*") if path.is_dir()]
    assert {path.stat().st_mode & 0o777 for path in (folder.root, *inner)} == {0o700}


def test_what_is_ours_lies_beside_what_the_agent_sees(tmp_path: Path) -> None:
    folder = folders.create(tmp_path / "run")
    seen = (folder.work, folder.home, folder.config, folder.tmp)
    assert all(path.is_dir() and path.parent == folder.agent for path in seen)
    ours = (folder.stdout, folder.stderr, folder.requests)
    assert all(path.parent == folder.raw for path in ours)
    assert not folder.raw.is_relative_to(folder.agent)


def test_the_settings_lie_outside_the_temporary_folder(tmp_path: Path) -> None:
    """Trap 1: codex starts no command otherwise."""
    folder = folders.create(tmp_path / "run")
    assert not folder.config.is_relative_to(folder.tmp)
    assert not folder.tmp.is_relative_to(folder.config)


def test_a_run_never_overwrites_another(tmp_path: Path) -> None:
    first = folders.create(tmp_path / "run")
    (first.work / "result").write_text("kept")
    with pytest.raises(SetupFailed, match="never overwrite"):
        folders.create(tmp_path / "run")
    assert (first.work / "result").read_text() == "kept"


def test_a_place_that_takes_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SetupFailed, match="no folder for the run"):
        folders.create(tmp_path / "file" / "run")


def test_what_was_recorded_outlives_what_the_agent_saw(tmp_path: Path) -> None:
    """Trap 18: what an agent leaves in its temporary folder goes with the run."""
    folder = folders.create(tmp_path / "run")
    (folder.tmp / "left" / "behind").mkdir(parents=True)
    (folder.work / "link").symlink_to(folder.raw)
    folder.stdout.write_text("{}\n")
    folder.remove()
    assert not folder.agent.exists()
    assert folder.stdout.read_text() == "{}\n"
