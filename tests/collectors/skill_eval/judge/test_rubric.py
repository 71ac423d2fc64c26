"""What the judge is told is pinned, and what it may answer is exactly what a row can hold."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from benchdata.contracts.judgment import BEST, DIMENSIONS, WORST
from collectors.skill_eval.judge import rubric
from collectors.skill_eval.judge.rubric import Marks, Preference

VERSION = "p1-273deb1b1770"
"""Of the words as they are: whoever changes one changes what every score means."""
MARKS: dict[str, Any] = {
    "seen": "A page.",
    "brief_fidelity": 2,
    "hierarchy_readability": 3,
    "usability": 1,
    "craft": 3,
    "critical_failures": [],
}
MARK = {"type": "integer", "minimum": 0, "maximum": 3}


def marks(**changes: Any) -> Marks:
    return Marks.model_validate_json(json.dumps(MARKS | changes), strict=True)


def test_the_words_are_those_of_their_version() -> None:
    assert rubric.prompt_version() == VERSION


@pytest.mark.parametrize("name", [file.name for file in rubric.TOLD])
def test_every_file_counts(tmp_path: Path, name: str) -> None:
    for file in rubric.TOLD:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    copies = [tmp_path / file.name for file in rubric.TOLD]
    assert rubric.prompt_version(copies) == VERSION
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b" ")
    assert rubric.prompt_version(copies) != VERSION
    assert {file.name for file in rubric.FILES.iterdir()} == {file.name for file in rubric.TOLD}


def test_every_dimension_has_a_question_and_a_level_for_each_mark() -> None:
    assert tuple(rubric.RUBRIC) == DIMENSIONS
    for told in rubric.RUBRIC.values():
        assert told.keys() == {"asks", "levels"}
        assert len(told["levels"]) == BEST - WORST + 1
        assert len({*told["levels"]}) == BEST - WORST + 1
    text = rubric.rubric_text()
    for name, told in rubric.RUBRIC.items():
        assert f"`{name}`: {told['asks']}\n- 0: {told['levels'][0]}\n" in text


def test_the_failures_that_every_suite_needs_are_declared() -> None:
    assert {"blank_or_not_loading", "required_content_missing"} <= rubric.CRITICAL.keys()
    for name, words in rubric.CRITICAL.items():
        assert f"- `{name}`: {words}" in rubric.critical_text()


def test_q_is_the_mean_of_the_four() -> None:
    for four in product(range(4), repeat=4):
        found = marks(**dict(zip(DIMENSIONS, four, strict=True)))
        assert found.quality == sum(four) / 4


@pytest.mark.parametrize("failure", rubric.CRITICAL)
def test_any_critical_failure_makes_it_worth_nothing(failure: str) -> None:
    best = dict.fromkeys(DIMENSIONS, BEST)
    assert marks(**best).quality == BEST
    assert marks(**best, critical_failures=[failure]).quality == WORST


def test_failures_stand_in_the_order_of_their_list_and_once() -> None:
    names = list(rubric.CRITICAL)
    assert marks(critical_failures=[names[2], names[0], names[2]]).critical_failures == [
        names[0],
        names[2],
    ]


@pytest.mark.parametrize(
    "changes",
    [
        *({"craft": value} for value in (4, -1, 2.0, True, "2", None)),
        *({"critical_failures": value} for value in (["else"], [1], None, "wrong_artefact")),
        *({"seen": value} for value in (None, 1)),
        {"quality": 2.25},
        {"arm": "none"},
    ],
)
def test_whatever_else_is_said_is_no_verdict(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        marks(**changes)


@pytest.mark.parametrize("winner", ["A", "both", None])
def test_whatever_else_is_said_of_two_is_no_verdict(winner: Any) -> None:
    with pytest.raises(ValidationError):
        Preference.model_validate_json(json.dumps({"seen": "", "winner": winner}), strict=True)


def test_the_shape_of_an_answer_says_nothing_that_has_no_version() -> None:
    names = list(rubric.CRITICAL)
    failures = {"type": "array", "items": {"type": "string", "enum": names}}
    assert _bare(Marks.model_json_schema()) == {
        "type": "object",
        "additionalProperties": False,
        "required": list(MARKS),
        "properties": {
            "seen": {"type": "string"},
            **dict.fromkeys(DIMENSIONS, MARK),
            "critical_failures": failures,
        },
    }
    assert _bare(Preference.model_json_schema()) == {
        "type": "object",
        "additionalProperties": False,
        "required": ["seen", "winner"],
        "properties": {
            "seen": {"type": "string"},
            "winner": {"type": "string", "enum": ["a", "b", "tie"]},
        },
    }


def _bare(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without titles, which are the names of its fields."""
    properties = {
        name: {key: value for key, value in told.items() if key != "title"}
        for name, told in schema["properties"].items()
    }
    return {key: value for key, value in schema.items() if key != "title"} | {
        "properties": properties
    }
