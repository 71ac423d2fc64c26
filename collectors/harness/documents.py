"""Files that people write for a collector: strict JSON in a model; a fault names its field."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from benchdata.contracts.checks import WORDS
from benchdata.errors import BenchdataError, RowError, did_you_mean, shorten
from benchdata.rows.strict_json import decode

LARGEST = 16 * 1024 * 1024


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
    """Return the first fault: where and what, never the value.

    `keys` are those that an unknown key may have meant; `whole` names what is at fault when that is
    no part of it.
    """
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    path = shorten(".".join(map(str, first["loc"])), 120) or whole
    if first["type"] == "extra_forbidden":
        known = f"; the keys are {', '.join(keys)}" if keys else ""
        return f"{path}: is not a key here{did_you_mean(path, keys) or known}"
    message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be", 1)
    said = shorten(WORDS.get(first["type"], message))
    return f"{path}: {said}" if path else said
