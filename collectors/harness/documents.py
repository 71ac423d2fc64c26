"""Files that people write for a collector: strict JSON in a model; a fault names its field."""

from __future__ import annotations

import codecs
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from benchdata.contracts.checks import URGENCY, WORDS
from benchdata.errors import BenchdataError, RowError, counted, did_you_mean, shorten
from benchdata.rows.strict_json import decode

LARGEST = 16 * 1024 * 1024
LENGTHS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "too_short": lambda told: f"must hold at least {counted(told['min_length'], 'item')}",
    "too_long": lambda told: f"must hold at most {counted(told['max_length'], 'item')}",
    "string_too_short": lambda told: (
        "must not be empty"
        if told["min_length"] == 1
        else f"must have at least {counted(told['min_length'], 'character')}"
    ),
    "string_too_long": lambda told: f"must have at most {counted(told['max_length'], 'character')}",
}
"""What is said of a value that is too short or too long, by the fault's type."""


class Document(BaseModel):
    """A JSON object with these keys and no others; no value is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_by_name=False)


D = TypeVar("D", bound=Document)


def content(path: Path) -> bytes:
    """Return the bytes of a regular file of at most 16 MiB.

    Raises:
        BenchdataError: It is no such file, or cannot be read.
    """
    name = shorten(path.name, 120)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BenchdataError(f"{name}: is not a regular file")
        with path.open("rb") as file:
            found = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such name"
        raise BenchdataError(f"{name}: cannot be read: {reason}") from None
    if len(found) > LARGEST:
        raise BenchdataError(f"{name}: is larger than {LARGEST // 1024**2} MiB")
    return found


def parsed(text: bytes, model: type[D], place: str) -> D:
    """Return the document that `text` holds; `place` names it in an error.

    Raises:
        BenchdataError: The text is no strict JSON, or a key or value is not the model's.
    """
    if text.startswith(codecs.BOM_UTF8):
        raise BenchdataError(f"{place}: begins with a byte order mark; save it as UTF-8 without")
    try:
        value = decode(text)
    except RowError as error:
        raise BenchdataError(f"{place}: {error.message}") from None
    return fitted(value, model, place)


def fitted(value: Any, model: type[D], place: str) -> D:
    """Return a value that was parsed before as a document.

    Raises:
        BenchdataError: A key or value is not the model's.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        names = [field.alias or name for name, field in model.model_fields.items()]
        raise BenchdataError(f"{place}: {fault(error, names)}") from None


def lines(text: bytes, place: str) -> Iterator[tuple[str, bytes]]:
    """Yield `NAME:LINE` and the text of every line that is not blank."""
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.strip():
            yield f"{place}:{number}", line


def fault(error: ValidationError, keys: Sequence[str] = (), *, whole: str = "") -> str:
    """Return the first fault: where and what, never the value. Unknown keys come before missing.

    `keys` are those that an unknown key at the top may have meant; `whole` names what is at fault
    when that is no part of it.
    """
    faults = error.errors(include_url=False, include_input=False)
    first = min(faults, key=lambda one: URGENCY.get(one["type"], len(URGENCY)))
    path = shorten(".".join(map(str, first["loc"])), 120) or whole
    if first["type"] == "extra_forbidden":
        known = keys if len(first["loc"]) == 1 else ()
        listed = f"; the keys are {', '.join(known)}" if known else ""
        return f"{path}: is not a key here{did_you_mean(path, known) or listed}"
    if length := LENGTHS.get(first["type"]):
        said = length(first["ctx"])
    else:
        message = first["msg"].removeprefix("Value error, ")
        message = message.replace("Input should be", "must be", 1)
        said = shorten(WORDS.get(first["type"], message))
    return f"{path}: {said}" if path else said
