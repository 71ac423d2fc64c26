"""The report of a build bench: first line, order of charts, tables, refusals, the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from benchdata.reports import open_build_bench
from benchdata.reports.notices import FOOTER
from tests.support.cases import mostly_slow
from tests.support import drawn, subjects
from tests.support.armed import builds
from tests.support.command import run
from tests.support.cross_lanes import MIDDLE, QUICK, SLOW, two_models
from tests.support.gated import tokens
from tests.support.sized import DATASETS, SIZES, build_rows

CHARTS = ["strip", "heatmap", "share_green", "cost_against_wall", "composites", "forest"]

RANKS = "Rank ranges by baseline, composite under default"


@pytest.mark.slow
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


@pytest.mark.parametrize("size", mostly_slow(SIZES[:2]))
def test_charts_and_tables_stand_in_order(tmp_path: Path, size: int) -> None:
    report = open_build_bench([subjects.saved(tmp_path, build_rows(size))])
    shown = subjects.parts(report, "build_bench")
    assert subjects.charts(shown) == CHARTS
    tables = subjects.captions(shown)
    assert tables[0].startswith("Lanes held to the bar self-bench")
    assert tables[1].startswith("Composites, means over tasks (default: test_pass_rate 0.45")
    assert tables[2].startswith("Verdicts on test_pass_rate")
    places = [tables.index(f"{name}") for name in ("Reasons", RANKS, "Confounds", "Caps of a run")]
    assert places == sorted(places)


@pytest.mark.slow
def test_a_median_is_of_one_task_and_halfway_between_two_runs(tmp_path: Path) -> None:
    rows = builds("aster", {"t1": (10.0,) * 4, "t2": (10.0,) * 4}, 0)
    for row, turns in zip(rows, (2, 3, 5, 6, 6, 6, 6, 6), strict=True):
        row["turns_to_green"] = turns
    shown = subjects.parts(open_build_bench([subjects.saved(tmp_path, rows)]), "build_bench")
    assert "median 4 \\u00b7 no interval" in subjects.text(shown)


@pytest.mark.slow
def test_presets_that_disagree_are_told_first(tmp_path: Path) -> None:
    """Under the default preset a rubric that was not judged forfeits its weight."""
    rows = builds("aster", {"t1": (60.0,) * 6, "t2": (60.0,) * 6}, 0)
    judged = {"rubric_pass_rate": None, "rubric": None, "rubric_judge": None}
    other = builds("birch", {"t1": (300.0,) * 6, "t2": (300.0,) * 6}, 100)
    report = open_build_bench([subjects.saved(tmp_path, [*(row | judged for row in rows), *other])])
    assert report.first_lines()[0].startswith("Presets disagree on the order")


@pytest.mark.slow
def test_it_says_by_which_prices_cost_is_counted(tmp_path: Path) -> None:
    used = [tokens(1000, 200, 0, 0, model="claude-haiku-4-5").model_dump()]
    rows = [row | {"usage": used} for row in builds("aster", {"t1": (10.0,) * 4}, 0)]
    shown = subjects.parts(open_build_bench([subjects.saved(tmp_path, rows)]), "build_bench")
    assert "list prices of pricing.toml: claude-haiku-4-5 of 2026-12-01." in subjects.text(shown)


@pytest.mark.slow
def test_a_named_lane_is_answered_for_in_the_first_lines(tmp_path: Path) -> None:
    file = subjects.saved(tmp_path, two_models({"aster": QUICK, "birch": MIDDLE, "nestjs": SLOW}))
    report = open_build_bench([file], lane="aster")
    asked = [line for line in report.first_lines() if "?" in line]
    assert asked[0] == (
        "Is the composite's rank at most 2? Lane aster, every baseline: yes"
        " (yes in 2 of 2 baselines, 2 models)."
    )
    assert len(asked) == 3
    tables = subjects.captions(subjects.parts(report, "build_bench"))
    assert tables.index("Order of lanes across models") + 1 == tables.index("Asked of the lane")


def test_each_confound_is_named_with_what_the_rows_say_of_it(tmp_path: Path) -> None:
    report = open_build_bench([subjects.saved(tmp_path, build_rows(30))])
    found = {row[0]: row[1] for row in report.confounds().rows}
    assert found == {
        "Probes, public or not": "t1: 10 core and 3 extra; t2: 8 core and 2 extra",
        "Where the scale begins": "t1: 10 core and 3 extra; t2: 8 core and 2 extra",
        "Training data": "1 model; no field says what a model was trained on",
        "Starters and agent instructions": (
            "variants: plain; t1: 4 task digests in 3 lanes; t2: 4 task digests in 3 lanes"
        ),
        "Storage": "no field names the store; 4 lockfile digests",
        "Agent version": "builder 3.2.0",
    }


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"preset": "mine"}, "no preset is named `mine`"),
        ({"preset": 5}, "parameter preset is a text, not 5"),
        ({"metric": "lines_of_code"}, "has no better direction"),
        ({"min_effect": []}, "parameter min_effect is a number"),
        ({"lane": "astre"}, "no run is of that lane; did you mean `aster`?"),
        ({"lane": 5}, "parameter lane is a text, not 5"),
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
