"""Tasks: one JSON object a line, with what the agent is asked and how its answer is graded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from benchdata.contracts.grammar import Slug
from benchdata.errors import BenchdataError
from benchdata.rows.strict_json import encode
from collectors.harness import documents, trees
from collectors.harness.documents import Document
from collectors.skill_eval.graders import script

LONGEST_PROMPT = 1_000_000

Grader = Literal["exact", "json-fields", "script", "llm-judge"]
JUDGED = "llm-judge"
"""The grader that asks a model."""


class TaskLine(Document):
    """One line of a file of tasks."""

    id: Slug
    prompt: Annotated[str, Field(min_length=1, max_length=LONGEST_PROMPT)]
    mode: Literal["document", "agent"] = "document"
    workspace: str | None = None
    grader: Grader
    expected: Any = None
    reference: str | None = None
    script: str | None = None


def _file_digest(path: Path) -> str:
    return hashlib.sha256(documents.content(path)).hexdigest()


DIGESTS: Mapping[str, Callable[[Path], str]] = {"workspace": trees.digest, "script": _file_digest}
"""The keys of a line that name something else, and how that is known again."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task whose files were found; `digest` is the SHA-256 of all it holds and names.

    `named` are the digests of what it names, by key.
    """

    line: TaskLine
    workspace: Path | None
    script: Path | None
    named: Mapping[str, str]
    digest: str

    def check(self, key: str, path: Path) -> None:
        """See that what lies at `path` is what the key of this name stood for.

        Raises:
            BenchdataError: It is something else now.
        """
        if DIGESTS[key](path) != self.named[key]:
            raise BenchdataError(f"task {self.line.id}: {key}: changed after it was read")


RULES: tuple[tuple[Callable[[TaskLine], bool], str], ...] = (
    (
        lambda line: line.workspace is None or line.mode == "agent",
        "workspace: only a task of mode `agent` has one; in mode `document` there are no tools",
    ),
    (
        lambda line: line.grader != "exact" or _has_text(line.expected),
        "expected: must be the text that grader `exact` compares with, and not blank",
    ),
    (
        lambda line: line.grader != "json-fields" or _has_fields(line.expected),
        "expected: must be an object with the fields that grader `json-fields` compares",
    ),
    (
        lambda line: line.grader != JUDGED or line.reference is not None,
        "reference: is missing: grader `llm-judge` needs the right answer",
    ),
    (
        lambda line: line.grader == JUDGED or line.reference is None,
        "reference: is what grader `llm-judge` compares with, and no other grader reads it",
    ),
    (
        lambda line: line.grader != JUDGED or line.expected is None,
        "expected: is not read by grader `llm-judge`; write a reference",
    ),
    (
        lambda line: line.grader != "script" or line.script is not None,
        "script: is missing: grader `script` needs the Python file that grades",
    ),
    (
        lambda line: line.grader == "script" or line.script is None,
        "script: is the Python file of grader `script`, and of no other grader",
    ),
)
"""What must hold between the keys of a line, and what is said when it does not."""


def read(path: Path) -> tuple[Task, ...]:
    """Return the tasks of a JSONL file; its paths start from its folder.

    Raises:
        BenchdataError: Naming file, line and field: a line is no task, two have one id, there is
            none, a workspace or script cannot be read, or a script is no grader.
    """
    placed = [
        (place, documents.parsed(text, TaskLine, place))
        for place, text in documents.lines(documents.content(path), path.name)
    ]
    return _found(placed, path.resolve().parent, path.name)


def inline(values: Iterable[Any], folder: Path) -> tuple[Task, ...]:
    """Return the tasks that were given as JSON values; their paths start from `folder`.

    What may stand in no file may not be given either, such as NaN or half of a surrogate pair.

    Raises:
        BenchdataError: As `read`, with `tasks[N]` for the line.
    """
    placed = [
        (place, documents.parsed(json.dumps(value).encode(), TaskLine, place))
        for place, value in ((f"tasks[{index}]", value) for index, value in enumerate(values))
    ]
    return _found(placed, folder, "tasks")


def _found(placed: list[tuple[str, TaskLine]], folder: Path, source: str) -> tuple[Task, ...]:
    if not placed:
        raise BenchdataError(f"{source}: holds no task; write one JSON object a line")
    seen: set[str] = set()
    for place, line in placed:
        if line.id in seen:
            raise BenchdataError(f"{place}: id: {line.id} stands twice; every task has its own id")
        seen.add(line.id)
    return tuple(_task(line, folder, place) for place, line in placed)


def _task(line: TaskLine, folder: Path, place: str) -> Task:
    for holds, message in RULES:
        if not holds(line):
            raise BenchdataError(f"{place}: {message}")
    places = {key: folder / path for key in DIGESTS if (path := getattr(line, key)) is not None}
    named = {}
    for key, path in places.items():
        try:
            named[key] = DIGESTS[key](path)
            if key == "script":
                script.check(path)
        except BenchdataError as error:
            raise BenchdataError(f"{place}: {key}: {error}") from None
    digest = hashlib.sha256(encode(line.model_dump() | named)).hexdigest()
    return Task(line, places.get("workspace"), places.get("script"), named, digest)


def _has_text(expected: Any) -> bool:
    return isinstance(expected, str) and bool(expected.strip())


def _has_fields(expected: Any) -> bool:
    return isinstance(expected, dict) and bool(expected)
