"""The contract takes the example row and refuses every mutant of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from benchdata.errors import RowError

from sample_bench.contract import CONTRACT

EXAMPLE = json.loads(Path(__file__).with_name("example-row.json").read_text("utf-8"))
MUTANTS = {
    "schema_version": 2,
    "run_id": "seven",
    "python": "",
    "task": "two words",
    "arm": None,
    "repeat": -1,
    "planned_tasks": "3",
    "planned_repeats": 2.5,
    "outcome": "won",
    "passed": None,
    "wall_ms": -0.1,
    "started_at": "yesterday",
}


def test_the_example_row_is_valid() -> None:
    assert CONTRACT.validate(EXAMPLE) == EXAMPLE


def test_a_lost_run_has_no_score() -> None:
    CONTRACT.validate(EXAMPLE | {"outcome": "lost", "passed": None, "wall_ms": None})


def test_there_is_a_mutant_for_every_field() -> None:
    assert MUTANTS.keys() == EXAMPLE.keys()


@pytest.mark.parametrize(("field", "value"), MUTANTS.items())
def test_a_mutant_is_refused(field: str, value: Any) -> None:
    with pytest.raises(RowError) as refused:
        CONTRACT.validate(EXAMPLE | {field: value})
    assert refused.value.path == field


@pytest.mark.parametrize("field", EXAMPLE)
def test_a_field_must_be_there(field: str) -> None:
    with pytest.raises(RowError) as refused:
        CONTRACT.validate({key: value for key, value in EXAMPLE.items() if key != field})
    assert refused.value.path == field


def test_no_other_field_may_be_there() -> None:
    with pytest.raises(RowError):
        CONTRACT.validate(EXAMPLE | {"prompt": "Say hello."})
