"""Lane files are whole, their pins are exact and hold no address, and starters are made once."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from collectors.build_bench import lanes, references, starters
from collectors.build_bench.lanes import LOCK_FILES, Lane
from collectors.build_bench.starters import NotPrepared, Starter
from collectors.build_bench.tasks import TASKS

ALL = list(lanes.lanes().values())
OBTAINABLE = [lane for lane in ALL if lane.unobtainable is None]
EXACT = r"\d+(\.\d+)+"


@pytest.mark.parametrize("lane", OBTAINABLE, ids=lambda lane: lane.id)
def test_a_lane_pins_its_framework_and_tells_its_version(lane: Lane) -> None:
    version = lane.pinned_version()
    assert (version is None) == (lane.dependencies == "none")
    assert version is None or re.fullmatch(EXACT, version)
    assert version is None or version in lane.context
    assert "start.sh" in lane.context


@pytest.mark.parametrize("lane", ALL, ids=lambda lane: lane.id)
def test_a_lane_has_references_or_says_why_not(lane: Lane) -> None:
    has = [task for task in TASKS if references.has(lane.id, task)]
    assert (lane.why_no_reference is None) == (has != [])
    for task in has:
        assert "start.sh" in references.files(lane.id, task)


@pytest.mark.parametrize("lane", OBTAINABLE, ids=lambda lane: lane.id)
def test_every_pin_has_a_hash_and_no_source(lane: Lane) -> None:
    for path in lane.lock_files:
        text = path.read_text("utf-8")
        assert '"resolved"' not in text
        if path.name == "requirements.txt":
            names = re.findall(r"^[\w.-]+==.*", text, re.MULTILINE)
            hashed = re.findall(r"^[\w.-]+==.* \\\n    --hash=sha256:", text, re.MULTILINE)
            assert len(names) == len(hashed) > 0
            assert "://" not in text
        elif path.name == "package-lock.json":
            packages = json.loads(text)["packages"]
            assert all("integrity" in package for name, package in packages.items() if name)
        else:
            wanted = json.loads(text)["dependencies"].values()
            assert all(re.fullmatch(EXACT, version) for version in wanted)


def test_other_pins_are_another_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lane = lanes.lane("express")
    before = lane.lockfile_digest
    (tmp_path / "express").mkdir()
    for name in LOCK_FILES["npm"]:
        (tmp_path / "express" / name).write_text(f"{name} of another day", "utf-8")
    monkeypatch.setattr(lanes, "FOLDER", tmp_path)
    assert lane.lockfile_digest != before


def test_a_starter_is_made_once_and_used_as_it_is(fastapi: Starter) -> None:
    (folder, base) = fastapi.readable
    made = (folder / ".ready").stat().st_mtime_ns
    again = starters.prepare(lanes.lane("fastapi"))
    assert again == fastapi
    assert (folder / ".ready").stat().st_mtime_ns == made
    assert (fastapi.path[0] / "uvicorn").is_file()
    assert base.is_dir()


@pytest.mark.usefixtures("node")
def test_a_lane_without_dependencies_is_its_runtime() -> None:
    starter = starters.prepare(lanes.lane("node"))
    assert starter.modules is None
    assert starter.framework_version == starter.runtime_version
    assert re.fullmatch(EXACT, starter.runtime_version)


def test_dependencies_that_cannot_be_installed_are_an_error_and_leave_nothing_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lane = lanes.lane("flask")
    (tmp_path / "lanes" / "flask").mkdir(parents=True)
    pins = tmp_path / "lanes" / "flask" / "requirements.txt"
    pins.write_text("flask==0.0.0\n", "utf-8")  # without a hash
    monkeypatch.setattr(lanes, "FOLDER", tmp_path / "lanes")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(NotPrepared, match="lane flask: its dependencies cannot be installed"):
        starters.prepare(lane)
    assert list((tmp_path / "cache").rglob(".ready")) == []


def test_a_lane_that_cannot_be_had_says_why() -> None:
    with pytest.raises(NotPrepared, match="JSR"):
        starters.prepare(lanes.lane("netscript"))


@pytest.mark.slow
@pytest.mark.parametrize("lane", OBTAINABLE, ids=lambda lane: lane.id)
def test_every_starter_can_be_prepared(lane: Lane) -> None:
    for program in ("node", "npm"):
        if lane.runtime != "python" and shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    starter = starters.prepare(lane)
    assert starter.framework_version == (lane.pinned_version() or starter.runtime_version)
    assert all(folder.is_dir() for folder in starter.path)
