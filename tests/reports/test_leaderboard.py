"""A leaderboard as it is printed: first line, tables, CSV, JSON, a page; always the same bytes."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

import benchdata
from benchdata.contracts.meaning import Design
from benchdata.reports.formats import as_markdown
from benchdata.reports.summary import summarize_each
from benchdata.reports.summary_page import as_html
from benchdata.site.headers import header
from tests.support.armed import attempts, skills
from tests.support.command import refused, run
from tests.support.drawn import DEMO, write
from tests.support.probe import PROBE, Probe, probe_row
from tests.support.processes import answered
from tests.support.trial_rows import LOST, numbered_row


class Loose(Probe):
    """A run of any subject whatever."""

    subject: str


OWN = replace(
    PROBE,
    models={1: Loose},
    group=("lane", "fresh"),
    shown=("lane",),
    design=Design(compared=("subject",), baselines=("lamp",)),
)
ARMS = {"none": 0.2, "a/b@c": 0.8, "local:mine": 0.21}
AGENT = "agent claude 2.1.4 on model acme/worker-2.1-20260105"


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return write(tmp_path / "rows.ndjson", skills(ARMS))


def test_the_first_line_is_that_of_a_leaderboard(rows: Path) -> None:
    done = run("summarize", rows)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "# skill-run summary"
    # every task differs by 61 hundredths: the half-width is 1 - .025^(1/8)
    assert lines[2] == (
        f"- With a/b@c, {AGENT} scored 61 points more in score (+24.06 to +97.94 points, p 0.016"
        " after Holm over 2) over 8 tasks, 8 of which moved: better."
    )
    assert lines[-1].startswith("The interval covers sampling of these tasks and runs.")


def test_every_rank_is_a_range_and_every_estimate_has_an_interval(rows: Path) -> None:
    out = run("summarize", rows).out
    table = out.partition("## Leaderboard\n\n")[2].partition("\n\n")[0].splitlines()
    heads = [cell.strip() for cell in table[0].strip("|").split("|")]
    assert heads[:9] == [
        *("Rank", "Arm", "Score", "Interval", "Bootstrap (descriptive)", "Lift"),
        *("Lift interval", "p after Holm", "Verdict"),
    ]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]
    assert [row[:2] for row in cells] == [
        ["1", "a/b@c"],
        ["2 to 3", "local:mine"],
        ["2 to 3", "none"],
    ]
    assert all(" to " in row[3] for row in cells)
    assert [row[8] for row in cells] == ["better", "no difference shown", "baseline"]


def test_tasks_and_exclusions_have_their_tables(rows: Path) -> None:
    out = run("summarize", rows).out
    assert "| Task | a/b@c | local:mine | none |" in out
    assert "| task-0 | 0/1, 0.81 | 0/1, 0.23 | 0/1, 0.2 |" in out
    assert "| none | partial | not given | 8 |" in out


def test_csv_has_a_line_an_arm(rows: Path) -> None:
    lines = list(csv.DictReader(io.StringIO(run("summarize", rows, "--format", "csv").out)))
    assert [line["arm"] for line in lines] == ["a/b@c", "local:mine", "none"]
    assert (lines[0]["best_rank"], lines[0]["worst_rank"]) == ("1", "1")
    assert float(lines[0]["lift"]) == pytest.approx(0.61)
    assert float(lines[0]["adjusted_p"]) == 2 * 2 / 256
    assert (lines[2]["lift"], lines[2]["verdict"]) == ("", "baseline")
    assert {float(line["mean_total_time"]) for line in lines} == {59000}


def test_json_adds_boards_to_what_readers_know(rows: Path) -> None:
    document = json.loads(run("summarize", rows, "--format", "json").out)
    assert list(document)[-2:] == ["groups", "leaderboards"]
    (board,) = document["leaderboards"]
    assert (board["metric"], board["baseline"], board["liftRefused"]) == ("score", "none", "")
    first = board["entries"][0]
    assert (first["arm"], first["bestRank"], first["worstRank"]) == ("a/b@c", 1, 1)
    assert first["lift"]["exactP"] == "1/128"
    assert first["descriptiveInterval"]["descriptive"] is True
    assert board["tasks"][0]["cells"][0] == {
        "runs": 1,
        "scored": 1,
        "succeeded": 0,
        "mean": 0.81,
    }


def test_rows_without_arms_have_no_board(tmp_path: Path) -> None:
    file = write(tmp_path / "rows.ndjson", attempts(0, [10000, 12000]))
    assert "leaderboards" not in json.loads(run("summarize", file, "--format", "json").out)
    assert "Leaderboard" not in run("summarize", file).out


def test_no_lift_is_said_with_its_reason(tmp_path: Path) -> None:
    file = write(tmp_path / "rows.ndjson", skills({"a/b@c": 0.8, "local:mine": 0.3}))
    lines = run("summarize", file).out.splitlines()
    assert lines[2].startswith("- a/b@c has 0.835 (")
    assert lines[2].endswith(", n 8; no lift is shown: no rows of none or base.")


def test_the_page_holds_everything_and_asks_for_nothing(rows: Path) -> None:
    page = run("summarize", rows, "--format", "html").out
    assert page.startswith("<!doctype html>")
    assert f'<p class="lead">With a/b@c, {AGENT} scored 61 points more' in page
    assert not re.search(r"(src|href)=[\"'](?!#|data:)", page)
    assert "url(" not in page
    assert "default-src &#39;none&#39;" in page
    assert "<td" in page.partition("Leaderboard")[2]


def test_the_page_says_to_a_program_what_it_is_of(rows: Path) -> None:
    found = header(run("summarize", rows, "--format", "html").out.encode())
    assert json.loads(found.facts) == {
        "summaryVersion": 1,
        "contract": "skill-run",
        "asOf": "2026-03-02",
        "rows": 24,
        "digest": benchdata.open(rows).digest,
        "leaderboards": 1,
    }


def test_text_of_a_row_is_no_markup(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)>"
    made = [probe_row(seq, subject=("lamp", evil)[seq % 2]) for seq in range(6)]
    rows = benchdata.open(write(tmp_path / "rows.ndjson", made), OWN)
    page = as_html(rows, [summarize_each(rows)[0]])
    assert page.replace("<wbr>", "").count("&lt;img src=x") >= 2
    assert "<img" not in page


def test_a_users_own_contract_without_tasks_has_a_leaderboard(tmp_path: Path) -> None:
    subjects = ("lamp", "rope")
    made = [
        probe_row(seq, subject=subjects[seq % 2], wall_ms=10.0 + seq % 2 * 30 + seq * 7 % 20 / 100)
        for seq in range(20)
    ]
    rows = benchdata.open(write(tmp_path / "rows.ndjson", made), OWN)
    text = as_markdown(summarize_each(rows)[0])
    assert "- With rope, the rows had ×" in text
    assert "over 10 against 10 repeats: worse." in text
    assert "| 1 | lamp |" in text
    assert "| 2 | rope |" in text
    assert "| Task |" not in text


def test_a_pipeline_proof_is_a_banner_on_the_page() -> None:
    page = run("summarize", DEMO.parent / "skill-run-demo", "--format", "html").out
    assert '<p class="banner" role="note"><strong>SYNTHETIC</strong>' in page
    assert "no verdict: pipeline proof" in page


@pytest.mark.parametrize("format_", ["json", pytest.param("html", marks=pytest.mark.slow)])
def test_rows_in_any_order_and_any_threads_give_the_same_bytes(
    tmp_path: Path, format_: str
) -> None:
    rng = random.Random(7)
    made = skills(ARMS, tasks=20)
    for row in made:
        row["score"] = rng.random()
        row["usage"][0]["input_tokens"] = rng.randrange(10**6)
    options = ("summarize", str(write(tmp_path / "rows.ndjson", made)), "--format", format_)
    first = answered(options, threads=1)
    rng.shuffle(made)
    write(tmp_path / "rows.ndjson", made)
    second = answered(options, threads=2)
    if format_ == "json":
        assert second == first
    else:  # the page names the digest of its input, below and for the site that lists it
        digests = re.compile(rb"[0-9a-f]{64}")
        assert digests.sub(b"", second) == digests.sub(b"", first)


def test_what_refuses_all_lifts_of_a_board_is_said_above_and_not_in_every_row() -> None:
    out = run("summarize", DEMO.parent / "build-run-demo").out
    board = out.partition("## Leaderboard\n\n")[2].partition("\n\n")[0]
    assert "no lift" in board
    assert "names no baseline arm" not in board
    assert "exploratory: no verdict. No lift: the contract names no baseline arm." in out


def test_a_unit_that_is_in_the_name_stands_once_in_a_heading() -> None:
    out = run("summarize", DEMO.parent / "build-run-demo").out
    assert "| Turns to green (mean) | Cost USD (mean) |" in out
    assert "| Lines of code (p50 / p95) |" in out


def test_an_amount_beyond_all_sense_is_named_with_its_line(tmp_path: Path) -> None:
    made = skills(ARMS)
    made[3]["total_cost_usd"] = 1e308
    for command in ("validate", "summarize"):
        said = refused(run(command, write(tmp_path / "rows.ndjson", made)))
        assert "rows.ndjson:4: total_cost_usd: must be from 0 to 1e+12" in said


def test_the_largest_numbers_of_a_contract_without_bounds_have_a_mean(tmp_path: Path) -> None:
    tasked = replace(OWN, primary="score", design=replace(OWN.design, task="series"))
    made = [
        probe_row(number, subject=subject, series=f"s{number // 2}", score=0.5, wall_ms=1.7e308)
        for number, subject in enumerate(["lamp", "door"] * 2)
    ]
    (summary,) = summarize_each(benchdata.open(write(tmp_path / "rows.ndjson", made), tasked))
    (board,) = summary.boards
    assert {entry.account.means["wall"].value for entry in board.entries} == {1.7e308}


def test_arms_without_a_common_task_have_no_p(tmp_path: Path) -> None:
    made = [
        numbered_row(number, arm=arm, **(LOST if (arm == "none") == (number < 6) else {}))
        for number, arm in enumerate(["none", "mine"] * 6)
    ]
    out = run("summarize", write(tmp_path / "rows.ndjson", made)).out
    line = next(line for line in out.splitlines() if " | mine | " in line)
    dash = "\N{EM DASH}"
    assert f"| no task has a value in both arms | {dash} | {dash} | cannot tell" in line
