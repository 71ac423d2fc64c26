"""The leaderboard page of runs with the verdicts of their judge: it says what `summarize` says."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from benchdata.reports import open_skill_leaderboard
from benchdata.reports.tables import Table
from tests.support import subjects
from tests.support.command import run
from tests.support.drawn import Row, write
from tests.support.planned import SKILL, plan, rubric_plan, verdicts
from tests.support.sized import DATASETS

BOTH = (DATASETS / "skill-run-demo", DATASETS / "judgment-demo")
JUDGED = "judged by acme/judge-3.0-20260201, 1-0a1b2c3d4e5f, 3.1-a0b1c2d3e4f5"


class Tables(HTMLParser):
    """The tables of a page by caption: the cells of every line, the head first."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, list[list[str]]] = {}
        self._lines: list[list[str]] = []
        self._cell: list[str] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._lines = self.found.setdefault(dict(attrs).get("aria-label") or "", [])
        elif tag == "tr":
            self._lines.append([])
        elif tag in {"th", "td"}:
            self._cell = []

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in {"th", "td"} and self._cell is not None:
            self._lines[-1].append("".join(self._cell))
            self._cell = None


def summarized(*files: Path) -> dict[str, list[list[str]]]:
    """Return the tables that `summarize` prints by heading, in the same form."""
    found: dict[str, list[list[str]]] = {}
    for part in run("summarize", *files).out.split("\n## ")[1:]:
        heading, _, body = part.partition("\n\n")
        lines = [line[2:-2].split(" | ") for line in body.split("\n\n")[0].splitlines()]
        found.setdefault(heading, lines[:1] + lines[2:])
    return found


def written(folder: Path, runs: list[Row], judged: list[Row]) -> tuple[Path, Path]:
    return write(folder / "runs.ndjson", runs), write(folder / "judged.ndjson", judged)


@pytest.mark.slow
def test_the_demo_page_and_summarize_show_the_same_numbers(
    demo_of: Callable[[str], Path],
) -> None:
    folder = demo_of("skill_leaderboard")
    page = Tables((folder / "report.html").read_text("utf-8")).found
    printed = summarized(*BOTH)
    shared = page.keys() & printed.keys()
    kinds = ("Leaderboard", "Preferred in both orders", "Not scored, and no success")
    assert sorted(name.partition(":")[0] for name in shared) == sorted((*kinds, *kinds[::2]))
    assert {name: page[name] for name in shared} == {name: printed[name] for name in shared}
    assert page["Environment: skill-run"] == printed["Environment"]
    text = run("summarize", *BOTH).out
    assert (folder / "summary.md").read_text("utf-8") == text
    numbers = run("summarize", *BOTH, "--format", "json").out
    assert (folder / "summary.json").read_text("utf-8") == numbers


@pytest.mark.slow
def test_the_demo_report_is_made_again_from_its_inputs_in_any_order(
    demo_of: Callable[[str], Path],
) -> None:
    folder = demo_of("skill_leaderboard")
    done = run("report", "--check", folder, *BOTH[::-1])
    assert (done.code, done.out) == (0, "the report is the same\n")
    done = run("report", "--check", folder, BOTH[0])
    assert (done.code, done.out.splitlines()[-1]) == (3, "the report differs")


def test_the_verdicts_clear_the_page_as_they_clear_the_gate(tmp_path: Path) -> None:
    runs = rubric_plan()
    both = written(tmp_path, runs, verdicts(runs))
    for files, code, labels in (
        (both[:1], 3, ["INCOMPLETE", "UNREVIEWED"]),
        (both, 0, ["UNREVIEWED"]),
    ):
        assert run("gate", *files).code == code
        report = open_skill_leaderboard(map(str, files))
        assert [banner.label for banner in report.banners] == labels


@pytest.mark.slow
def test_a_judge_that_is_not_ready_keeps_the_page_incomplete(tmp_path: Path) -> None:
    runs = rubric_plan()
    one_order = [row for row in verdicts(runs) if row["order"] != "ba"]
    report = open_skill_leaderboard(map(str, written(tmp_path, runs, one_order)))
    assert report.banners[0].text == "1 of 6 groups may not be published yet."


@pytest.mark.slow
def test_what_a_judge_prefers_stands_below_its_ranks(tmp_path: Path) -> None:
    runs = rubric_plan()
    report = open_skill_leaderboard(map(str, written(tmp_path, runs, verdicts(runs))))
    standings, preferred = report.leaderboard()
    assert standings.caption == f"Leaderboard: {JUDGED}"
    assert preferred.caption == f"Preferred in both orders: {JUDGED}"
    assert preferred.rows == ((SKILL, "none", "0", "0", "6", "\N{EM DASH}", "0", "0"),)


@pytest.mark.slow
def test_two_metrics_share_no_axis_and_tokens_stand_beside_both() -> None:
    report = open_skill_leaderboard(map(str, BOTH))
    shown = subjects.parts(report, "skill_leaderboard")
    charts = [one for one in shown if isinstance(one, dict)]
    titles = [json.dumps(one["title"]) for one in charts if one["name"] in {"forest", "tradeoff"}]
    words = ("Score: lift over", "Quality: lift over", "Score: lift ag", "Quality: lift ag")
    assert [word in title for word, title in zip(words, titles, strict=True)] == [True] * 4
    assert not any("without ratio or lift" in title for title in titles)
    assert "Darker: a larger share of 3." in subjects.text(shown)


@pytest.mark.slow
def test_runs_alone_have_no_table_of_another_contract(tmp_path: Path) -> None:
    report = open_skill_leaderboard([str(write(tmp_path / "runs.ndjson", plan()))])
    table = report.environment()
    assert isinstance(table, Table)
    assert table.caption == "Environment"


def test_rows_that_judge_no_runs_are_refused(tmp_path: Path) -> None:
    other = [str(write(tmp_path / "runs.ndjson", plan())), str(DATASETS / "jev-social-demo")]
    with pytest.raises(BenchdataError, match=r"several contracts \(skill-run, jev-social\)"):
        open_skill_leaderboard(other)
