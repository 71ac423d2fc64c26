"""skill-creator benchmarks: both shapes, and what its program writes where it knows nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import InputError
from tests.support.importing import imported, saved

RUNS: dict[str, Any] = {
    "metadata": {
        "skill_name": "pdf",
        "skill_path": "skills/pdf",
        "executor_model": "claude-sonnet-4-20250514",
        "analyzer_model": "most-capable-model",
        "timestamp": "2026-01-15T10:30:00Z",
        "evals_run": [1],
        "runs_per_configuration": 3,
    },
    "runs": [
        {
            "eval_id": 1,
            "eval_name": "Ocean",
            "configuration": configuration,
            "run_number": number,
            "result": {
                "pass_rate": 0.67,
                "passed": 2,
                "failed": 1,
                "total": 3,
                "time_seconds": seconds,
                "tokens": 3800,
                "tool_calls": 18,
                "errors": 0,
            },
            "expectations": [{"text": "words", "passed": True, "evidence": "words"}],
            "notes": [],
        }
        for configuration, number, seconds in (
            *(("with_skill", 1, 42.5), ("without_skill", 1, 0.0), ("old_skill", 2, 0.0)),
        )
    ],
    "run_summary": {"with_skill": {"pass_rate": {"mean": 0.67}}},
    "notes": [],
}
CONFIGURATIONS: dict[str, Any] = {
    "skill_name": "frontend-design",
    "iteration": 1,
    "configurations": [
        {
            "name": name,
            "label": "words",
            "evals": [
                {
                    "eval_id": 0,
                    "eval_name": "landing-page",
                    "pass_rate": round(passed / 6, 3),
                    "assertions_passed": passed,
                    "assertions_total": 6,
                    "assertion_details": [{"text": "words", "passed": True}],
                }
            ],
            "aggregate": {"mean_pass_rate": 1.0},
        }
        for name, passed in (("with_skill", 6), ("without_skill", 4))
    ],
    "delta": {"mean_pass_rate": 0.3},
}


def test_runs(tmp_path: Path) -> None:
    done = imported("skill-creator", saved(tmp_path / "benchmark.json", RUNS))
    assert [(row["arm"], row["repeat"], row["skill_installed"]) for row in done.rows] == [
        *(("with-skill", 1, True), ("none", 1, False), ("old-skill", 2, None)),
    ]
    row = done.rows[0]
    assert (row["study"], row["task_id"]) == ("pdf", "1")
    assert row["model"] == "claude-sonnet-4-20250514"
    assert (row["score"], row["passed"]) == (2 / 3, False)
    assert [row["wall_s"] for row in done.rows] == [42.5, None, None]
    assert all(row["usage"] is None and row["started_at"] is None for row in done.rows)
    assert not any(row["planned_repeats"] for row in done.rows)
    assert done.left["runs[].result.tokens"] == 3
    assert done.left["metadata.runs_per_configuration"] == 1
    assert not [path for path in done.left if "pass_rate" in path and "result" in path]
    assert "words" not in str(done)


def test_configurations(tmp_path: Path) -> None:
    done = imported("skill-creator", saved(tmp_path / "benchmark.json", CONFIGURATIONS))
    assert [(row["arm"], row["score"], row["passed"]) for row in done.rows] == [
        *(("with-skill", 1.0, True), ("none", 4 / 6, False)),
    ]
    assert {(row["study"], row["task_id"], row["repeat"]) for row in done.rows} == {
        ("frontend-design", "0", None)
    }
    assert done.left["configurations[].evals[].assertion_details"] == 2
    assert "words" not in str(done)


def test_a_folder_of_iterations(tmp_path: Path) -> None:
    for number in (1, 2):
        saved(
            tmp_path / f"iteration-{number}" / "benchmark.json",
            CONFIGURATIONS | {"iteration": number},
        )
    done = imported("skill-creator", tmp_path)
    assert len({row["trial_id"] for row in done.rows}) == 4
    assert done.failures == []


def test_a_placeholder_is_nothing(tmp_path: Path) -> None:
    metadata = RUNS["metadata"] | {"executor_model": "<model-name>"}
    file = saved(tmp_path / "benchmark.json", RUNS | {"metadata": metadata})
    done = imported("skill-creator", file)
    assert [row["model"] for row in done.rows] == [None, None, None]
    assert done.left["metadata.executor_model: a placeholder"] == 1
    metadata = RUNS["metadata"] | {"skill_name": "<skill-name>"}
    with pytest.raises(InputError, match="`study` is not told"):
        imported("skill-creator", saved(file, RUNS | {"metadata": metadata}))
