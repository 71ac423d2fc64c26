"""What an agent asks for becomes a request: where its tasks come from, and how many they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from collectors.skill_eval import spec, tasks
from collectors.skill_eval.asked import OWN, SPECS, Asked, categories, request_of

TASK: dict[str, Any] = {"id": "sum", "prompt": "2 + 2?", "grader": "exact", "expected": "4"}


def of(here: Path, **arguments: Any) -> Asked:
    return Asked(**{"here": here, "skills": ("acme/skills@reader",), **arguments})


def test_tasks_given_inline_start_from_here(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    task = TASK | {"mode": "agent", "workspace": "desk"}
    request = request_of(of(tmp_path, tasks=(TASK, task | {"id": "other"})))
    assert [one.line.id for one in request.tasks] == ["sum", "other"]
    assert request.tasks[1].workspace == tmp_path / "desk"
    assert (request.name, request.category, request.folder) == (OWN, OWN, tmp_path)


def test_tasks_of_a_file_start_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "deep" / "desk").mkdir(parents=True)
    line = TASK | {"mode": "agent", "workspace": "desk"}
    (tmp_path / "deep" / "tasks.jsonl").write_text(json.dumps(line) + "\n")
    request = request_of(of(tmp_path, task_file="deep/tasks.jsonl"))
    assert request.tasks[0].workspace == tmp_path / "deep" / "desk"
    assert request.folder == tmp_path / "deep"


@pytest.mark.parametrize("category", sorted(categories()))
def test_a_category_suggests_one_task_and_gives_as_many_as_are_asked_for(
    tmp_path: Path, category: str
) -> None:
    shipped = categories()[category]
    every = tasks.read(shipped.folder / shipped.file.tasks)
    assert request_of(of(tmp_path, category=category)).tasks == every[:1]
    for count in range(1, len(every)):
        asked = of(tmp_path, category=category, task_count=count)
        assert request_of(asked).tasks == every[:count]
    request = request_of(of(tmp_path, category=category, task_count=len(every)))
    assert request.tasks == every
    assert (request.category, request.concurrency) == (category, shipped.file.concurrency)
    too_many = len(every) + 1
    with pytest.raises(BenchdataError, match=f"^task_count: {category} has {len(every)} tasks"):
        request_of(of(tmp_path, category=category, task_count=too_many))


def test_every_shipped_spec_has_a_category_of_its_own() -> None:
    assert len(categories()) == len([*SPECS.glob("*/spec.json")]) > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "give exactly one of tasks, task_file and category, not none"),
        ({"tasks": (TASK,), "category": "invoice-extraction"}, "not tasks and category"),
        ({"tasks": (TASK,), "task_file": "t", "category": "c"}, "not tasks and task_file and cat"),
        ({"tasks": (TASK,), "task_count": 1}, "task_count: goes with category alone; tasks has"),
        ({"task_file": "t", "task_count": 1}, "task_count: goes with category alone; task_file"),
        ({"category": "invoice-extractoin"}, "did you mean `invoice-extraction`"),
        ({"category": "../specs"}, "category: none is named ../specs; there are "),
        ({"tasks": ()}, "tasks: holds no task"),
        ({"tasks": (TASK, TASK)}, "sum stands twice"),
        ({"tasks": (TASK | {"grder": 1},)}, "tasks[0]: grder: is not a key here; did you mean"),
        ({"task_file": "none.jsonl"}, "none.jsonl: cannot be read"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    tmp_path: Path, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(BenchdataError) as refusal:
        request_of(of(tmp_path, **arguments))
    assert words in str(refusal.value)


def test_paths_of_skills_start_from_here_whatever_the_tasks_start_from(tmp_path: Path) -> None:
    names = ("none", "acme/skills@reader", "edge:acme/skills@reader", "skills/mine", "/a/skill")
    request = request_of(of(tmp_path, category="invoice-extraction", skills=names))
    assert request.skills == (*names[:3], str(tmp_path / "skills" / "mine"), "/a/skill")


def test_what_is_not_given_has_the_default(tmp_path: Path) -> None:
    request = request_of(of(tmp_path, tasks=(TASK,)))
    assert (request.runs, request.agent, request.model) == (None, None, None)
    assert (request.timeout_ms, request.include_no_skill) == (spec.DEFAULT_TIMEOUT_MS, True)
    given = {"runs": 3, "agent": "codex", "model": "m-1", "timeout_ms": 5_000}
    request = request_of(of(tmp_path, tasks=(TASK,), **given))
    assert {name: getattr(request, name) for name in given} == given
