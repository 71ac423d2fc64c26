"""skill-validator results: runs told by themselves, under the older names and the newer ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import InputError
from tests.support.importing import Imported, imported, saved

METRICS: dict[str, Any] = {
    "tokenEstimate": 340,
    "toolCallCount": 4,
    "turnCount": 3,
    "wallTimeMs": 13630,
    "assertionResults": [
        {"assertion": {"type": "output_contains", "value": "x"}, "passed": True, "message": "m"},
        {"assertion": {"type": "exit_success"}, "passed": False, "message": "m"},
    ],
    "taskCompleted": False,
    "agentOutput": "words",
}
NEWER = METRICS | {
    "inputTokens": 1000,
    "outputTokens": 50,
    "cacheReadTokens": 600,
    "cacheWriteTokens": 100,
    "cost": 3.0,
    "timedOut": False,
}
ONE = {
    "assertionsPassed": 1,
    "assertionsTotal": 1,
    "taskCompleted": True,
    "cost": 1.0,
    "inputTokens": 900,
    "cacheReadTokens": 500,
    "outputTokens": 40,
    "toolCallCount": 2,
    "turnCount": 2,
    "wallTimeMs": 9000,
}


def role(metrics: dict[str, Any]) -> dict[str, Any]:
    return {"metrics": metrics, "judgeResult": {"rubricScores": [], "overallScore": 4}}


def results(tmp_path: Path, **scenario: Any) -> Imported:
    whole = {
        "model": "claude-opus-4.6",
        "judgeModel": "claude-opus-4.6",
        "timestamp": "2026-02-20T20:44:00.819Z",
        "verdicts": [
            {
                "skillName": "analyzing-performance",
                "skillPath": "./skills/analyzing-performance",
                "passed": True,
                "scenarios": [{"scenarioName": "sync-over-async", **scenario}],
            }
        ],
    }
    return imported("skill-validator", saved(tmp_path / "results.json", whole))


def test_the_older_names_of_one_run(tmp_path: Path) -> None:
    done = results(
        tmp_path,
        baseline=role(METRICS),
        withSkill=role(METRICS | {"taskCompleted": True}),
        perRunScores=[0.78],
        skillActivation={"activated": True, "detectedSkills": []},
    )
    base, skilled = done.rows
    assert (base["arm"], base["skill_installed"], base["skill_read"]) == ("none", False, None)
    assert (skilled["arm"], skilled["skill_installed"]) == ("isolated", True)
    assert skilled["skill_read"] is True
    assert (base["score"], base["passed"], base["outcome"]) == (0.5, False, "completed")
    assert (skilled["score"], skilled["passed"]) == (0.5, True)
    assert (base["study"], base["task_id"]) == ("analyzing-performance", "sync-over-async")
    assert (base["model"], base["repeat"], base["wall_s"]) == ("claude-opus-4.6", 1, 13.63)
    assert base["usage"] is None
    assert done.left["verdicts[].scenarios[].baseline.metrics.tokenEstimate"] == 1
    assert done.left["verdicts[].scenarios[].withSkill.judgeResult"] == 1
    assert done.left["verdicts[].scenarios[].baseline.metrics.agentOutput"] == 1
    assert "words" not in str(done)


def test_the_newer_names_and_tokens(tmp_path: Path) -> None:
    done = results(
        tmp_path,
        baseline=role(NEWER),
        skilledIsolated=role(NEWER | {"timedOut": True}),
        skilledPlugin=role(NEWER),
        perRunScores=[0.1],
        skillActivationIsolated={"activated": False},
        skillActivationPlugin={"activated": True},
    )
    arms = {row["arm"]: row for row in done.rows}
    assert [*arms] == ["none", "isolated", "plugin"]
    assert [row["skill_read"] for row in done.rows] == [None, False, True]
    assert [row["outcome"] for row in done.rows] == ["completed", "timeout", "completed"]
    (usage,) = arms["none"]["usage"]
    assert usage == {
        "model": "claude-opus-4.6",
        "input_tokens": 300,
        "output_tokens": 50,
        "cache_creation_tokens": 100,
        "cache_read_tokens": 600,
    }
    assert done.left["verdicts[].scenarios[].baseline.metrics.cost"] == 1
    assert all(row["total_cost_usd"] is None for row in done.rows)


def test_each_run_beside_an_average_is_a_row(tmp_path: Path) -> None:
    runs = [ONE, ONE | {"assertionsPassed": 0, "taskCompleted": False}]
    done = results(
        tmp_path,
        baseline=role(NEWER | {"perRun": runs}),
        skilledIsolated=role(NEWER | {"perRun": runs}),
        perRunScores=[0.1, 0.2],
        skillActivationIsolated={"activated": True},
        skillActivationIsolatedPerRun=[{"activated": True}, {"activated": False}],
    )
    assert [(row["arm"], row["repeat"], row["passed"]) for row in done.rows] == [
        *(("none", 1, True), ("none", 2, False)),
        *(("isolated", 1, True), ("isolated", 2, False)),
    ]
    assert [row["skill_read"] for row in done.rows] == [None, None, True, False]
    (usage,) = done.rows[0]["usage"]
    assert (usage["input_tokens"], usage["cache_creation_tokens"]) == (400, None)


@pytest.mark.parametrize("scenario", [{"perRunScores": [0.1, 0.2, 0.3]}, {}])
def test_an_average_over_runs_is_no_trial(tmp_path: Path, scenario: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="no run can be imported"):
        results(tmp_path, baseline=role(NEWER), skilledIsolated=role(NEWER), **scenario)


def test_averages_beside_runs_are_told(tmp_path: Path) -> None:
    done = results(
        tmp_path,
        baseline=role(NEWER | {"perRun": [ONE]}),
        skilledIsolated=role(NEWER),
        perRunScores=[0.1, 0.2],
    )
    assert [row["arm"] for row in done.rows] == ["none"]
    averages = "verdicts[].scenarios[].skilledIsolated.metrics: averages over runs"
    assert done.left[averages] == 1


@pytest.mark.parametrize(
    ("held", "score"),
    [([True, None], 1.0), ([False, None, None], 0.0), ([True, False, None], 0.5), ([None], None)],
)
def test_an_assertion_without_a_result_counts_neither_way(
    tmp_path: Path, held: list[bool | None], score: float | None
) -> None:
    told = [{"assertion": {"type": "exit_success"}, "passed": each} for each in held]
    never = {"assertionResults": told, "taskCompleted": None}
    done = results(tmp_path, baseline=role(METRICS | never), perRunScores=[0.0])
    assert done.row["score"] == score
    assert done.row["outcome"] == ("unscored" if score is None else "completed")
    place = "verdicts[].scenarios[].baseline.metrics.assertionResults[]"
    assert done.left[f"{place}: an assertion without a result"] == held.count(None)


def test_an_error_without_words_is_none(tmp_path: Path) -> None:
    done = results(tmp_path, baseline=role(METRICS), perRunScores=[0.0], executionError="")
    assert (done.row["outcome"], done.row["score"]) == ("completed", 0.5)


def test_a_scenario_that_could_not_run_is_errored_and_not_failed(tmp_path: Path) -> None:
    done = results(
        tmp_path, baseline=role(METRICS), perRunScores=[0.0], executionError="no session"
    )
    assert (done.row["outcome"], done.row["score"], done.row["passed"]) == (
        *("infrastructure", None, None),
    )
    assert done.left["passed: of what was lost to infrastructure"] == 1


def test_newer_files_tell_the_isolated_role_under_both_names(tmp_path: Path) -> None:
    done = results(
        tmp_path,
        baseline=role(NEWER),
        skilledIsolated=role(NEWER),
        withSkill=role(NEWER),
        perRunScores=[0.1],
    )
    assert [row["arm"] for row in done.rows] == ["none", "isolated"]
    assert done.left["verdicts[].scenarios[].withSkill: the same as skilledIsolated"] == 1


@pytest.mark.parametrize("mode", ["Holistic", 1])
def test_a_placeholder_is_no_failure(tmp_path: Path, mode: str | int) -> None:
    done = results(
        tmp_path,
        baseline=role(NEWER),
        skilledIsolated=role({"taskCompleted": False}),
        skilledPlugin=role(NEWER),
        perRunScores=[0.1],
        evalMode=mode,
    )
    assert [row["arm"] for row in done.rows] == ["none", "plugin"]
    assert done.left["verdicts[].scenarios[].skilledIsolated: a placeholder"] == 1


def test_tokens_that_were_never_counted_are_unknown(tmp_path: Path) -> None:
    never = dict.fromkeys(("inputTokens", "outputTokens", "cacheReadTokens"), 0)
    done = results(tmp_path, baseline=role(METRICS | never), perRunScores=[0.0])
    assert done.row["usage"] is None
