"""Grader `json-fields`: the answer is a JSON object whose fields have the expected values.

The object is the whole answer, or else what stands in its only fenced block. Fields that were not
asked for do not count. Numbers are equal by value (1 and 1.0), true is not 1, and strings are equal
as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchdata.errors import RowError
from benchdata.rows.strict_json import decode
from collectors.skill_eval.graders.grade import Grade

FENCED = re.compile(r"^```[a-z]*[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
ABSENT = object()


def grade(expected: Mapping[str, Any], output: str) -> Grade:
    """Return the share of expected fields that the answer has right; all of them pass."""
    answer = _object(output)
    correct = sum(_equal(value, answer.get(name, ABSENT)) for name, value in expected.items())
    total = len(expected)
    return Grade(correct == total, correct / total, correct, total)


def _object(output: str) -> Mapping[str, Any]:
    """Return the answer's object; an answer that holds none has no fields."""
    fenced = FENCED.findall(output)
    for text in (output, *(fenced if len(fenced) == 1 else ())):
        try:
            value = decode(text.strip().encode("utf-8", "surrogatepass"))
        except RowError:
            continue
        if isinstance(value, dict):
            return value
    return {}


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
