"""The report of a comparison: first line, order of charts, tables, refusals, the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from benchdata.reports import open_compare
from benchdata.reports.notices import FOOTER
from tests.support.cases import mostly_slow
from tests.support import drawn, judged_stage, subjects
from tests.support.armed import attempts, skills
from tests.support.command import run
from tests.support.sized import DATASETS, SIZES, skill_rows

CHARTS = ["forest", "slopes", "differences", "collection_order", "power_curve"]
TABLES = ["Reasons", "Remarks", "Fields that differ", "What is in no estimate"]


@pytest.mark.slow
def test_the_demo_report_is_made_by_one_command_and_made_again_the_same(
    demo_of: Callable[[str], Path],
) -> None:
    folder = demo_of("compare")
    page = (folder / "report.html").read_text("utf-8")
    assert '<p class="lead">acme/skills@invoice-reader against none on score' in page
    assert "p 0.25 after Holm over 2 (10 tasks).</p>" in page
    assert "<h1>Comparison: Synthetic runs with and without a skill</h1>" in page
    assert f"<p>{FOOTER}</p>" in page
    done = run("report", "--check", folder, DATASETS / "skill-run-demo")
    assert (done.code, done.out) == (0, "the report is the same\n")


@pytest.mark.parametrize("size", mostly_slow(SIZES))
def test_charts_and_tables_stand_in_order(tmp_path: Path, size: int) -> None:
    report = open_compare([subjects.saved(tmp_path, skill_rows(size))])
    shown = subjects.parts(report, "compare")
    found = subjects.charts(shown)
    assert found == [name for name in CHARTS if name in found]
    assert found[:4] == CHARTS[:4]
    tables = subjects.captions(shown)
    assert tables[0].startswith("Verdicts on score (M 0.05")
    assert tables[1:5] == TABLES
    assert "equivalent" not in subjects.text(shown)


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (3, "cannot tell: fewer than 2 units: 1 task"),
        (300, "on score (category invoice-extraction): better; +0.1173 (+0.02548 to +0.2092)"),
    ],
)
def test_the_first_line_says_what_may_be_said(tmp_path: Path, size: int, said: str) -> None:
    report = open_compare([subjects.saved(tmp_path, skill_rows(size))])
    assert said in report.first_lines()[0]


@pytest.mark.slow
def test_many_comparisons_are_counted_above_and_drawn_below(tmp_path: Path) -> None:
    arms = {"none": 0.2, **{f"local:skill-{number}": 0.4 for number in range(8)}}
    report = open_compare([subjects.saved(tmp_path, skills(arms, tasks=10))])
    (line,) = report.first_lines()
    assert line.startswith("8 comparisons on score, Holm over 8. Verdict: ")
    shown = subjects.parts(report, "compare")
    assert sum(isinstance(one, dict) and one["name"] == "slopes" for one in shown) == 6
    assert "2 more comparisons without a chart: see the tables." in subjects.text(shown)


def test_two_inputs_are_compared_and_the_baseline_is_named(tmp_path: Path) -> None:
    files = [
        subjects.saved(tmp_path, attempts(0, range(5000, 5010)), "old.ndjson"),
        subjects.saved(tmp_path, attempts(50, range(20000, 20010)), "new.ndjson"),
    ]
    report = open_compare(files, by="input", baseline="old.ndjson")
    (line,) = report.first_lines()
    assert line.startswith("B new.ndjson against A old.ndjson on total: worse; ×")
    assert subjects.charts(subjects.parts(report, "compare"))[:2] == ["forest", "ecdf"]


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"metric": "speed"}, "has no metric speed"),
        ({"min_effect": "much"}, "parameter min_effect is a number, not much"),
        ({"min_effect": True}, "parameter min_effect is a number, not True"),
        ({"min_effect": -1}, "an effect is a finite number of 0 or more"),
        ({"by": "colour"}, "colour is no field that skill-run rows are grouped or compared by"),
        ({"baseline": "nothing"}, "no row has arm nothing"),
        ({"by": "input"}, "-p by=input compares two files, not 1"),
    ],
)
def test_a_choice_that_cannot_be_is_named(
    tmp_path: Path, chosen: dict[str, Any], said: str
) -> None:
    file = subjects.saved(tmp_path, skill_rows(3))
    with pytest.raises(BenchdataError) as raised:
        open_compare([file], **chosen)
    assert said in str(raised.value)


def test_rows_that_compare_nothing_ask_for_a_field() -> None:
    with pytest.raises(
        BenchdataError, match=r"say what is compared: -p by=FIELD, one of .*platform"
    ):
        open_compare([str(drawn.DEMO_ROWS)])


@pytest.mark.slow
def test_a_bad_choice_ends_the_command_without_a_traceback(tmp_path: Path) -> None:
    file = subjects.saved(tmp_path, skill_rows(3))
    done = run("report", "compare", file, "-p", "min_effect=much", "--out", tmp_path / "out")
    assert done.code == 1
    assert "parameter min_effect is a number, not much" in done.err
    assert "Traceback" not in done.err


def test_runs_are_compared_by_what_their_judge_says(tmp_path: Path) -> None:
    rows = judged_stage.runs()
    stage = str(judged_stage.stage(tmp_path / "stage", rows, judged_stage.judged(rows)))
    (line,) = open_compare([stage]).first_lines()
    assert line.startswith("acme/skills@reader against none on quality (judged by ")
    (line,) = open_compare([stage], metric="craft").first_lines()
    assert line.startswith("acme/skills@reader against none on craft (judged by ")


def test_of_several_metrics_one_is_named() -> None:
    both = [str(DATASETS / name) for name in ("skill-run-demo", "judgment-demo")]
    with pytest.raises(BenchdataError, match="-p metric=NAME, one of quality, score"):
        open_compare(both)
    lines = open_compare(both, metric="quality").first_lines()
    assert [" on quality " in line for line in lines] == [True]
