"""A run whose artefact could not be rendered counts as Q 0 wherever dQ is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchdata.reports import open_visual_judge
from tests.support import judged_stage, judgment
from tests.support.command import run
from tests.support.planned import SKILL

LINE = "1 artefact could not be rendered and counts as Q 0."
DQ = (5 * 2.375 + (0 + 2.25) / 2) / 6 - 1.125
"""Runs with the skill have 2.5 and 2.25, those without 1.25 and 1; one of the first is lost."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = judged_stage.runs()
    said = judged_stage.judged(rows)
    lost = next(row["run_id"] for row in rows if (row["arm"], row["repeat"]) == (SKILL, 1))
    (failed,) = (row for row in said if row["kind"] == "pointwise" and row["run_id"] == lost)
    failed |= {**judgment.NO_SCORES, "outcome": "render_failed"}
    return judged_stage.stage(tmp_path / "stage", rows, said)


@pytest.mark.slow
def test_page_compare_summarize_and_aggregate_agree(folder: Path) -> None:
    done = run("collect", "skill-eval", "aggregate", folder)
    told = json.loads((folder / "summary.json").read_text("utf-8"))
    assert told["dQ"][0]["estimate"] == pytest.approx(DQ)
    assert LINE in told["firstLines"]
    assert LINE in done.out
    assert not any("without a" in reason for reason in told["reasons"])

    lines = open_visual_judge([str(folder)]).first_lines()
    assert f"scored {DQ:.4g} points more in quality" in lines[0]
    assert LINE in lines

    table = json.loads(run("compare", folder, "--by", "arm", "--format", "json").out)
    assert table["comparisons"][0]["estimate"] == pytest.approx(DQ)

    summaries = json.loads(run("summarize", folder, "--format", "json").out)
    (board,) = next(each["leaderboards"] for each in summaries if each["contract"] == "skill-run")
    means = {entry["arm"]: entry["mean"] for entry in board["entries"]}
    assert means[SKILL] - means["none"] == pytest.approx(DQ)
