"""Grader `json-fields`: the share of expected fields that are right."""

from __future__ import annotations

import time
from typing import Any

import pytest

from collectors.skill_eval.graders import exact, json_fields
from collectors.skill_eval.graders.grade import Grade

EXPECTED = {"total": 12.5, "currency": "EUR", "paid": True, "lines": [{"n": 1}]}


@pytest.mark.parametrize(
    ("output", "correct"),
    [
        ('{"total": 12.5, "currency": "EUR", "paid": true, "lines": [{"n": 1}]}', 4),
        ('  {"total": 12.50, "currency": "EUR", "paid": true, "lines": [{"n": 1.0}]}\n', 4),
        ('{"total": 12.5, "currency": "EUR", "paid": true, "lines": [{"n": 1}], "more": 0}', 4),
        ('{"total": 12.5, "currency": "eur", "paid": 1, "lines": [{"n": 1, "m": 2}]}', 1),
        ('{"total": "12.5", "currency": "EUR"}', 1),
        ('Here it is:\n```json\n{"currency": "EUR", "paid": true}\n```\nGood luck!', 2),
        ('```\n{"currency": "EUR"}\n```\n```\n{"currency": "EUR"}\n```', 0),
        ('```JSON\r\n{"currency": "EUR"}\r\n```\r\n', 1),
        ('```json\n{"currency": "EUR"}', 0),
        ('{"currency": "EUR", "currency": "EUR"}', 0),
        ('[{"currency": "EUR"}]', 0),
        ("no idea", 0),
        ("", 0),
        ("\ud800", 0),
    ],
)
def test_counts_what_is_right(output: str, correct: int) -> None:
    passed = correct == len(EXPECTED)
    assert json_fields.grade(EXPECTED, output) == Grade(passed, correct / 4, correct, 4)


def test_an_answer_of_nothing_but_fences_is_graded_at_once() -> None:
    began = time.monotonic()
    assert json_fields.grade(EXPECTED, "```a\n" * 200_000).score == 0.0
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("value", [None, 0, 1, "", [], {}, False])
def test_an_absent_field_equals_nothing(value: Any) -> None:
    assert json_fields.grade({"a": value}, "{}").fields_correct == 0


@pytest.mark.parametrize(
    ("expected", "output", "score"),
    [("42", " 42\n", 1.0), ("42\n", "42", 1.0), ("42", "42.", 0.0), ("a b", "a  b", 0.0)],
)
def test_exact_looks_past_outer_white_space_only(expected: str, output: str, score: float) -> None:
    assert exact.grade(expected, output) == Grade(bool(score), score)
