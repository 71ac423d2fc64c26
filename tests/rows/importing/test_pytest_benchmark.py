"""pytest-benchmark files, as it writes them: a row a round, and statistics are no trials."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.importing import FIXTURES, imported, refusal, saved

ROUNDS, STATISTICS = (
    FIXTURES / "pytest-benchmark" / f"{name}.json" for name in ("rounds", "statistics")
)
SAVED: dict[str, Any] = json.loads(ROUNDS.read_text("utf-8"))


def test_each_round_is_a_row() -> None:
    done = imported("pytest-benchmark", ROUNDS, said=("arm=before",))
    names = [benchmark["fullname"] for benchmark in SAVED["benchmarks"]]
    digests = [hashlib.sha256(name.encode()).hexdigest() for name in names]
    assert [row["task_id"] for row in done.rows] == [
        *(digests[0],) * 4,
        *(digests[1],) * 4,
        *(digests[2],) * 3,
        *(digests[3],) * 2,
    ]
    seconds = [each for benchmark in SAVED["benchmarks"] for each in benchmark["stats"]["data"]]
    assert [row["wall_s"] for row in done.rows] == seconds
    assert [row["repeat"] for row in done.rows[:5]] == [1, 2, 3, 4, 1]
    row = done.rows[0]
    assert (row["study"], row["arm"], row["outcome"]) == ("acme-sums", "before", "completed")
    assert (row["passed"], row["score"], row["started_at"]) == (True, None, None)
    assert done.left["commit_info.id"] == 1
    assert done.left["benchmarks[].stats.iterations"] == 4


def test_statistics_are_no_trials() -> None:
    failure, error = refusal("pytest-benchmark", STATISTICS, said=("arm=before",))
    assert failure == f"{STATISTICS}: holds no round"
    assert error.endswith(
        "no round can be imported: name a file that was saved with --benchmark-save-data, or a"
        " folder of such"
    )


def test_statistics_beside_rounds_are_told(tmp_path: Path) -> None:
    second = json.loads(STATISTICS.read_text("utf-8"))["benchmarks"][0]
    mixed = SAVED | {"benchmarks": [SAVED["benchmarks"][0], second]}
    done = imported("pytest-benchmark", saved(tmp_path / "a.json", mixed), said=("arm=before",))
    assert len(done.rows) == 4
    left = "benchmarks[].stats: statistics of rounds whose data was not saved"
    assert done.left[left] == 1


@pytest.mark.parametrize("data", [["fast"], [True], 3, [1e400]])
def test_what_is_no_time_is_refused(tmp_path: Path, data: Any) -> None:
    benchmark = SAVED["benchmarks"][0] | {"stats": {"data": data}}
    file = saved(tmp_path / "a.json", SAVED | {"benchmarks": [benchmark]})
    failure, _ = refusal("pytest-benchmark", file, said=("arm=before",))
    assert failure.startswith(f"{file}: benchmarks[0].stats.data: must be a")
