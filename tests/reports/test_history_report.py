"""The report of a history: first line, order of charts, tables, refusals, the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from benchdata.reports import open_history
from benchdata.reports.notices import FOOTER
from tests.support.cases import mostly_slow
from tests.support import subjects
from tests.support.armed import attempts
from tests.support.command import run
from tests.support.drawn import Row
from tests.support.sized import DATASETS, SIZES, build_rows

CHARTS = ["version_runs", "version_shifts", "version_changes", "ecdf", "version_spread"]
TABLES = ["Against 1.4.0", "Reasons", "Alarms", "Pins changed"]


OLD, NEW, FRESH = 0, 100, 200  # where the identities of rows begin


def release(version: str, first: int, slowest: int) -> list[Row]:
    """Return forty attempts of one release."""
    return attempts(first, range(slowest - 40, slowest), jev_social_version=version)


@pytest.mark.slow
def test_the_demo_report_is_made_by_one_command_and_made_again_the_same(
    demo_of: Callable[[str], Path],
) -> None:
    folder = demo_of("history")
    page = (folder / "report.html").read_text("utf-8")
    assert '<p class="lead">1.5.0 against 1.4.0 (lane aster): none (pipeline' in page
    assert "this gate would miss a loss under " in page
    assert f"<p>{FOOTER}</p>" in page
    done = run("report", "--check", folder, DATASETS / "build-run-demo")
    assert (done.code, done.out) == (0, "the report is the same\n")


@pytest.mark.parametrize("size", mostly_slow(SIZES[1:]))
def test_charts_and_tables_stand_in_order(tmp_path: Path, size: int) -> None:
    report = open_history([subjects.saved(tmp_path, build_rows(size))])
    shown = subjects.parts(report, "history")
    assert subjects.charts(shown) == CHARTS
    kinds = [caption.partition(",")[0].partition(":")[0] for caption in subjects.captions(shown)]
    assert list(dict.fromkeys(kinds))[:4] == TABLES


def test_the_chart_says_of_the_course_what_the_remarks_say(tmp_path: Path) -> None:
    few = [*release("1.0.0", OLD, 6000), *release("1.1.0", NEW, 20000)]
    report = open_history([subjects.saved(tmp_path, few)])
    (chart,) = (
        one
        for one in subjects.parts(report, "history")
        if isinstance(one, dict) and one["name"] == "version_changes"
    )
    said = " ".join(chart["title"]["subtitle"])
    assert "Change points: cannot tell: fewer than 6 values." in said
    assert "No change of level" not in said
    assert "change points: cannot tell: fewer than 6 values" in report.remarks().text


@pytest.mark.slow
def test_fixed_tasks_are_drawn_one_by_one(tmp_path: Path) -> None:
    report = open_history([subjects.saved(tmp_path, build_rows(30))], metric="wall")
    titles = [" ".join(one["title"]["text"]) for one in subjects.parts(report, "history")[1:3]]
    assert [title.rpartition(" · ")[2] for title in titles] == ["t1 (s)", "t2 (s)"]


def test_three_rows_of_other_lanes_are_no_history(tmp_path: Path) -> None:
    with pytest.raises(BenchdataError, match="no two values of framework_version share"):
        open_history([subjects.saved(tmp_path, build_rows(3))])


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"confirm": "fresh.ndjson"}, "-p confirm=fresh.ndjson: name one of several inputs"),
        ({"over": "colour"}, "colour is no field"),
        ({"baseline": "0.0.1"}, "no row has framework_version 0.0.1"),
        ({"min_effect": "5%"}, "parameter min_effect is a number, not 5%"),
    ],
)
def test_a_choice_that_cannot_be_is_named(
    tmp_path: Path, chosen: dict[str, Any], said: str
) -> None:
    file = subjects.saved(tmp_path, build_rows(30))
    with pytest.raises(BenchdataError) as raised:
        open_history([file], **chosen)
    assert said in str(raised.value)


def test_fresh_repeats_are_no_part_of_the_history_and_confirm_it(tmp_path: Path) -> None:
    old = [*release("1.0.0", OLD, 6000), *release("1.1.0", NEW, 20000)]
    fresh = [*release("1.0.0", FRESH, 6000), *release("1.1.0", FRESH + 50, 20000)]
    files = [
        subjects.saved(tmp_path, old, "rows.ndjson"),
        subjects.saved(tmp_path, fresh, "fresh.ndjson"),
    ]
    (alone,) = open_history(files[:1]).first_lines()
    (line,) = open_history(files, confirm="fresh.ndjson").first_lines()
    assert ": worse (unconfirmed) on total" in alone
    assert ": worse (confirmed) on total" in line
    assert "40 against 40 repeats" in line
