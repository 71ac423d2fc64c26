"""Loading a suite: what it gives, and everything that it refuses."""

from __future__ import annotations

import json
import py_compile
from collections.abc import Callable
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.skill_eval.suite.suite import load
from tests.support import open_tasks


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return open_tasks.suite(tmp_path / "posters", ("one", "two"), check="return True")


def rewritten(task: Path, **changes: object) -> None:
    """Change keys of a task; a value of None takes the key away."""
    file = task / "task.json"
    facts = json.loads(file.read_text()) | changes
    file.write_text(json.dumps({key: value for key, value in facts.items() if value is not None}))


def test_gives_the_tasks_in_the_order_of_their_ids(folder: Path) -> None:
    open_tasks.task(folder, "alpha")
    suite = load(folder)
    assert (suite.name, suite.folder) == ("posters", folder.resolve())
    assert [task.id for task in suite.tasks] == ["alpha", "one", "two"]
    alpha, one, _ = suite.tasks
    assert one.file.render.kind == "image"
    assert one.input == folder / "one" / "input"
    assert (alpha.check, one.check) == (None, folder / "one" / "check.py")
    assert one.file.timeout_ms is None


def test_does_not_read_hidden_folders_and_files_beside_the_tasks(folder: Path) -> None:
    before = load(folder)
    (folder / ".git").mkdir()
    (folder / "README.md").write_text("Six posters.")
    py_compile.compile(str(folder / "one" / "check.py"))
    assert (folder / "one" / "__pycache__").is_dir()
    assert load(folder) == before


def test_a_relative_folder_has_the_name_of_its_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert load(Path()).name == "posters"


def linked_input(folder: Path) -> None:
    (folder / "one" / "input" / "more").symlink_to("good.png")


def linked_part(folder: Path) -> None:
    (folder / "one" / "input").rename(folder.parent / "elsewhere")
    (folder / "one" / "input").symlink_to(folder.parent / "elsewhere")


def linked_task(folder: Path) -> None:
    (folder / "three").symlink_to("two")


def misspelt(folder: Path) -> None:
    (folder / "one" / "input").rename(folder / "one" / "inputs")


def emptied(folder: Path) -> None:
    (folder / "one" / "task.json").unlink()


def twice(folder: Path) -> None:
    rewritten(folder / "two", prompt="draw  PAGE one\nas page.png.")


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no task.json": (emptied, "suite posters: one: has no task.json"),
    "no input": (misspelt, "one: has no input; there is inputs"),
    "another part": (
        lambda folder: (folder / "one" / "notes.md").write_text("x"),
        "one: notes.md: a task holds task.json, input, check.py and nothing else",
    ),
    "a link in the input": (linked_input, "one: input/more: is a link"),
    "a link for the input": (linked_part, "one: input: is a link"),
    "a link for a task": (linked_task, "suite posters: three: is a link"),
    "another id": (
        lambda folder: rewritten(folder / "one", id="uno"),
        "one: task.json: id: uno is not the name of its folder",
    ),
    "an unknown key": (
        lambda folder: rewritten(folder / "one", promt="x"),
        "one: task.json: promt: is not a key here; did you mean `prompt`?",
    ),
    "no prompt": (
        lambda folder: rewritten(folder / "one", prompt=None),
        "one: task.json: prompt: is missing",
    ),
    "a blank prompt": (
        lambda folder: rewritten(folder / "one", prompt=" \n"),
        "one: task.json: prompt: ",
    ),
    "nothing required": (
        lambda folder: rewritten(folder / "one", required=[]),
        "one: task.json: required: must hold at least 1 item",
    ),
    "an unknown kind": (
        lambda folder: rewritten(folder / "one", render={"kind": "hologram", "entry": "a.png"}),
        "one: task.json: render.kind: ",
    ),
    "an entry outside": (
        lambda folder: rewritten(folder / "one", render={"kind": "image", "entry": "../a.png"}),
        "one: task.json: render.entry: must be a path within the artefact's folder",
    ),
    "no JSON": (
        lambda folder: (folder / "one" / "task.json").write_text("{"),
        "one: task.json: ",
    ),
    "a check that is no Python": (
        lambda folder: (folder / "one" / "check.py").write_text("def check(artefact:"),
        "one: check.py:1: is no Python",
    ),
    "a check without its function": (
        lambda folder: (folder / "one" / "check.py").write_text("def grade(artefact): ..."),
        "one: check.py:1: defines no function `check(artefact)`",
    ),
    "twice the same": (twice, "suite posters: two: gives agents the same prompt and input as one"),
}


@pytest.mark.parametrize(("spoil", "words"), FAULTS.values(), ids=FAULTS)
def test_refuses(folder: Path, spoil: Callable[[Path], object], words: str) -> None:
    spoil(folder)
    with pytest.raises(BenchdataError) as refused:
        load(folder)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing", "suite missing: cannot be read: No such file or directory"),
        ("empty", "suite empty: holds no task; a task is a folder with task.json"),
        ("My Posters", "suite My Posters: the folder's name must be small letters, digits and -"),
    ],
)
def test_refuses_a_folder_that_is_no_suite(tmp_path: Path, name: str, words: str) -> None:
    if name != "missing":
        (tmp_path / name).mkdir()
    with pytest.raises(BenchdataError) as refused:
        load(tmp_path / name)
    assert words in str(refused.value)
