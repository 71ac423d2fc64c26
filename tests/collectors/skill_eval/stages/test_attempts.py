"""One run of a stage: what an arm makes ready for it, what it keeps, and what changed meanwhile."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.skill_run import SKILL_RUN
from collectors.harness.agents.driver import Call
from collectors.harness.attempt import Setting
from collectors.harness.folders import RunFolder
from collectors.harness.running import Halt
from collectors.harness.schedule import Attempt, Cell
from collectors.skill_eval.arms import Arm
from collectors.skill_eval.judge.resolving import ENDPOINT
from collectors.skill_eval.stages import binding
from collectors.skill_eval.stages.arms import StageArm
from collectors.skill_eval.stages.attempts import Attempts
from collectors.skill_eval.stages.binding import Asked
from collectors.skill_eval.stages.staged import Staged
from tests.support.benchmarks import bash
from tests.support.open_tasks import MODEL, NOBODY, laid_out

TELLS = {"replies": [bash("greet > page.png; cat $HOME/note >> page.png")]}


@contextmanager
def equipped(call: Call, setting: Setting, folder: RunFolder) -> Iterator[tuple[Call, Setting]]:
    """Give a run a program and a note, and keep what it left outside of its work folder."""
    tools = folder.root / "tools"
    tools.mkdir()
    (tools / "greet").write_text("#!/bin/sh\necho hello\n")
    (tools / "greet").chmod(0o755)
    (folder.home / "note").write_text("noted\n")
    yield call, replace(setting, path=(tools,), readable=(tools,))
    shutil.copy(folder.home / "note", folder.root / "kept.txt")


def bound(folder: Path, *arms: StageArm) -> Staged:
    """Return a router stage of a suite of one task."""
    asked = Asked("router", str(folder / "suite"), 1, "scripted", None, "openai", MODEL)
    return binding.bound(asked, arms, {ENDPOINT: f"{NOBODY}/v1"})


def executed(staged: Staged, folder: Path, arm: str) -> tuple[Mapping[str, Any], Path]:
    """Execute one run; return its valid row, and where lies what was kept of it."""
    attempt = Attempt(str(uuid.uuid4()), 0, "2026-12-01T00:00:00.000Z", None)
    attempts = Attempts(staged, str(uuid.uuid4()), "7" * 64, folder)
    row = attempts(Cell(arm, "one", 1, 0), attempt, Halt(folder / "halt"))
    return SKILL_RUN.validate(row), folder / ".runs" / attempt.run_id


def test_an_arm_makes_its_runs_ready_and_no_others(tmp_path: Path) -> None:
    laid_out(tmp_path, names=["one"], script=TELLS)
    arms = (StageArm(Arm("base")), StageArm(Arm("edge"), equipped, {"connector": "1.2.3"}))
    staged = bound(tmp_path, *arms)
    left = {}
    for arm in ("base", "edge"):
        row, kept = executed(staged, tmp_path, arm)
        assert (row["outcome"], row["arm"], row["stage"]) == ("completed", arm, "router")
        left[arm] = (kept / "artefact" / "page.png").read_text()
        assert (kept / "kept.txt").exists() == (arm == "edge")
        assert not (kept / "agent").exists()
    assert left == {"base": "", "edge": "hello\nnoted\n"}
    assert staged.spec["arms"] == {
        "base": {"skill": None},
        "edge": {"skill": None, "connector": "1.2.3"},
    }


def test_what_fails_to_get_ready_is_the_machines_fault(tmp_path: Path) -> None:
    @contextmanager
    def broken(*_: object) -> Iterator[tuple[Call, Setting]]:
        raise OSError("no such proxy")
        yield

    laid_out(tmp_path, names=["one"])
    row, kept = executed(bound(tmp_path, StageArm(Arm("base"), broken)), tmp_path, "base")
    assert (row["outcome"], row["failure_reason"]) == ("infrastructure", "harness_error")
    assert "no such proxy" in (kept / "harness-error.txt").read_text()


def test_an_input_that_changed_since_the_plan_is_not_given(tmp_path: Path) -> None:
    laid_out(tmp_path, names=["one"])
    staged = bound(tmp_path, StageArm(Arm("base")))
    (tmp_path / "suite" / "one" / "input" / "more.txt").touch()
    row, kept = executed(staged, tmp_path, "base")
    assert (row["outcome"], row["failure_reason"]) == ("infrastructure", "setup_failed")
    said = (kept / "harness-error.txt").read_text()
    assert said == "task one: input: changed after it was read"


@pytest.mark.parametrize("command", ["sleep 60", "rm -rf * && chmod 0 . && exit 1"])
def test_a_run_that_is_ended_or_shuts_its_folder_leaves_what_it_left(
    tmp_path: Path, command: str
) -> None:
    script = {"replies": [bash(f"cp good.png page.png; {command}")], "default": {"text": "Done."}}
    laid_out(tmp_path, names=["one"], script=script)
    staged = bound(tmp_path, StageArm(Arm("base")))
    staged = replace(staged, setting=replace(staged.setting, timeout_s=3.0))
    row, kept = executed(staged, tmp_path, "base")
    left = len([*(kept / "artefact").iterdir()])
    assert (row["outcome"], left) == (("timeout", 3) if "sleep" in command else ("completed", 0))
