"""The report of a leaderboard: first line, order of charts, tables, refusals, the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchdata.charts import compact_spec
from benchdata.errors import BenchdataError
from benchdata.reports import open_skill_leaderboard
from benchdata.reports.notices import FOOTER
from tests.support.cases import mostly_slow
from tests.support import drawn, subjects
from tests.support.armed import skills
from tests.support.sized import SIZES, skill_rows

CHARTS = ["forest", "dumbbell", "heatmap", "tradeoff", "reach"]


@pytest.mark.slow
def test_the_demo_report_is_made_by_one_command(demo_of: Callable[[str], Path]) -> None:
    folder = demo_of("skill_leaderboard")
    page = (folder / "report.html").read_text("utf-8")
    assert '<p class="lead">With acme/skills@invoice-reader, agent scripted 0.1.0 on model' in page
    assert "over 10 tasks, 7 of which moved; no verdict: pipeline proof.</p>" in page
    assert f"<p>{FOOTER}</p>" in page


@pytest.mark.parametrize("size", mostly_slow(SIZES))
def test_charts_and_tables_stand_in_order(tmp_path: Path, size: int) -> None:
    report = open_skill_leaderboard([subjects.saved(tmp_path, skill_rows(size))])
    shown = subjects.parts(report, "skill_leaderboard")
    assert subjects.charts(shown) == CHARTS[: len(CHARTS) if size > SIZES[0] else 4]
    kinds = [caption.partition(":")[0] for caption in subjects.captions(shown)]
    assert list(dict.fromkeys(kinds))[:3] == [
        "Leaderboard",
        "Paired tasks",
        "Not scored, and no success",
    ]


def test_a_rank_is_a_range(tmp_path: Path) -> None:
    report = open_skill_leaderboard([subjects.saved(tmp_path, skill_rows(30))])
    (board,) = report.leaderboard()
    assert board.headers[0] == "Rank"
    assert [row[0] for row in board.rows] == ["1 to 3"] * 3


def test_of_many_lifts_the_first_are_told(tmp_path: Path) -> None:
    arms = {"none": 0.2, **{f"local:skill-{number}": 0.4 for number in range(9)}}
    report = open_skill_leaderboard([subjects.saved(tmp_path, skills(arms, tasks=10))])
    lines = report.first_lines()
    assert len(lines) == 7
    assert lines[-1] == "3 more lifts in the leaderboard below."


def test_no_lift_is_shown_beside_another_model(tmp_path: Path) -> None:
    rows = [
        *skills({"none": 0.2}, model="acme/worker-2.1-20260105"),
        *skills({"local:mine": 0.6}, first=100, model="acme/worker-3.0-20260105"),
    ]
    report = open_skill_leaderboard([subjects.saved(tmp_path, rows)])
    assert all("no lift is shown" in line for line in report.first_lines())
    shown = subjects.parts(report, "skill_leaderboard")
    assert subjects.charts(shown) == ["heatmap"]
    assert "none ran under another model" in subjects.text(shown)


def test_rows_that_compare_no_arms_are_refused() -> None:
    with pytest.raises(BenchdataError, match="jev-social rows compare no arms"):
        open_skill_leaderboard([str(drawn.DEMO_ROWS)])


@pytest.mark.parametrize(("score", "said"), [(1.0, "1/1"), (0.5, r"0.50 \u00b7 1")])
def test_a_cell_of_all_or_nothing_says_k_of_n_and_another_its_mean(
    tmp_path: Path, score: float, said: str
) -> None:
    made = skills({"none": 0.0, "local:mine": 1.0})
    for row in made:
        row["passed"] = row["arm"] != "none"
        row["score"] = score if row["passed"] else 0.0
    report = open_skill_leaderboard([subjects.saved(tmp_path, made)])
    (chart,) = report.heatmap()
    assert said in subjects.text([compact_spec(chart)])
