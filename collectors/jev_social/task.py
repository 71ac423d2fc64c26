"""A research task: a file of five fields; and the digests of those that ship."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field as Bounds

from benchdata.contracts.checks import WORDS, Field
from benchdata.contracts.fields import Row, Text, Uuid4
from benchdata.errors import BenchdataError, RowError
from benchdata.rows.strict_json import decode, encode

FLAG = "--task"
FOLDER = Path(__file__).resolve().parent / "tasks"
LARGEST = 16_384
DIGESTS = {
    # instagram
    "62bccb52-d894-4dd2-937b-e931de617604": (
        "8ccedd775beacdb072c3013c8a733514b388a90414fc657daa95a1ec77c0ee2c"
    ),
    # linkedin
    "64d26b83-6f16-444f-80b0-2cef8ea47d1a": (
        "dbad5748dab0a6a12be4dbbf44e7502b7304b3a31b92cfe6a41054d18da5862d"
    ),
    # tiktok
    "4650437e-6e28-46ca-968a-fb320fec7e00": (
        "fcb3a39ba48ffe37645e980914208ab13411dc5e1d7e6501e0c6118291756193"
    ),
}
"""The SHA-256 of each shipped task's fields in normal form, by its id."""


class Task(Row):
    """What is looked for, where, and within which bounds."""

    task_id: Uuid4
    platform: Literal["instagram", "tiktok", "linkedin"]
    goal: Annotated[str, Text("text", longest=512)]
    result_limit: Annotated[int, Bounds(ge=1, le=100)]
    max_steps: Annotated[int, Bounds(ge=1, le=30)]


def load(path: Path) -> Task:
    """Return the task that a file holds.

    Raises:
        BenchdataError: No readable, regular file of at most 16 KiB with exactly the five fields; or
            one that was edited and still has the id of a shipped task.
    """
    raw = _decoded(_content(path))
    if not isinstance(raw, dict):
        raise BenchdataError(f"{FLAG}: the file must hold one JSON object")
    if not raw.keys() <= Task.model_fields.keys():
        known = ", ".join(Task.model_fields)
        raise BenchdataError(f"{FLAG}: the file has a key that no task has; these are its: {known}")
    for name in Task.model_fields:
        if name not in raw:
            raise BenchdataError(f"{FLAG}: {name}: {WORDS['missing']}")
    fields: dict[str, Any] = {}
    for name in Task.model_fields:
        try:
            Field(name).apply(Task, raw, fields)
        except RowError as error:
            raise BenchdataError(f"{FLAG}: {name}: {error.message}") from None
    if DIGESTS.get(fields["task_id"], digest(fields)) != digest(fields):
        raise BenchdataError(
            f"{FLAG}: task_id: is that of a fixed task, which reads otherwise;"
            " give an edited task a new UUIDv4"
        )
    return Task(**fields)


def digest(fields: dict[str, Any]) -> str:
    """Return the SHA-256 of a task's fields, however its file is laid out."""
    return hashlib.sha256(encode(dict(sorted(fields.items())))).hexdigest()


def _content(path: Path) -> bytes:
    """Return the bytes of a small, regular file; a pipe or a device could keep us waiting."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BenchdataError(f"{FLAG}: must name a regular file")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError):
        raise BenchdataError(f"{FLAG}: names no file that can be read") from None
    if len(content) > LARGEST:
        raise BenchdataError(f"{FLAG}: the file must be at most {LARGEST:,} bytes")
    return content


def _decoded(content: bytes) -> Any:
    try:
        return decode(content)
    except RowError as error:
        raise BenchdataError(f"{FLAG}: the file is not strict JSON: {error.message}") from None
