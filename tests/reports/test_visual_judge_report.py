"""The report of a blind judge: first lines, charts and tables in order, pictures, refusals."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from benchdata.reports import open_visual_judge
from benchdata.reports.notices import FOOTER
from benchdata.reports.pictures import Pictures
from benchdata.reports.report import Prose
from benchdata.reports.subjects import renders
from tests.support import judged_stage, subjects
from tests.support.armed import uuid
from tests.support.command import run
from tests.support.drawn import Row, write
from tests.support.judged_stage import png
from tests.support.planned import SKILL
from tests.support.sized import DATASETS

BOTH = (DATASETS / "skill-run-demo", DATASETS / "judgment-demo")
CHARTS = ["forest", "differences", "dumbbell", "dimensions"]
TABLES = [
    f"Dimensions of {SKILL} against none (exploratory: no verdict)",
    "Preferred in both orders",
    "Pairs by task",
    "What the judge was asked",
    "Leaderboard",
    "Paired tasks",
    "The task's own check (does not change Q): runs without success",
    "Gate: skill-run",
    "Gate: judgment",
    "Environment: skill-run",
    "Environment: judgment",
    "Inputs",
]
NONE, SKILLED = (
    f"Brief fidelity {a}, Hierarchy readability {b}, Usability {c}, Craft {d} · no critical failure"
    for a, b, c, d in ((1, 1, 2, 1), (2, 3, 2, 3))
)


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    rows = judged_stage.runs()
    return judged_stage.stage(tmp_path / "stage", rows, judged_stage.judged(rows))


@pytest.mark.slow
def test_the_demo_report_is_made_by_one_command_and_made_again_the_same(
    demo_of: Callable[[str], Path],
) -> None:
    folder = demo_of("visual_judge")
    page = (folder / "report.html").read_text("utf-8")
    assert '<p class="lead">With acme/skills@page-maker, agent scripted 0.1.0 on model' in page
    label = "Scored blind by an AI judge (acme/judge-3.0-20260201), 0-3 rubric."
    assert f'<p class="lead">{label}</p>' in page
    assert f"<p>{FOOTER}</p>" in page
    assert "No pictures: no folder" in page
    done = run("report", "--check", folder, *BOTH)
    assert (done.code, done.out) == (0, "the report is the same\n")


def test_charts_and_tables_stand_in_order(stage: Path) -> None:
    shown = subjects.parts(open_visual_judge([str(stage)]), "visual_judge")
    assert subjects.charts(shown) == CHARTS
    assert subjects.captions(shown) == TABLES
    assert "No instrument check lies among the rows" in subjects.text(shown)


@pytest.mark.slow
def test_without_a_title_it_names_the_suite_and_the_stage(stage: Path) -> None:
    report = open_visual_judge([str(stage)])
    category = judged_stage.runs()[0]["category"]
    assert report.title == f"Blind visual judge: suite {category}, stage heldout"
    assert open_visual_judge([str(stage)], title="Calm pages").title == "Calm pages"


def test_the_first_lines_tell_dq_the_label_and_the_pairs(stage: Path) -> None:
    lift, label, pairs = open_visual_judge([str(stage)]).first_lines()
    assert lift == (
        f"With {SKILL}, agent claude 2.1.4 on model acme/worker-2.1-20260105 scored 1.25 points"
        " more in quality (2.375 with, 1.125 without, of 3; −0.1278 to +2.628, p 0.031)"
        " over 6 tasks, 6 of which moved: cannot tell"
        " (instrument check missing: no passing check of the same judge)."
    )
    assert label == "Scored blind by an AI judge (Claude Opus 5), 0-3 rubric."
    assert pairs == (
        f"In pairs seen in both orders, {SKILL} won 6, lost 0 and tied 0 tasks against none"
        " (sign test p 0.031, raw); no orders in conflict."
    )


@pytest.mark.slow
def test_the_arms_stand_side_by_side_the_baseline_first(stage: Path) -> None:
    *shown, failures = open_visual_judge([str(stage)]).sheets()
    assert all(isinstance(each, Pictures) for each in shown)
    assert failures.text == "0 critical failures of 24 judged runs."
    assert [each.caption for each in shown] == [f"task-{n}" for n in range(1, 7)]
    none, skill = shown[0].sheets
    assert (none.title, none.note) == ("none, repeat 1", f"Q 1.25 · {NONE} · 1 picture")
    assert (skill.title, skill.note) == (f"{SKILL}, repeat 1", f"Q 2.5 · {SKILLED} · 2 pictures")
    assert [one.alt for one in skill.pictures] == [f"task-1, {SKILL}: {n}" for n in (1, 2)]


@pytest.mark.slow
def test_a_page_without_pictures_says_so(stage: Path) -> None:
    said, _ = open_visual_judge([str(stage)], renders="").sheets()
    assert isinstance(said, Prose)
    assert said.text == "No pictures: none were asked for."
    shutil.rmtree(stage / ".renders")
    said, _ = open_visual_judge([str(stage)]).sheets()
    assert said.text.startswith("No pictures: no folder `.renders`")


@pytest.mark.slow
def test_an_artefact_without_pictures_stands_beside_one_that_has_some(stage: Path) -> None:
    for folder in sorted((stage / ".renders").iterdir())[1:]:
        shutil.rmtree(folder)
    shown, _ = open_visual_judge([str(stage)]).sheets()
    assert [sheet.note for sheet in shown.sheets] == [
        f"Q 1.25 · {NONE} · 1 picture",
        f"Q 2.5 · {SKILLED} · no picture",
    ]


@pytest.mark.slow
def test_a_page_shows_fewer_of_many_pictures(stage: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renders, "MOST_BYTES", 13 * len(png()))
    (first, *_) = open_visual_judge([str(stage)]).sheets()
    assert first.sheets[1].note == f"Q 2.5 · {SKILLED} · 2 pictures · the first 1 shown"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["/etc", "../other", "a/../../b"])
def test_pictures_lie_beside_the_rows_or_nowhere(stage: Path, name: str) -> None:
    with pytest.raises(BenchdataError, match="name of a folder beside the rows"):
        open_visual_judge([str(stage)], renders=name).sheets()


@pytest.mark.slow
def test_what_is_no_picture_is_named(stage: Path) -> None:
    (first, *_) = sorted((stage / ".renders").iterdir())
    (first / "01.png").write_text("<svg/>" * 20, "utf-8")
    with pytest.raises(BenchdataError, match=r"/01\.png: a picture is no PNG"):
        open_visual_judge([str(stage)]).sheets()


def without(rows: list[Row], **fields: Any) -> list[Row]:
    return [row for row in rows if any(row[name] != value for name, value in fields.items())]


@pytest.mark.slow
def test_without_pairs_and_with_one_arm_it_says_what_is_not_there(tmp_path: Path) -> None:
    rows = without(judged_stage.runs(), arm="none")
    known = {row["run_id"] for row in rows}
    said = judged_stage.judged(judged_stage.runs(), pairs=False)
    folder = judged_stage.stage(tmp_path / "s", rows, [r for r in said if r["run_id"] in known])
    text = subjects.text(subjects.parts(open_visual_judge([str(folder)]), "visual_judge"))
    assert "No pair was judged" in text
    assert "no dimension is compared" in text
    assert "no lift is shown: no rows of none or base" in text


def test_runs_without_a_judge_are_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "runs.ndjson", judged_stage.runs())
    with pytest.raises(BenchdataError, match="no run here was judged"):
        open_visual_judge([str(file)])


@pytest.mark.slow
def test_every_arm_of_a_router_stage_has_its_part(tmp_path: Path) -> None:
    skill = {"find-skills": "ab" * 32}
    arms = ("base", "find-skills", "edge")
    made = judged_stage.runs(arms=arms, tasks=7, stage="router")
    rows = [row | {"skill_digest": skill.get(row["arm"])} for row in made]
    said = [row | {"stage": "router"} for row in judged_stage.judged(rows, pairs=False)]
    report = open_visual_judge([str(judged_stage.stage(tmp_path / "s", rows, said))])
    assert [line.split(",")[0] for line in report.first_lines()[:2]] == [
        "With edge",
        "With find-skills",
    ]
    (first, *_) = report.sheets()
    assert [sheet.title.split(",")[0] for sheet in first.sheets] == ["base", "edge", "find-skills"]


@pytest.mark.slow
def test_a_critical_failure_stands_beside_the_pictures_and_is_counted(tmp_path: Path) -> None:
    rows = judged_stage.runs()
    said = judged_stage.judged(rows)
    worst = next(row for row in said if row["kind"] == "pointwise" and row["run_id"] == first(rows))
    worst |= {"critical_failures": ["required_content_missing"], "quality": 0.0}
    stage = judged_stage.stage(tmp_path / "stage", rows, said)
    shown, *_, failures = open_visual_judge([str(stage)]).sheets()
    assert "Craft 1 · critical: required_content_missing · 1 picture" in shown.sheets[0].note
    assert failures.text == "1 critical failure in 1 of 24 judged runs."


def first(rows: list[Row]) -> str:
    """Return the run of task 1 without a skill, in its first repeat."""
    return next(str(row["run_id"]) for row in rows if row["arm"] == "none")


def test_what_speaks_against_the_result_stands_in_a_list(tmp_path: Path, stage: Path) -> None:
    alone = open_visual_judge([str(stage)]).against().text.splitlines()
    assert alone[0].startswith("- 6 tasks, chosen by those who ran them")
    assert alone[1].startswith("- One judge, Claude Opus 5, gave every score")
    assert alone[2:4] == [
        "- No check of this judge lies among the rows.",
        "- Orders are in conflict in 0 of 12 pairs.",
    ]
    file = judged_stage.check(tmp_path / "check", judged_stage.runs()[0])
    report = open_visual_judge([str(stage), str(file.parent)])
    assert "passes its check (1 check, none failed, on n = 1 attempt)" in report.against().text
    assert report.judges[0].tally.checks == 1


@pytest.mark.slow
def test_a_check_that_failed_is_counted_beside_one_that_passes(tmp_path: Path, stage: Path) -> None:
    run = judged_stage.runs()[0]
    failed = judged_stage.check(tmp_path / "failed", run, {"blank": (1, 0, 0, 0)}).parent
    passed = judged_stage.check(tmp_path / "passed", run).parent / "judgments.ndjson"
    again = [
        json.loads(line)
        | {"check_id": uuid(1), "judgment_id": uuid(610_000 + n)}
        | {"judged_at": f"2026-03-07T10:00:0{n}.000Z"}
        for n, line in enumerate(passed.read_text("utf-8").splitlines())
    ]
    write(passed, again)
    report = open_visual_judge([str(stage), str(failed), str(passed)])
    tally = "2 checks, 1 failed; the latest on n = 1 attempt"
    assert f"- The judge does not pass its check ({tally})" in report.against().text
    table, said = report.check()
    assert table.caption == f"Instrument check, recomputed ({tally})"
    assert said.text == "- instrument check: 1 of 1 earlier check of this judge failed"


@pytest.mark.slow
def test_the_gate_says_of_every_group_why_it_waits(stage: Path) -> None:
    runs, judged = open_visual_judge([str(stage)]).gate()
    assert {row[-1] for row in runs.rows} == {
        "no instrument check of the same judge: judge_model, prompt_version, render_version"
    }
    assert [row[1:3] for row in judged.rows] == [("heldout", "pairwise"), ("heldout", "pointwise")]
    assert judged.headers[:3] == ("Group", "Stage", "Kind")
