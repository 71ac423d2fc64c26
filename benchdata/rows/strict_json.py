"""The one JSON parser of the project: one object a line, nothing guessed, nothing dropped."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from benchdata.errors import RowError

LONGEST_LINE = 16 * 1024 * 1024
DEEPEST = 64
PATH = "row"
DOCUMENT = "document"
TOO_LONG = f"the line is longer than {LONGEST_LINE // 1024**2} MiB"
TRUNCATED = "truncated: the last line has no end and is not whole; remove it or write it again"


class _RepeatedKeyError(ValueError):
    """A key stands twice in one object."""


def decode(line: bytes, *, ended: bool = True) -> Any:
    """Return the value of one line of strict JSON, or raise RowError with path `row`.

    Refused: bytes that are not UTF-8, repeated keys at any depth, NaN, Infinity and numbers too
    large for a float, lone surrogates, nesting deeper than 64, and anything after the value. A line
    that has not `ended` with a newline and is not whole is called truncated.
    """
    if len(line) > LONGEST_LINE:
        raise RowError(PATH, TOO_LONG)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = not ended and error.reason == "unexpected end of data"
        message = TRUNCATED if cut else f"byte {error.start + 1} of the line is not UTF-8"
        raise RowError(PATH, message) from None
    _refuse_depth(line)
    try:
        value = _DECODER.decode(text)
    except _RepeatedKeyError:
        raise RowError(PATH, "a key stands twice in one object") from None
    except json.JSONDecodeError as error:
        cut = not ended and error.msg != "Extra data"
        message = TRUNCATED if cut else f"no valid JSON at character {error.pos + 1}: {error.msg}"
        raise RowError(PATH, message) from None
    except ValueError as error:  # raised by our own hooks, or for integers of thousands of digits
        message = "an integer has too many digits" if "digits" in str(error) else str(error)
        raise RowError(PATH, message) from None
    if b"\\u" in line:
        _refuse_surrogates(value)
    return value


def decode_document(data: bytes) -> Any:
    """Return the value of a whole document of another tool's JSON, or raise RowError.

    As strict as `decode` but for NaN and numbers too large, which some tools write where there is
    nothing to tell: who reads such a field refuses it. A mark of the byte order may come first.
    """
    try:
        return _DOCUMENT.decode(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} is not UTF-8"
    except _RepeatedKeyError:
        message = "a key stands twice in one object"
    except json.JSONDecodeError as error:
        message = f"no valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
    except RecursionError:
        message = "the value is nested too deeply"
    except ValueError:
        message = "an integer has too many digits"
    raise RowError(DOCUMENT, message)


def _refuse_depth(line: bytes) -> None:
    """Refuse deep nesting before the parser recurses; brackets inside strings do not count."""
    if line.count(b"{") + line.count(b"[") <= DEEPEST:
        return
    depth = 0
    inside = escaped = False
    for byte in line:
        if inside:
            inside = escaped or byte != 0x22
            escaped = not escaped and byte == 0x5C
        elif byte == 0x22:
            inside = True
        elif byte in b"{[":
            depth += 1
            if depth > DEEPEST:
                raise RowError(PATH, f"the value is nested deeper than {DEEPEST}")
        elif byte in b"}]":
            depth -= 1


def _refuse_surrogates(value: Any) -> None:
    """Refuse half of a surrogate pair, which no other reader could write down again."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise RowError(PATH, "a string holds half of a surrogate pair") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RepeatedKeyError
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("a number is too large")
    return value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_constant, parse_float=_float, strict=True
)
_DOCUMENT = json.JSONDecoder(object_pairs_hook=_unique)


def encode(row: dict[str, Any]) -> bytes:
    """Return a row as one compact line with its newline."""
    return (
        json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    )
