"""What a grader says of one answer."""

from __future__ import annotations

from dataclasses import dataclass

from benchdata.errors import BenchdataError


@dataclass(frozen=True, slots=True)
class Grade:
    """Whether an answer passed, and its score from 0 to 1; of json-fields also the fields.

    Of a rubric there is no score yet, and None in the place of `passed` where nothing was checked.
    """

    passed: bool | None
    score: float | None
    fields_correct: int | None = None
    fields_total: int | None = None


class GradingFailed(BenchdataError):
    """The grader itself failed, so nothing is known of the answer."""
