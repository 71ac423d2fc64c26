"""Boards of what a judge scored: verdicts joined to runs, averaged first, by a checked judge."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.leaderboards.boards import Board, leaderboards
from benchdata.leaderboards.profiles import profile
from benchdata.stats.results import CannotTell
from tests.support import judgment
from tests.support.armed import skills, uuid
from tests.support.command import refused, run
from tests.support.drawn import Row, write

HIGH, LOW = (3, 3, 3, 3), (1, 1, 1, 1)
JUDGE = "judged by acme/judge-3.0-20260201, 1-0a1b2c3d4e5f, 3.1-a0b1c2d3e4f5"


def runs(tasks: int = 8) -> list[Row]:
    """Return runs of two arms that a rubric grades."""
    graded = {"grader": "rubric", "grader_model": "acme/judge-3.0-20260201"}
    made = skills({"none": 0.5, "a/b@c": 0.5}, tasks=tasks)
    return [row | graded | {"score": None, "passed": None} for row in made]


def verdict(number: int, row: Row, grades: tuple[int, ...], **changes: Any) -> Row:
    """Return a verdict on the artefact that a run left."""
    names = ("brief_fidelity", "hierarchy_readability", "usability", "craft")
    return judgment.valid_row(
        {
            "judgment_id": uuid(5000 + number),
            "run_id": row["run_id"],
            "task_id": row["task_id"],
            "artefact_digest": f"{number % 90 + 10}" * 32,
            "judged_at": f"2026-03-03T{number // 60:02d}:{number % 60:02d}:00.000Z",
            "quality": sum(grades) / 4,
            **dict(zip(names, grades, strict=True)),
            **changes,
        }
    )


def verdicts(rows: list[Row], *, checked: bool = True, **changes: Any) -> list[Row]:
    """Return a verdict on each run, high with the skill, and a check of the judge that passes."""
    found = [
        verdict(n, row, LOW if row["arm"] == "none" else HIGH, **changes)
        for n, row in enumerate(rows)
    ]
    if checked:
        check = {"check_id": uuid(7000)} | changes
        same = {"artefact_digest": found[1]["artefact_digest"]}
        void = {"critical_failures": ["blank-page"], "quality": 0.0}
        found += [
            verdict(200, rows[1], HIGH, kind="repeat", **check, **same),
            verdict(201, rows[1], LOW, kind="blank", **check | void, artefact_digest="ee" * 32),
            verdict(202, rows[1], LOW, kind="stripped", **check, artefact_digest="ef" * 32),
        ]
    return found


def boards(folder: Path, rows: list[Row], judged: list[Row]) -> tuple[Board, ...]:
    files = [write(folder / "runs.ndjson", rows), write(folder / "judged.ndjson", judged)]
    given = benchdata.open(files)
    return leaderboards(given.of(SKILL_RUN), given)


def test_runs_without_a_score_of_their_own_get_that_of_the_judge(tmp_path: Path) -> None:
    rows = runs()
    (board,) = boards(tmp_path, rows, verdicts(rows))
    skill, none = board.entries
    assert board.context == JUDGE
    assert (board.claim.metric.name, board.claim.min_effect) == ("quality", 0.25)
    assert (skill.label, skill.summary.estimate, none.summary.estimate) == ("a/b@c", 3.0, 1.0)
    assert skill.lift is not None
    assert (str(skill.lift.verdict), skill.lift.finding.result.estimate) == ("better", 2.0)
    assert [cell and cell.mean for cell in board.tasks[0].cells] == [3.0, 1.0]
    assert skill.account.means["turns"].n == 8


def test_verdicts_on_one_artefact_are_averaged_before_runs(tmp_path: Path) -> None:
    rows = runs(2)
    judged = [verdict(n, row, LOW) for n, row in enumerate(rows)]
    again = {"artefact_digest": judged[0]["artefact_digest"], "attempt": 2}
    judged += [verdict(90, rows[0], HIGH, **again), verdict(91, rows[0], HIGH, **again)]
    other = {"artefact_digest": "ab" * 32}
    judged.append(verdict(92, rows[0], (3, 3, 3, 2), **other))
    (board,) = boards(tmp_path, rows, judged)
    (cell,) = (
        row.cells[place]
        for row in board.tasks[:1]
        for place, entry in enumerate(board.entries)
        if entry.label == "none"
    )
    assert cell is not None
    assert cell.mean == pytest.approx(((1 + 3 + 3) / 3 + 2.75) / 2)


def test_without_a_check_that_passed_there_is_no_verdict(tmp_path: Path) -> None:
    rows = runs()
    (board,) = boards(tmp_path, rows, verdicts(rows, checked=False))
    (skill,) = board.lifts
    assert skill.lift is not None
    assert str(skill.lift.verdict).startswith("cannot tell: instrument check missing")


def test_each_instrument_has_a_board_of_its_own(tmp_path: Path) -> None:
    rows = runs()
    second = [
        verdict(300 + n, row, LOW, prompt_version="2-0a1b2c3d4e5f") for n, row in enumerate(rows)
    ]
    found = boards(tmp_path, rows, [*verdicts(rows), *second])
    assert [board.context.split(", ")[1] for board in found] == ["1-0a1b2c3d4e5f", "2-0a1b2c3d4e5f"]


def test_a_judge_of_stand_ins_is_a_pipeline_proof(tmp_path: Path) -> None:
    rows = runs()
    (board,) = boards(tmp_path, rows, verdicts(rows, endpoint="stand_in"))
    assert board.synthetic


def test_without_the_verdicts_the_board_has_no_value(tmp_path: Path) -> None:
    file = write(tmp_path / "runs.ndjson", runs())
    (board,) = leaderboards(benchdata.open(file))
    assert all(isinstance(entry.summary.estimate, CannotTell) for entry in board.entries)


@pytest.mark.slow
def test_both_contracts_are_summarized_at_once(tmp_path: Path) -> None:
    rows = runs()
    files = write(tmp_path / "a.ndjson", rows), write(tmp_path / "b.ndjson", verdicts(rows))
    text = run("summarize", *files).out
    assert "scored 2 points more in quality" in text
    assert text.index("# skill-run summary") < text.index("# judgment summary")
    documents = json.loads(run("summarize", *files, "--format", "json").out)
    assert [each["contract"] for each in documents] == ["skill-run", "judgment"]
    assert documents[0]["leaderboards"][0]["metric"] == "quality"
    lines = list(csv.DictReader(io.StringIO(run("summarize", *files, "--format", "csv").out)))
    assert [(line["arm"], line["mean"]) for line in lines] == [("a/b@c", "3.0"), ("none", "1.0")]
    page = run("summarize", *files, "--format", "html").out
    assert "<h1>skill-run and judgment summary</h1>" in page


def test_two_tables_are_no_csv() -> None:
    demo = Path(__file__).parents[2] / "datasets"
    both = demo / "judgment-demo", demo / "jev-social-demo"
    message = refused(run("summarize", *both, "--format", "csv"))
    assert "CSV is one table, and there are rows of judgment and jev-social" in message


def test_a_verdict_that_was_given_for_a_check_is_in_no_score(tmp_path: Path) -> None:
    rows = runs()
    again = {"check_id": uuid(7000), "stage": "check"}
    judged = [*verdicts(rows), verdict(300, rows[0], HIGH, **again)]
    (board,) = boards(tmp_path, rows, judged)
    none = next(entry for entry in board.entries if entry.label == "none")
    assert none.summary.estimate == 1.0


def test_dimensions_are_compared_as_the_quality_is(tmp_path: Path) -> None:
    rows = runs()
    judged = [
        row | {"craft": 2, "quality": (row["quality"] * 4 - 1) / 4} if row["craft"] == 3 else row
        for row in verdicts(rows)
    ]
    files = [write(tmp_path / "runs.ndjson", rows), write(tmp_path / "judged.ndjson", judged)]
    found = list(profile(benchdata.open(files), SKILL_RUN))
    assert [one.name for one in found] == [
        "Brief fidelity",
        "Hierarchy readability",
        "Usability",
        "Craft",
    ]
    differences = [one.finding.result.estimate for one in found]
    assert differences == [2.0, 2.0, 2.0, 1.0]
    assert [one.treatment.estimate for one in found] == [3.0, 3.0, 3.0, 2.0]
