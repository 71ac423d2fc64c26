"""One execution: what its agent is given, how it ends, what its row says, and what is kept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import skills, trees
from tests.support.benchmarks import ARM, SUM, bash, executed, resolved, written

LOADED = {
    "when": "Skills: mine",
    "replies": [
        {
            "tool_calls": [{"name": "Skill", "input": {"skill": "mine"}}],
            "usage": {"input_tokens": 900, "output_tokens": 30},
        },
        {
            "text": "42",
            "usage": {"input_tokens": 1_400, "output_tokens": 5, "cache_read_input_tokens": 800},
        },
    ],
}
KEPT = ["grade.json", "output.txt", "raw"]
AGENT = {"mode": "agent", "workspace": "code"}


def graded_by(body: str, folder: Path, **changes: Any) -> dict[str, Any]:
    """Return a task that a script grades."""
    folder.mkdir(exist_ok=True)
    (folder / "grade.py").write_text(f"def grade(expected, output):\n    {body}\n")
    return {"id": "sum", "prompt": "6 x 7?", "grader": "script", "script": "grade.py", **changes}


def test_only_its_own_arm_has_the_skill(tmp_path: Path) -> None:
    file = written(tmp_path / "spec", {"text": "about 40"}, script={"routes": [LOADED]})
    found = resolved(file)
    without, with_skill = (executed(found, tmp_path / "out", arm) for arm in ("none", ARM))

    assert without.ended == ("completed", None, False, 0.0)
    assert with_skill.ended == ("completed", None, True, 1.0)
    facts = ("skill_installed", "skill_listed", "skill_read", "other_skills", "turns")
    assert [without.row[name] for name in facts] == [False, False, False, 0, 1]
    assert [with_skill.row[name] for name in facts] == [True, True, True, 0, 2]
    (usage,) = with_skill.row["usage"]
    assert usage == {
        "model": "scripted",
        "input_tokens": 2_300,
        "output_tokens": 35,
        "cache_creation_tokens": 0,
        "cache_read_tokens": 800,
    }
    digest = skills.read(tmp_path / "spec" / "mine").digest
    assert (without.row["skill_digest"], with_skill.row["skill_digest"]) == (None, digest)
    assert with_skill.row["total_cost_usd"] == 0
    for one in (without, with_skill):
        assert one.left() == KEPT
        assert one.kept.stat().st_mode & 0o777 == 0o700
    assert (without.kept / "output.txt").read_text() == "about 40"
    assert json.loads((with_skill.kept / "grade.json").read_text())["passed"] is True


def test_a_document_task_offers_no_tool_but_the_skill(tmp_path: Path) -> None:
    found = resolved(written(tmp_path / "spec", bash("echo 42 > /agent/work/x"), {"text": "42"}))
    one = executed(found, tmp_path / "out", ARM)
    start = json.loads((one.kept / "raw" / "stdout.jsonl").read_text().splitlines()[0])
    assert start["tools"] == ["Skill"]


def test_an_agent_works_on_a_copy(tmp_path: Path) -> None:
    source = tmp_path / "spec" / "code"
    source.mkdir(parents=True)
    (source / "app.py").write_text("answer = 42\n")
    before = trees.digest(source)
    ruin = f"cat app.py; rm -rf * {source}; echo gone > app.py; ls; chmod 0 ."
    task = SUM | AGENT
    found = resolved(written(tmp_path / "spec", bash(ruin), {"text": "42"}, tasks=[task]))
    one = executed(found, tmp_path / "out")
    assert one.ended == ("completed", None, True, 1.0)
    assert "answer = 42" in (one.kept / "raw" / "stdout.jsonl").read_text()
    assert trees.digest(source) == before
    assert one.left() == KEPT


@pytest.mark.parametrize(
    ("last", "timeout", "ended"),
    [
        (bash("sleep 60", text="42"), 1_500, ("timeout", "agent_timeout", True, 1.0)),
        (bash("sleep 60", text="41"), 1_500, ("timeout", "agent_timeout", False, 0.0)),
        (bash("sleep 60"), 1_500, ("timeout", "agent_timeout", False, 0.0)),
        ({"status": 400, "consume": False}, 60_000, ("agent_error", "agent_exit", False, 0.0)),
    ],
)
def test_what_a_run_left_is_graded_however_it_ended(
    tmp_path: Path, last: dict[str, Any], timeout: int, ended: tuple[Any, ...]
) -> None:
    file = written(tmp_path / "spec", last, tasks=[SUM | {"mode": "agent"}], timeout=timeout)
    one = executed(resolved(file), tmp_path / "out")
    assert one.ended == ended
    assert one.left() == KEPT
    assert one.row["timeout_ms"] == timeout


def test_an_agent_that_breaks_after_its_answer_is_graded_on_that(tmp_path: Path) -> None:
    replies = (bash("true", text="42"), {"status": 400, "consume": False})
    file = written(tmp_path / "spec", *replies, tasks=[SUM | {"mode": "agent"}])
    one = executed(resolved(file), tmp_path / "out")
    assert one.ended == ("agent_error", "agent_exit", True, 1.0)
    assert one.row["turns"] == 1


@pytest.mark.parametrize(
    ("status", "reason"), [(429, "rate_limited"), (529, "api_unavailable"), (401, "auth")]
)
def test_what_the_infrastructure_loses_is_not_graded(
    tmp_path: Path, status: int, reason: str
) -> None:
    file = written(tmp_path / "spec", {"status": status, "consume": False})
    one = executed(resolved(file), tmp_path / "out")
    assert one.ended == ("infrastructure", reason, None, None)
    assert one.left() == ["output.txt", "raw"]


def test_a_grader_that_fails_is_no_failure_of_the_agent(tmp_path: Path) -> None:
    task = graded_by("raise ValueError('no such key')", tmp_path / "spec")
    found = resolved(written(tmp_path / "spec", {"text": "42"}, tasks=[task]))
    one = executed(found, tmp_path / "out")
    assert one.ended == ("grading_error", "verifier_failed", None, None)
    assert "no such key" in json.loads((one.kept / "grade.json").read_text())["failed"]
    assert one.row["usage"]


def test_a_halt_ends_it_without_a_grade(tmp_path: Path) -> None:
    task = SUM | {"mode": "agent"}
    found = resolved(written(tmp_path / "spec", bash("sleep 60", text="42"), tasks=[task]))
    one = executed(found, tmp_path / "out", halted=True)
    assert one.ended == ("interrupted", None, None, None)
    assert one.row["timing_ms"]["total"] < 20_000


CHANGES: dict[str, Callable[[Path], object]] = {
    "task sum: workspace: changed after it was read": lambda folder: (
        folder / "code" / "app.py"
    ).write_text("answer = 43\n"),
    "the workspace cannot be given: code: is not a folder": lambda folder: shutil.rmtree(
        folder / "code"
    ),
    "mine: the skill's files changed after they were read": lambda folder: (
        folder / "mine" / "more.md"
    ).touch(),
}


@pytest.mark.parametrize("said", CHANGES)
def test_what_changed_since_the_plan_is_not_run(tmp_path: Path, said: str) -> None:
    (tmp_path / "spec" / "code").mkdir(parents=True)
    (tmp_path / "spec" / "code" / "app.py").write_text("answer = 42\n")
    found = resolved(written(tmp_path / "spec", {"text": "42"}, tasks=[SUM | AGENT]))
    CHANGES[said](tmp_path / "spec")
    one = executed(found, tmp_path / "out", ARM)
    assert one.ended == ("infrastructure", "setup_failed", None, None)
    assert said in (one.kept / "harness-error.txt").read_text()
    assert one.left() == ["harness-error.txt", "raw"]


def test_a_grading_script_that_changed_since_the_plan_grades_nothing(tmp_path: Path) -> None:
    task = graded_by("return {'pass': False}", tmp_path / "spec")
    found = resolved(written(tmp_path / "spec", {"text": "42"}, tasks=[task]))
    graded_by("return {'pass': True}", tmp_path / "spec")
    one = executed(found, tmp_path / "out")
    assert one.ended == ("grading_error", "verifier_failed", None, None)
    assert "script: changed after it was read" in (one.kept / "grade.json").read_text()
