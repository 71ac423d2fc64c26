"""A suite on disk: a folder for each task, with `task.json`, `input/` and perhaps `check.py`."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from benchdata.contracts.grammar import SLUG, Slug
from benchdata.errors import BenchdataError, did_you_mean, shorten
from benchdata.rows.strict_json import encode
from collectors.harness import documents, trees
from collectors.harness.documents import Document
from collectors.skill_eval.graders import script
from collectors.skill_eval.renderers.render import Render
from collectors.skill_eval.spec import TimeoutMs
from collectors.skill_eval.suite import checking

TASK, INPUT, CHECK = "task.json", "input", "check.py"
PARTS = (TASK, INPUT, CHECK)
"""All that a task's folder may hold; only the last may be missing."""
COMPILED = "__pycache__"
"""What Python, or an editor, leaves beside a check that it has looked at: no part of the task."""
LONGEST_PROMPT = 20_000
LONGEST_LINE = 500

Line = Annotated[str, Field(min_length=1, max_length=LONGEST_LINE, pattern=r"\S")]


class TaskFile(Document):
    """What stands in `task.json`.

    `prompt` is all that the agent is told. `required` is what an answer must show, one thing an
    item, as the judge is told it. Without `timeout_ms` the command's own limit holds.
    """

    id: Slug
    title: Line
    prompt: Annotated[str, Field(min_length=1, max_length=LONGEST_PROMPT, pattern=r"\S")]
    render: Render
    required: Annotated[list[Line], Field(min_length=1)]
    timeout_ms: TimeoutMs | None = None


@dataclass(frozen=True, slots=True)
class SuiteTask:
    """A task whose files were found.

    `digest` is the SHA-256 of everything it holds. `content` is that of what an agent is given, the
    prompt (white space, case and what is not seen apart) and the input: a task with another id,
    title, render or check that gives agents the same is one they have seen.
    """

    file: TaskFile
    input: Path
    check: Path | None
    digest: str
    content: str

    @property
    def id(self) -> str:
        """Its id, which is the name of its folder."""
        return self.file.id


@dataclass(frozen=True, slots=True)
class Suite:
    """The tasks of a folder, in the order of their ids; `digest` covers them all, not the name."""

    name: str
    folder: Path
    tasks: tuple[SuiteTask, ...]
    digest: str


def load(folder: Path) -> Suite:
    """Return the suite that a folder holds; hidden entries and files beside the tasks are not read.

    Raises:
        BenchdataError: Naming suite and task: there is no task, one lacks a part or holds another,
            is not named by its id, cannot be read or has a link, or two give agents the same.
    """
    folder = folder.resolve()
    name = folder.name
    if not re.fullmatch(SLUG, name):
        raise BenchdataError(
            f"suite {shorten(name, 80)}: the folder's name must be small letters, digits and -"
        )
    tasks = tuple(
        _task(place, f"suite {name}: {shorten(place.name, 80)}") for place in _places(folder)
    )
    if not tasks:
        raise BenchdataError(f"suite {name}: holds no task; a task is a folder with {TASK}")
    first: dict[str, str] = {}
    for task in tasks:
        if (other := first.setdefault(task.content, task.id)) != task.id:
            raise BenchdataError(
                f"suite {name}: {task.id}: gives agents the same prompt and input as {other}"
            )
    whole = hashlib.sha256("".join(task.digest for task in tasks).encode()).hexdigest()
    return Suite(name, folder, tasks, whole)


def checked(task: SuiteTask, artefact: Path) -> bool | None:
    """Return what the task's `check.py` says of the folder an agent left; None without one.

    Raises:
        GradingFailed: The check itself failed, so nothing is known of the artefact.
        SetupFailed: There is no sandbox to run it in.
    """
    return None if task.check is None else checking.verdict(task.check, artefact)


def _places(folder: Path) -> Iterator[Path]:
    """Give the folders of the tasks, in the order of their names."""
    try:
        found = sorted(folder.iterdir())
    except OSError as error:
        raise BenchdataError(
            f"suite {folder.name}: cannot be read: {error.strerror}; give a folder of tasks"
        ) from None
    for path in found:
        if path.is_symlink():
            raise BenchdataError(f"suite {folder.name}: {shorten(path.name, 80)}: is a link")
        if path.is_dir() and not path.name.startswith("."):
            yield path


def _task(folder: Path, place: str) -> SuiteTask:
    _refuse_other_parts(folder, place)
    try:
        return _found(folder)
    except BenchdataError as error:
        raise BenchdataError(f"{place}: {error}") from None


def _found(folder: Path) -> SuiteTask:
    file = documents.parsed(documents.content(folder / TASK), TaskFile, TASK)
    if file.id != folder.name:
        raise BenchdataError(f"{TASK}: id: {file.id} is not the name of its folder")
    _refuse_links(folder / INPUT)
    tree = trees.digest(folder / INPUT)
    check, code = folder / CHECK, None
    if check.exists():
        script.check(check, checking.CALL)
        code = checking.digest(check)
    return SuiteTask(
        file=file,
        input=folder / INPUT,
        check=check if code else None,
        digest=_sha256({"task": file.model_dump(mode="json"), "input": tree, "check": code}),
        content=_sha256({"prompt": _words(file.prompt), "input": tree}),
    )


def _words(prompt: str) -> str:
    """Return a prompt without what two writings of it may differ in."""
    shown = (char for char in prompt if unicodedata.category(char) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", "".join(shown)).split()).casefold()


def _refuse_other_parts(folder: Path, place: str) -> None:
    """See that a task's folder holds its parts and nothing else, least of all links."""
    entries = {path.name: path for path in folder.iterdir() if path.name != COMPILED}
    for name in (TASK, INPUT):
        if name not in entries:
            near = next((other for other in entries if did_you_mean(other, [name])), None)
            hint = f"; there is {shorten(near, 80)}" if near else ""
            raise BenchdataError(f"{place}: has no {name}{hint}")
    for name, path in sorted(entries.items()):
        if name not in PARTS:
            raise BenchdataError(
                f"{place}: {shorten(name, 80)}: a task holds {', '.join(PARTS)} and nothing else"
            )
        if path.is_symlink():
            raise BenchdataError(f"{place}: {name}: is a link; put a copy there")


def _refuse_links(folder: Path) -> None:
    """See that the input is whole by itself, so that its copy is what was digested."""
    for name, path in trees.entries(folder):
        if path.is_symlink():
            raise BenchdataError(f"{INPUT}/{shorten(name, 120)}: is a link; put a copy there")


def _sha256(value: dict[str, object]) -> str:
    return hashlib.sha256(encode(value)).hexdigest()
