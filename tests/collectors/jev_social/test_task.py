"""Task files: five fields, small, regular, and the shipped ones as they were shipped."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from collectors.jev_social.goals import search_text, wants_media
from collectors.jev_social.task import DIGESTS, FOLDER, LARGEST, load
from tests.support.collecting import TASK, written_task

CANARY = "canary-9f8e7d"
SHIPPED = sorted(FOLDER.glob("*.json"))


def refusal(path: Path) -> str:
    with pytest.raises(BenchdataError) as refused:
        load(path)
    message = str(refused.value)
    assert message.startswith("--task: ")
    assert CANARY not in message
    assert str(path.parent) not in message
    return message


def test_a_task_is_read_in_normal_form(tmp_path: Path) -> None:
    file = written_task(tmp_path, task_id=str(TASK["task_id"]).upper(), goal="  find kilns \n")
    task = load(file)
    assert (task.task_id, task.goal) == (TASK["task_id"], "find kilns")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"task_id": CANARY}, "task_id: must be a UUIDv4"),
        ({"task_id": "3f0c8f0e-5f6b-1a4e-9a3d-0c5b1d2e7f60"}, "task_id: must be a UUIDv4"),
        ({"platform": CANARY}, "platform: must be 'instagram', 'tiktok' or 'linkedin'"),
        ({"platform": "auto"}, "platform: must be 'instagram', 'tiktok' or 'linkedin'"),
        ({"goal": " "}, "goal: must not be empty"),
        ({"goal": "g" * 513}, "goal: must be at most 512 characters"),
        ({"goal": f"{CANARY}\x07"}, "goal: must not hold control characters"),
        ({"goal": 7}, "goal: must be a valid string"),
        ({"result_limit": 0}, "result_limit: must be greater than or equal to 1"),
        ({"result_limit": 101}, "result_limit: must be less than or equal to 100"),
        ({"result_limit": True}, "result_limit: must be"),
        ({"max_steps": 31}, "max_steps: must be less than or equal to 30"),
        ({"max_steps": 1.5}, "max_steps: must be"),
        ({CANARY: 1}, "has a key that no task has"),
    ],
)
def test_a_field_that_is_wrong_is_named(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    assert words in refusal(written_task(tmp_path, **changes))


@pytest.mark.parametrize("name", TASK)
def test_a_missing_field_is_named(tmp_path: Path, name: str) -> None:
    file = tmp_path / "task.json"
    file.write_text(json.dumps({key: TASK[key] for key in TASK if key != name}))
    assert f"{name}: is missing" in refusal(file)


def test_an_unknown_key_comes_before_a_missing_one(tmp_path: Path) -> None:
    file = tmp_path / "task.json"
    file.write_text(json.dumps({"goal": "g", CANARY: 1}))
    assert "has a key that no task has" in refusal(file)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[]", "must hold one JSON object"),
        (b"{", "is not strict JSON"),
        (f'{{"goal": {CANARY}}}'.encode(), "is not strict JSON"),
        (b'{"goal": "a", "goal": "b"}', "a key stands twice"),
        (b"\xff", "is not strict JSON"),
        (json.dumps(TASK).encode() + b" " * LARGEST, "must be at most 16,384 bytes"),
    ],
)
def test_a_file_that_is_no_task_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "task.json"
    file.write_bytes(content)
    assert words in refusal(file)


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    content = json.dumps(TASK).encode()
    file = tmp_path / "task.json"
    file.write_bytes(content + b" " * (LARGEST - len(content)))
    assert load(file).goal == TASK["goal"]


def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "must name a regular file" in refusal(tmp_path / "pipe")
    assert "must name a regular file" in refusal(tmp_path)
    assert "names no file that can be read" in refusal(tmp_path / CANARY)


def test_one_task_a_platform_ships() -> None:
    tasks = [load(path) for path in SHIPPED]
    assert [task.platform for task in tasks] == ["instagram", "linkedin", "tiktok"]
    assert {task.task_id for task in tasks} == DIGESTS.keys()
    assert {(task.result_limit, task.max_steps) for task in tasks} == {(4, 12)}
    assert [wants_media(task.goal) for task in tasks] == [False, False, True]
    assert all(len(search_text(task.goal)) < 40 for task in tasks)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
@pytest.mark.parametrize("change", [{"goal": "another"}, {"result_limit": 5}, {"max_steps": 11}])
def test_a_shipped_task_that_was_edited_is_refused(
    tmp_path: Path, path: Path, change: dict[str, Any]
) -> None:
    fields = json.loads(path.read_text("utf-8"))
    file = tmp_path / "edited.json"
    file.write_text(json.dumps(fields | change), "utf-8")
    assert "give an edited task a new UUIDv4" in refusal(file)
    file.write_text(json.dumps(dict(sorted(fields.items()))), "utf-8")
    assert load(file) == load(path)
