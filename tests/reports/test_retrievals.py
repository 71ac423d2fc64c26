"""Whether an arm took its way to find skills: counted from the records beside a stage's rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchdata.errors import ReportError
from benchdata.reports import open_visual_judge
from tests.support import judged_stage
from tests.support.drawn import Row

SEARCH, LOAD = ({"event": event, "asked": "a secret word"} for event in ("search", "load"))
REFUSAL = {"event": "refusal", "asked": "x", "because": "excluded"}
ARMS = ("base", "find-skills", "edge")


def recorded(stage: Path, run: Row, *events: Row) -> Path:
    file = stage / ".runs" / str(run["run_id"]) / "retrieval.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")
    return file


@pytest.fixture
def rows() -> list[Row]:
    skill = {"find-skills": "ab" * 32}
    made = judged_stage.runs(arms=ARMS, tasks=2, stage="router")
    return [row | {"skill_digest": skill.get(row["arm"])} for row in made]


@pytest.fixture
def stage(tmp_path: Path, rows: list[Row]) -> Path:
    said = [row | {"stage": "router"} for row in judged_stage.judged(rows, pairs=False)]
    return judged_stage.stage(tmp_path / "stage", rows, said)


def of(rows: list[Row], arm: str) -> list[Row]:
    return [row for row in rows if row["arm"] == arm]


def test_each_arm_tells_how_many_runs_used_its_way(stage: Path, rows: list[Row]) -> None:
    for run in of(rows, "base"):
        recorded(stage, run)
    first, second, *others = of(rows, "find-skills")
    recorded(stage, first, SEARCH, SEARCH, LOAD)
    recorded(stage, second, SEARCH, REFUSAL, REFUSAL)
    for run in [*others, *of(rows, "edge")]:
        recorded(stage, run)
    report = open_visual_judge([str(stage)])
    (table,) = report.retrieval()
    assert table.headers == (
        *("Arm", "Runs", "Searched", "Loaded", "Refused", "Refusals", "No answer"),
    )
    assert list(table.rows) == [
        ("base", "4", "0", "0", "0", "0", "0"),
        ("edge", "4", "0", "0", "0", "0", "0"),
        ("find-skills", "4", "2", "1", "1", "2", "0"),
    ]
    said = report.against().text
    assert "- edge never searched in 4 runs: its numbers say nothing of that way." in said
    assert "base never" not in said
    assert "find-skills never" not in said
    assert "secret" not in table.markdown() + said


@pytest.mark.slow
def test_an_arm_that_only_searched_loaded_nothing(stage: Path, rows: list[Row]) -> None:
    recorded(stage, of(rows, "edge")[0], SEARCH)
    assert "- edge loaded no skill in 1 run" in open_visual_judge([str(stage)]).against().text


@pytest.mark.slow
def test_without_records_nothing_is_said(stage: Path) -> None:
    report = open_visual_judge([str(stage)])
    assert list(report.retrieval()) == []
    assert "searched" not in report.against().text


@pytest.mark.parametrize("content", ["{", "[]\n", "{}\n"])
def test_a_damaged_record_is_named(stage: Path, rows: list[Row], content: str) -> None:
    file = recorded(stage, rows[0])
    file.write_text(content, "utf-8")
    with pytest.raises(ReportError, match=r"^\.runs/.*/retrieval\.jsonl: is damaged"):
        open_visual_judge([str(stage)]).retrieval()
