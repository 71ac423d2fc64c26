"""Any value in any place: it becomes a row, a failure or one error, never a trace."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts import trial
from benchdata.errors import InputError
from benchdata.rows.importing import formats, making
from benchdata.rows.importing.mapping import Reading
from tests.support.importing import FIXTURES
from tests.support.recorded import recorded

Step = str | int


def loaded(*parts: str) -> Any:
    return json.loads(FIXTURES.joinpath(*parts).read_text("utf-8"))


ROUNDS = loaded("pytest-benchmark", "rounds.json")
LOG = loaded("inspect", "sums.json")
STEPS = loaded("harbor", "2026-09-20__08-10-00", "merge-files__SWwnevN", "result.json")
TRIAL = STEPS | {
    "config": {"agent": {"skills": ["skills/sorter"]}},
    "exception_info": {"exception_type": "AgentTimeoutError"},
}
METRICS = {"wallTimeMs": 9, "assertionResults": [{"passed": True}], "taskCompleted": True}
DOCUMENTS: Mapping[str, tuple[str, Any]] = {
    "harbor": ("result.json", TRIAL),
    "inspect": ("log.json", {"eval": LOG["eval"], "samples": LOG["samples"][:1]}),
    "skill-validator": (
        "results.json",
        {
            "model": "acme/m",
            "verdicts": [
                {
                    "skillName": "s",
                    "scenarios": [
                        {
                            "scenarioName": "t",
                            "baseline": {"metrics": METRICS | {"inputTokens": 3}},
                            "skilledIsolated": {"metrics": {"perRun": [METRICS]}},
                            "skillActivationIsolatedPerRun": [{"activated": True}],
                            "perRunScores": [0.5],
                        }
                    ],
                }
            ],
        },
    ),
    "skill-creator": (
        "benchmark.json",
        {
            "metadata": {"skill_name": "s", "executor_model": "m", "timestamp": "t"},
            "runs": [{"eval_id": 1, "configuration": "a", "result": {"passed": 1, "total": 2}}],
            "configurations": [{"name": "b", "evals": [{"eval_id": 1, "pass_rate": 0.5}]}],
        },
    ),
    "pytest-benchmark": ("a.json", ROUNDS | {"benchmarks": ROUNDS["benchmarks"][:1]}),
    "transcripts": ("a.jsonl", [json.loads(line) for line in recorded("claude-two-tools")]),
}
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 2**60, 10**400, 0.5, math.nan, math.inf, "", "\ud800", "a/b", "2026-01-01"),
    *([], [None], [[[]]], {}, {"": {}}, {"\ud800": 1}, "/" + "home/somebody/x", "x" * 10_000),
)


def places(value: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Yield the path of everything inside a value, of a list no more than its first two items."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:2])
    for step, item in inner:
        yield (*path, step)
        if isinstance(item, dict | list):
            yield from places(item, (*path, step))


def replaced(value: Any, path: tuple[Step, ...], item: Any) -> Any:
    """Return a copy of a value with another item in one place."""
    whole = deepcopy(value)
    inner = whole
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = item
    return whole


def write(path: Path, document: Any) -> None:
    """Write a document, as lines where it is a list of them."""
    lines = document if path.suffix == ".jsonl" else [document]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


@pytest.mark.parametrize("key", formats.FORMATS)
def test_some_values_in_any_place(tmp_path: Path, key: str) -> None:
    try_values(tmp_path, key, every=len(VALUES))


@pytest.mark.slow
@pytest.mark.parametrize("key", formats.FORMATS)
def test_many_values_in_any_place(tmp_path: Path, key: str) -> None:
    try_values(tmp_path, key, every=3)


def try_values(tmp_path: Path, key: str, every: int) -> None:
    """Import a document with one value replaced, of each place by `every`-th of the values."""
    name, document = DOCUMENTS[key]
    said = {"study": "pilot", "arm": "base"} | ({"task_id": "t"} if key == "transcripts" else {})
    came = {"rows": 0, "failures": 0, "errors": 0}
    for number, place in enumerate(places(document)):
        for value in VALUES[number % every :: every]:
            write(tmp_path / name, replaced(document, place, value))
            reading = Reading(said)
            try:
                for row in making.rows(formats.named(key), [tmp_path], reading):
                    assert trial.TRIAL.validate(row) == row
                    came["rows"] += 1
            except InputError:
                came["errors"] += 1
            came["failures"] += reading.failed
            assert not any("\ud800" in failure for failure in reading.failures)
    assert min(came.values()) > 0, came
