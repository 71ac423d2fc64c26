"""The report of a build bench: first line, order of charts, tables, refusals, the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from benchdata.reports import open_build_bench
from benchdata.reports.notices import FOOTER
from tests.support import drawn, subjects
from tests.support.armed import builds
from tests.support.command import run
from tests.support.sized import DATASETS, SIZES, build_rows

CHARTS = ["strip", "heatmap", "share_green", "cost_against_wall", "composites", "forest"]


def test_the_demo_report_is_made_by_one_command_and_made_again_the_same(
    demo_of: Callable[[str], Path],
) -> None:
    folder = demo_of("build_bench")
    page = (folder / "report.html").read_text("utf-8")
    line = "Lane aster 1.4.0 was green in 11 of 12 runs of t1 and 10 of 12 runs of t2: bar none"
    assert f'<p class="lead">{line} (pipeline proof).</p>' in page
    assert f"<p>{FOOTER}</p>" in page
    done = run("report", "--check", folder, DATASETS / "build-run-demo")
    assert (done.code, done.out) == (0, "the report is the same\n")


@pytest.mark.parametrize("size", SIZES[:2])
def test_charts_and_tables_stand_in_order(tmp_path: Path, size: int) -> None:
    report = open_build_bench([subjects.saved(tmp_path, build_rows(size))])
    shown = subjects.parts(report, "build_bench")
    assert subjects.charts(shown) == CHARTS
    tables = subjects.captions(shown)
    assert tables[0].startswith("Lanes held to the bar self-bench")
    assert tables[1].startswith("Composites, means over tasks (default: test_pass_rate 0.45")
    assert tables[2].startswith("Verdicts on test_pass_rate")


def test_a_median_is_of_one_task_and_halfway_between_two_runs(tmp_path: Path) -> None:
    rows = builds("aster", {"t1": (10.0,) * 4, "t2": (10.0,) * 4}, 0)
    for row, turns in zip(rows, (2, 3, 5, 6, 6, 6, 6, 6), strict=True):
        row["turns_to_green"] = turns
    shown = subjects.parts(open_build_bench([subjects.saved(tmp_path, rows)]), "build_bench")
    assert "median 4 \\u00b7 no interval" in subjects.text(shown)


def test_presets_that_disagree_are_told_first(tmp_path: Path) -> None:
    """Under the default preset a rubric that was not judged forfeits its weight."""
    rows = builds("aster", {"t1": (60.0,) * 6, "t2": (60.0,) * 6}, 0)
    judged = {"rubric_pass_rate": None, "rubric": None, "rubric_judge": None}
    other = builds("birch", {"t1": (300.0,) * 6, "t2": (300.0,) * 6}, 100)
    report = open_build_bench([subjects.saved(tmp_path, [*(row | judged for row in rows), *other])])
    assert report.first_lines()[0].startswith("Presets disagree on the order")


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"preset": "mine"}, "no preset is named `mine`"),
        ({"preset": 5}, "parameter preset is a text, not 5"),
        ({"metric": "lines_of_code"}, "has no better direction"),
        ({"min_effect": []}, "parameter min_effect is a number"),
    ],
)
def test_a_choice_that_cannot_be_is_named(
    tmp_path: Path, chosen: dict[str, Any], said: str
) -> None:
    file = subjects.saved(tmp_path, build_rows(3))
    with pytest.raises(BenchdataError) as raised:
        open_build_bench([file], **chosen)
    assert said in str(raised.value)


def test_other_rows_are_refused() -> None:
    with pytest.raises(BenchdataError, match="made of build-run rows, not jev-social"):
        open_build_bench([str(drawn.DEMO_ROWS)])
