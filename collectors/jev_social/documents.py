"""JSON from programs and servers: whole, or behind the log lines that a library put before it."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any, NoReturn

MOST_STARTS = 1_000
MOST_WORK = 64 * 1024 * 1024
"""Brackets tried and characters parsed in search of a document: no output keeps us busy long."""
OPENING = re.compile(r"[{\[]")


def whole(text: str) -> Any:
    """Return the value of a text that is one JSON document.

    Raises:
        ValueError: It is none, is nested too deeply, or holds a number that JSON does not have.
    """
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def last(text: str) -> Any:
    """Return the document that a text ends with, whatever stands before it.

    Raises:
        ValueError: There is none, or finding it is too much work.
    """
    text = text.strip()
    try:
        return whole(text)
    except ValueError:
        if not text.endswith(("}", "]")):
            raise
    work = 0
    for match in islice(OPENING.finditer(text), MOST_STARTS):
        start = end = match.start()
        try:
            value, end = _DECODER.raw_decode(text, start)
        except RecursionError:
            pass
        except json.JSONDecodeError as error:
            end = error.pos
        except ValueError:  # a number that JSON does not have, or of thousands of digits
            end = len(text)
        else:
            if end == len(text):
                return value
        work += end - start
        if work > MOST_WORK:
            break
    raise ValueError("holds no JSON document")


def _constant(_: str) -> NoReturn:
    raise ValueError("a constant that JSON does not have")


_DECODER = json.JSONDecoder(parse_constant=_constant)
