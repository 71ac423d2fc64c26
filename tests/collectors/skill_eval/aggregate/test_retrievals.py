"""The summary of a router stage says how many runs of each arm took their way to find skills."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.harness.batches import RUNS
from collectors.skill_eval.aggregate import summary
from collectors.skill_eval.router.retrieval import FILE, Retrieval
from tests.support import judged_stage
from tests.support.drawn import Row

CAPTION = "## Runs that used their way to find skills"


@pytest.fixture
def rows() -> list[Row]:
    made = judged_stage.runs(arms=("base", "edge"), tasks=2, stage="router")
    return [row | {"skill_digest": None} for row in made]


@pytest.fixture
def stage(tmp_path: Path, rows: list[Row]) -> Path:
    said = [row | {"stage": "router"} for row in judged_stage.judged(rows, pairs=False)]
    return judged_stage.stage(tmp_path / "stage", rows, said)


def record_of(stage: Path, run: Row) -> Path:
    file = stage / RUNS / str(run["run_id"]) / FILE
    file.parent.mkdir(parents=True)
    return file


def test_runs_that_searched_loaded_and_were_refused(stage: Path, rows: list[Row]) -> None:
    first, *others = (row for row in rows if row["arm"] == "edge")
    with Retrieval(record_of(stage, first)) as record:
        record.search("a secret word", ["a/b@c"], [])
        record.load("a/b@c", "text")
        record.refusal("a/b@d", "excluded")
    for run in (*others, *(row for row in rows if row["arm"] == "base")):
        with Retrieval(record_of(stage, run)):
            pass
    text = summary.markdown(summary.of(stage, None))
    (table,) = (part for part in text.split("\n\n") if part.startswith("| Arm | Runs | Searched"))
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    assert cells == [
        ["base", "4", "0", "0", "0", "0", "0"],
        ["edge", "4", "1", "1", "1", "1", "0"],
    ]
    assert CAPTION in text
    assert "secret" not in text


def test_a_stage_without_records_has_no_such_table(stage: Path) -> None:
    assert CAPTION not in summary.markdown(summary.of(stage, None))


def test_a_damaged_record_is_named(stage: Path, rows: list[Row]) -> None:
    record_of(stage, rows[0]).write_text(json.dumps([]) + "\n", "utf-8")
    with pytest.raises(BenchdataError, match=rf"/{FILE}: is damaged"):
        summary.of(stage, None)
