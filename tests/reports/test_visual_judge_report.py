"""The report of a blind judge: first lines, charts and tables in order, pictures, refusals."""

from __future__ import annotations

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
    "Not scored, and no success",
    "Environment: skill-run",
    "Environment: judgment",
    "Inputs",
]


@pytest.fixture
def stage(tmp_path: Path) -> Path:
    rows = judged_stage.runs()
    return judged_stage.stage(tmp_path / "stage", rows, judged_stage.judged(rows))


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


def test_the_first_lines_tell_dq_the_label_and_the_pairs(stage: Path) -> None:
    lift, label, pairs = open_visual_judge([str(stage)]).first_lines()
    assert lift == (
        f"With {SKILL}, agent claude 2.1.4 on model acme/worker-2.1-20260105 scored 1.25 points"
        " more in quality (−0.1278 to +2.628, p 0.031) over 6 tasks, 6 of which moved: cannot tell"
        " (instrument check missing: no passing check of the same judge)."
    )
    assert label == "Scored blind by an AI judge (Claude Opus 5), 0-3 rubric."
    assert pairs == (
        f"In pairs seen in both orders, {SKILL} won 6, lost 0 and tied 0 tasks against none"
        " (sign test p 0.031, raw); no orders in conflict."
    )


def test_the_arms_stand_side_by_side_the_baseline_first(stage: Path) -> None:
    shown = list(open_visual_judge([str(stage)]).sheets())
    assert all(isinstance(each, Pictures) for each in shown)
    assert [each.caption for each in shown] == [f"task-{n}" for n in range(1, 7)]
    none, skill = shown[0].sheets
    assert (none.title, none.note) == ("none, repeat 1", "Q 1.25 · 1 picture")
    assert (skill.title, skill.note) == (f"{SKILL}, repeat 1", "Q 2.5 · 2 pictures")
    assert [one.alt for one in skill.pictures] == [f"task-1, {SKILL}: {n}" for n in (1, 2)]


def test_a_page_without_pictures_says_so(stage: Path) -> None:
    (said,) = open_visual_judge([str(stage)], renders="").sheets()
    assert isinstance(said, Prose)
    assert said.text == "No pictures: none were asked for."
    shutil.rmtree(stage / ".renders")
    (said,) = open_visual_judge([str(stage)]).sheets()
    assert said.text.startswith("No pictures: no folder `.renders`")


def test_an_artefact_without_pictures_stands_beside_one_that_has_some(stage: Path) -> None:
    for folder in sorted((stage / ".renders").iterdir())[1:]:
        shutil.rmtree(folder)
    (shown,) = open_visual_judge([str(stage)]).sheets()
    assert [sheet.note for sheet in shown.sheets] == ["Q 1.25 · 1 picture", "Q 2.5 · no picture"]


def test_a_page_shows_fewer_of_many_pictures(stage: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renders, "MOST_BYTES", 13 * len(png()))
    (first, *_) = open_visual_judge([str(stage)]).sheets()
    assert first.sheets[1].note == "Q 2.5 · 2 pictures · the first 1 shown"


@pytest.mark.parametrize("name", ["/etc", "../other", "a/../../b"])
def test_pictures_lie_beside_the_rows_or_nowhere(stage: Path, name: str) -> None:
    with pytest.raises(BenchdataError, match="name of a folder beside the rows"):
        open_visual_judge([str(stage)], renders=name).sheets()


def test_what_is_no_picture_is_named(stage: Path) -> None:
    (first, *_) = sorted((stage / ".renders").iterdir())
    (first / "01.png").write_text("<svg/>" * 20, "utf-8")
    with pytest.raises(BenchdataError, match=r"/01\.png: a picture is no PNG"):
        open_visual_judge([str(stage)]).sheets()


def without(rows: list[Row], **fields: Any) -> list[Row]:
    return [row for row in rows if any(row[name] != value for name, value in fields.items())]


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
