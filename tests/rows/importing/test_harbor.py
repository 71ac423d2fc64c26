"""Harbor jobs, as its own models write them: tokens, skills, steps, errors that are no failures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import InputError
from tests.support.importing import FIXTURES, Imported, imported, refusal, saved

JOBS = FIXTURES / "harbor"
FIRST, SECOND = (JOBS / name for name in ("2026-09-20__07-42-26", "2026-09-20__08-10-00"))
TRIAL = FIRST / "sort-sheet__26XBUNE"
DONE: dict[str, Any] = json.loads((TRIAL / "result.json").read_text("utf-8"))


def by_name(done: Imported) -> dict[str, dict[str, Any]]:
    """Return the rows by how the trials' folders end, in the order that the jobs are read."""
    names = sorted(path.parent.relative_to(JOBS) for path in JOBS.glob("*/*/result.json"))
    return dict(zip((name.name.partition("__")[2] for name in names), done.rows, strict=True))


def changed(tmp_path: Path, **changes: Any) -> Imported:
    """Import one trial that is told otherwise; it has no trajectory."""
    saved(tmp_path / "trial" / "result.json", DONE | changes)
    return imported("harbor", tmp_path)


def failed(kind: str, **policy: Any) -> dict[str, Any]:
    return {"exception_info": {"exception_type": kind, **({"policy": policy} if policy else {})}}


def test_a_trial() -> None:
    row = imported("harbor", TRIAL).row
    assert (row["source"], row["study"], row["task_id"]) == (
        "harbor",
        "acme-tasks-1-0",
        "sort-sheet",
    )
    assert (row["agent"], row["agent_version"], row["model"]) == (
        *("codex", "0.155.1", "acme/worker-2.1"),
    )
    assert (row["arm"], row["skill_installed"], row["skill_read"]) == ("none", False, None)
    assert (row["outcome"], row["score"], row["passed"]) == ("completed", 0.0, False)
    assert (row["total_cost_usd"], row["wall_s"]) == (0.098, 36.25)
    assert row["started_at"] == "2026-09-20T05:42:26.330Z"
    assert imported("harbor", TRIAL / "result.json").row == row
    assert (row["repeat"], row["planned_tasks"], row["planned_repeats"]) == (None, None, None)


def test_input_is_what_no_cache_gave_or_took(tmp_path: Path) -> None:
    (usage,) = imported("harbor", TRIAL).row["usage"]
    assert usage == {
        "model": "acme/worker-2.1",
        "input_tokens": 76541 - 64640 - 1000,
        "output_tokens": 1241,
        "cache_creation_tokens": 1000,
        "cache_read_tokens": 64640,
    }
    (usage,) = changed(tmp_path).row["usage"]
    assert (usage["input_tokens"], usage["cache_creation_tokens"]) == (76541 - 64640, None)


def test_a_folder_of_jobs_is_all_of_their_trials() -> None:
    done = imported("harbor", JOBS)
    assert len(done.rows) == 8
    assert done.failures == []
    assert [row["trial_id"] for row in done.rows] == [
        row["trial_id"] for job in (FIRST, SECOND) for row in imported("harbor", job).rows
    ]
    assert {row["arm"] for row in done.rows} == {"none", "sheet-sorter"}
    assert done.left["the totals of a job"] == 2
    assert done.left["verifier_result.rewards.style"] == 4


def test_errored_is_never_failed() -> None:
    rows = by_name(imported("harbor", JOBS))
    told = {name: (row["outcome"], row["score"], row["passed"]) for name, row in rows.items()}
    lost = ("infrastructure", None, None)
    assert told == {
        "26XBUNE": ("completed", 0.0, False),
        "qyvGohb": ("timeout", 0.5, False),
        "ovjDFQT": lost,  # the set-up took too long
        "NSKwxnR": lost,  # a rate limit, and a reward of 0 all the same
        "8ZHNNDJ": ("completed", 1.0, True),
        "SWwnevN": ("completed", 1.0, True),
        "BvHcGEj": lost,  # the verifier of one of its steps
        "X9XvvrM": ("agent_error", 0.0, False),
    }


def test_steps_are_added_up() -> None:
    row = by_name(imported("harbor", JOBS))["SWwnevN"]
    (usage,) = row["usage"]
    assert (usage["input_tokens"], usage["cache_read_tokens"], usage["output_tokens"]) == (
        *(120, 80, 14),
    )
    assert (row["total_cost_usd"], row["wall_s"]) == (0.02, 20.0)


def test_no_tokens_at_all_were_never_counted() -> None:
    row = by_name(imported("harbor", JOBS))["NSKwxnR"]
    assert (row["usage"], row["total_cost_usd"]) == (None, None)


@pytest.mark.parametrize(
    ("exception", "outcome"),
    [
        (failed("AgentTimeoutError"), "timeout"),
        (failed("ContextWindowExceededError"), "agent_error"),
        (failed("AgentSafetyRefusalError", has_valid_reward=False), "infrastructure"),
        (failed("NonZeroAgentExitCodeError"), "infrastructure"),
        (failed("NonZeroAgentExitCodeError", has_valid_reward=True), "agent_error"),
        (failed("RuntimeError", has_valid_reward=True), "infrastructure"),
        (failed("VerifierTimeoutError"), "infrastructure"),
        ({"exception_info": None}, "completed"),
    ],
)
def test_an_exception_decides_beside_a_reward(
    tmp_path: Path, exception: dict[str, Any], outcome: str
) -> None:
    row = changed(tmp_path, **exception).row
    assert row["outcome"] == outcome
    assert (row["score"] is None) is (outcome == "infrastructure")


@pytest.mark.parametrize(
    ("skills", "arm"),
    [
        ([], "none"),
        (["skills/Sheet Sorter/"], "sheet-sorter"),
        (["acme/b@1.0", "C:\\skills\\a"], "a-b-1-0"),
        (["skills/表"], None),
    ],
)
def test_the_arm_is_the_skills(tmp_path: Path, skills: list[str], arm: str | None) -> None:
    config = DONE["config"] | {"agent": DONE["config"]["agent"] | {"skills": skills}}
    if arm is None:
        with pytest.raises(InputError, match="`arm` is not told"):
            changed(tmp_path, config=config)
    else:
        assert changed(tmp_path, config=config).row["arm"] == arm


def test_a_time_limit_without_a_reward_is_not_scored(tmp_path: Path) -> None:
    row = changed(tmp_path, verifier_result=None, **failed("AgentTimeoutError")).row
    assert (row["outcome"], row["passed"]) == ("unscored", None)


def test_an_older_result_tells_no_zone_no_skills_and_no_version(tmp_path: Path) -> None:
    config = {"agent": {"name": "codex", "model_name": "acme/worker-2.1"}}
    older = {
        "config": config,
        "agent_info": DONE["agent_info"] | {"version": "unknown"},
        "agent_result": dict.fromkeys(DONE["agent_result"]),
        "started_at": "2026-01-26T02:12:06.752028",
        "agent_execution": {
            "started_at": "2026-01-26T02:24:45.000000",
            "finished_at": "2026-01-26T02:25:45.500000",
        },
    }
    with pytest.raises(InputError, match="`arm` is not told: say it with --set arm="):
        changed(tmp_path, **older)
    done = imported("harbor", tmp_path, said=("arm=curated",))
    row = done.row
    assert (row["arm"], row["skill_installed"], row["agent_version"]) == ("curated", None, None)
    assert (row["usage"], row["total_cost_usd"]) == (None, None)
    assert (row["started_at"], row["wall_s"]) == (None, 60.5)
    assert done.left["started_at: a time without a zone"] == 1


@pytest.mark.parametrize(
    ("rewards", "score", "expected"),
    [
        ({"tests": 1}, None, (1.0, True)),
        ({"reward": 1, "style": 0.2}, "style", (0.2, False)),
        ({"reward": 42}, None, (None, None)),
        ({"reward": -0.5}, None, (None, None)),
        ({}, None, (None, None)),
    ],
)
def test_the_reward_that_counts(
    tmp_path: Path,
    rewards: dict[str, float],
    score: str | None,
    expected: tuple[float | None, bool | None],
) -> None:
    saved(tmp_path / "result.json", DONE | {"verifier_result": {"rewards": rewards}})
    done = imported("harbor", tmp_path, score=score)
    assert (done.row["score"], done.row["passed"]) == expected
    scale = done.left["verifier_result.rewards.reward: no score from 0 to 1"]
    assert scale == (rewards.get("reward", 0) not in {0, 1})


def test_which_of_several_rewards_counts_is_asked_for(tmp_path: Path) -> None:
    rewards = {"verifier_result": {"rewards": {"style": 1, "speed": 0}}}
    saved(tmp_path / "result.json", DONE | rewards)
    with pytest.raises(
        InputError, match=r"result\.json: there are several scores \(speed, style\)"
    ):
        imported("harbor", tmp_path)
    assert imported("harbor", tmp_path, score="speed").row["score"] == 0.0
    with pytest.raises(InputError, match=r"--score tests: .* \(speed, style\)"):
        imported("harbor", tmp_path, score="tests")


def test_what_the_agent_wrote_is_no_result(tmp_path: Path) -> None:
    shutil.copytree(FIRST, tmp_path / "job")
    fake = json.dumps(DONE | {"id": "fake"})
    for folder in ("artifacts", "agent", "verifier", "deeper"):
        path = tmp_path / "job" / TRIAL.name / folder / "result.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(fake, "utf-8")
    running = tmp_path / "job" / "sort-sheet__running" / "artifacts"
    running.mkdir(parents=True)
    (running / "result.json").write_text(fake, "utf-8")
    done = imported("harbor", tmp_path)
    assert len(done.rows) == 4
    assert done.left["a trial without a result"] == 1


def test_a_damaged_result_is_named_and_the_others_stay(tmp_path: Path) -> None:
    shutil.copytree(FIRST, tmp_path / "job")
    results = sorted((tmp_path / "job").glob("*/result.json"))
    results[0].write_text(results[0].read_text("utf-8")[:900], "utf-8")
    saved(results[1], {"words": 1})
    saved(results[2], DONE | {"verifier_result": {"rewards": {"reward": "1"}}})
    done = imported("harbor", tmp_path)
    assert len(done.rows) == 1
    cut, other, text = (
        failure.removeprefix(f"{path}: ")
        for failure, path in zip(done.failures, results, strict=False)
    )
    assert cut.startswith("document: no valid JSON at line 30, column 5: ")
    assert other == "document: is the result of no trial and of no job"
    assert text == "verifier_result.rewards.reward: must be a number"


def test_a_folder_without_results_says_what_to_name(tmp_path: Path) -> None:
    (_, *rest) = ["", *refusal("harbor", tmp_path)]
    assert rest == [
        f"{tmp_path}: no trial can be imported: name a folder of jobs, a job or a trial"
    ]
