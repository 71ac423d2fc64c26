"""Grader `exact`: the answer is the expected text, white space around either apart."""

from __future__ import annotations

from collectors.skill_eval.graders.grade import Grade


def grade(expected: str, output: str) -> Grade:
    """Return a score of 1 when the texts are equal, else 0."""
    equal = output.strip() == expected.strip()
    return Grade(equal, float(equal))
