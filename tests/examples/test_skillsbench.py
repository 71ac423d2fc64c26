"""The worked example of another tool's trials, on its published rows: their figures, the gaps."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import benchdata
from benchdata.contracts.trial import imported_id
from benchdata.dataset import Dataset

pytestmark = pytest.mark.shared_data

UNFILLED = [
    ("curated", "fix-druid-loophole-cve"),
    ("curated", "weighted-gdp-calc"),
    ("none", "invoice-fraud-detection"),
]


@pytest.fixture(scope="module")
def published(shared_data: Path) -> dict[str, Any]:
    text = (shared_data / "edge-skillsbench" / "published.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.fixture(scope="module")
def trials(root: Path, shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The published trials as the example writes them, their contract recognised."""
    example = root / "docs" / "examples" / "skillsbench.py"
    source = shared_data / "edge-skillsbench" / "trials.jsonl"
    file = tmp_path_factory.mktemp("skillsbench") / "trials.ndjson"
    done = subprocess.run([sys.executable, example, source], capture_output=True, check=True)
    file.write_bytes(done.stdout)
    return benchdata.open(file)


def test_every_trial_is_a_row_and_its_contract_is_recognised(
    trials: Dataset, published: dict[str, Any]
) -> None:
    assert (trials.contract.name, trials.rows) == ("trial", 258)
    frame = trials.frame()
    assert frame["trial_id"].n_unique() == 258
    assert frame["task_id"].n_unique() == published["paired"]["n_tasks"] == 32
    assert frame.select("source", "study", "agent", "model").unique().height == 1


def test_infrastructure_is_kept_and_never_scored(
    trials: Dataset, published: dict[str, Any]
) -> None:
    lost = trials.frame().filter(outcome="infrastructure")
    assert lost.height == published["infra_excluded"] == 69
    assert lost.select("score", "passed", "repeat").null_count().row(0) == (69, 69, 69)
    assert set(lost["row_result"]) == {"unscored"}
    assert set(trials.frame().filter(row_result="unscored")["outcome"]) == {"infrastructure"}


@pytest.mark.parametrize(("arm", "name"), [("none", "A"), ("curated", "C")])
def test_each_arm_has_its_published_figures(
    trials: Dataset, published: dict[str, Any], arm: str, name: str
) -> None:
    expected = published["arms"][name]
    scored = trials.frame().filter(pl.col("arm") == arm, pl.col("passed").is_not_null())
    assert scored.height == expected["trials"]
    assert scored["passed"].sum() == expected["passes"]
    assert (scored["outcome"] == "timeout").sum() == expected["timeouts"]
    assert scored["score"].mean() == pytest.approx(expected["mean_raw_reward"], abs=5e-5)
    assert scored["wall_s"].mean() == pytest.approx(expected["agent_wall_s_mean"], abs=0.5)
    assert scored["skill_read"].mean() == pytest.approx(expected["skill_read_rate"], abs=5e-5)
    measured = trials.sql(
        "select value from measurements join rows on row_id = trial_id"
        f" where metric = 'tokens' and arm = '{arm}' and passed is not null"
    )["value"]
    assert measured.mean() == pytest.approx(expected["tokens_mean"], abs=0.5)
    assert measured.median() == pytest.approx(expected["tokens_median"], abs=0.5)


def test_time_outs_are_scored(trials: Dataset) -> None:
    timed_out = trials.frame().filter(outcome="timeout")
    assert (timed_out.height, timed_out["passed"].sum()) == (7, 2)


def test_the_unfilled_cells_of_the_plan_are_seen(trials: Dataset) -> None:
    found = trials.sql(
        "select arm, task_id, count(repeat) as n, max(repeat) as last, any_value(planned_repeats)"
        " from rows group by arm, task_id having count(repeat) < 3 order by arm, task_id"
    )
    assert found.rows() == [(arm, task, 2, 2, 3) for arm, task in UNFILLED]


def test_the_identity_is_made_of_source_study_and_name(trials: Dataset) -> None:
    row = trials.frame().row(0, named=True)
    made = imported_id(row["source"], row["study"], "dialogue-parser__M3t6jxX")
    assert row["trial_id"] == made
