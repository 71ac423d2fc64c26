"""Grader `json-fields`: the answer is a JSON object whose fields have the expected values.

The object is the whole answer, or else what stands in its only fenced block. Fields that were not
asked for do not count. Numbers are equal by value (1 and 1.0), true is not 1, and strings are equal
as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from benchdata.errors import RowError
from benchdata.rows.strict_json import decode
from collectors.skill_eval.graders.grade import Grade

OPENS, CLOSES = re.compile(r"```[A-Za-z]*\s*"), re.compile(r"```\s*")
"""The line before and the line after what is fenced."""
ABSENT = object()


def grade(expected: Mapping[str, Any], output: str) -> Grade:
    """Return the share of expected fields that the answer has right; all of them pass."""
    answer = _object(output)
    correct = sum(_equal(value, answer.get(name, ABSENT)) for name, value in expected.items())
    total = len(expected)
    return Grade(correct == total, correct / total, correct, total)


def _object(output: str) -> Mapping[str, Any]:
    """Return the answer's object; an answer that holds none has no fields."""
    fenced = [*_fenced(output)]
    for text in (output, *(fenced if len(fenced) == 1 else ())):
        try:
            value = decode(text.strip().encode("utf-8", "surrogatepass"))
        except RowError:
            continue
        if isinstance(value, dict):
            return value
    return {}


def _fenced(output: str) -> Iterator[str]:
    """Yield what stands in each fenced block; in one pass, for an answer may be all fences."""
    inside: list[str] | None = None
    for line in output.split("\n"):
        if inside is None:
            inside = [] if OPENS.fullmatch(line) else None
        elif CLOSES.fullmatch(line):
            yield "\n".join(inside)
            inside = None
        else:
            inside.append(line)


def _equal(expected: Any, found: Any) -> bool:
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    if isinstance(expected, dict) and isinstance(found, dict):
        return expected.keys() == found.keys() and all(
            _equal(value, found[name]) for name, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(_equal, expected, found))
    return bool(expected == found)
