"""`benchdata history`: first line, three formats, exit codes, fresh repeats, bad input."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.armed import skills
from tests.support.command import refused, run
from tests.support.drawn import DEMO, write
from tests.support.processes import answered
from tests.support.releases import FAST, SLOW, release

A, B = "a" * 40, "b" * 40
FASTER = [total - 5000 for total in FAST]
FOOTER = "The interval covers sampling of these tasks and runs."


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return write(tmp_path / "rows.ndjson", [*release("a", FAST, 2), *release("b", SLOW, 12)])


def test_the_first_line_says_the_verdict_and_what_the_gate_would_miss(rows: Path) -> None:
    done = run("history", rows)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "# jev-social history of jev_social_commit"
    head, _, tail = lines[2].partition("; this gate would miss a slowdown under ")
    assert head == (
        f"- {B} against {A}: worse (unconfirmed) on total; ×2 (×1.615 to ×2.5, level 96.8%),"
        " p 0.0079, 5 against 5 repeats; drift cannot be separated"
    )
    assert float(tail.removesuffix("%.")) > 5
    assert lines[-1].startswith(FOOTER)


def test_what_a_reader_must_know_of_the_baseline_and_the_alarms_is_printed(rows: Path) -> None:
    out = run("history", rows).out
    assert "- the baseline has 5 repeats, fewer than 30" in out
    # one release in ten days, at 2.5%
    assert "expected false alarms a year: at most 0.9131: 1 release judged in 10 days" in out
    assert f"| {B} | unconfirmed | no fresh repeats of both releases were given |" in out
    assert "Mann-Kendall over 2 releases: tau 1.00, p 1 (exact), reported only" in out


@pytest.mark.parametrize(
    ("fresh", "options", "code", "state"),
    [
        (None, (), 0, "unconfirmed"),
        (None, ("--fail-on", "worse"), 3, "unconfirmed"),
        (SLOW, ("--fail-on", "worse"), 3, "confirmed"),
        (FASTER, ("--fail-on", "worse"), 0, "not confirmed"),
        (FAST, ("--fail-on", "worse"), 3, "unconfirmed"),
        (SLOW[:1], ("--fail-on", "worse"), 3, "unconfirmed"),
    ],
)
def test_an_alarm_fails_the_gate_until_fresh_repeats_show_otherwise(
    tmp_path: Path,
    rows: Path,
    fresh: list[int] | None,
    options: Sequence[str],
    code: int,
    state: str,
) -> None:
    if fresh:
        again = [*release("a", FAST, 20), *release("b", fresh, 20, first=50)]
        options = (*options, "--confirm", str(write(tmp_path / "fresh.ndjson", again)))
    done = run("history", rows, *options, "--format", "json")
    assert (done.code, done.err) == (code, "")
    (judged,) = json.loads(done.out)["series"][0]["judged"]
    assert (judged["state"], judged["alarm"]) == (state, state != "not confirmed")
    assert (judged["freshComparison"] is None) == (fresh is None)


def test_a_better_release_is_no_alarm(rows: Path) -> None:
    done = run("history", rows, "--baseline", B, "--fail-on", "worse", "--format", "csv")
    assert done.code == 0
    (line,) = csv.DictReader(io.StringIO(done.out))
    assert (line["treatment"], line["baseline"], line["verdict"]) == (A, B, "better")
    assert (line["drift"], line["state"], line["family"]) == ("True", "", "1")


def test_json_holds_every_release_in_order(rows: Path) -> None:
    document = json.loads(run("history", rows, "--format", "json").out)
    (series,) = document["series"]
    assert (document["field"], series["baseline"]) == ("jev_social_commit", A)
    assert [one["release"] for one in series["releases"]] == [A, B]
    assert [one["estimate"] for one in series["releases"]] == [12000, 24000]
    assert series["releases"][0]["spreads"][0]["ratio"] == 13000 / 11000
    assert series["judged"][0]["comparison"]["exactP"] == "1/126"
    assert series["expectedAlarms"]["perYear"] == pytest.approx(365.25 / 10 * 0.025)


def test_a_pipeline_proof_says_so_first_and_is_no_alarm() -> None:
    demo = DEMO.parent / "build-run-demo"
    done = run("history", demo, "--metric", "wall", "--fail-on", "worse")
    assert done.code == 0
    assert done.out.splitlines()[2].startswith("**SYNTHETIC: ")
    (line,) = [each for each in done.out.splitlines() if each.startswith("- 1.5.0 against 1.4.0")]
    assert line.startswith("- 1.5.0 against 1.4.0 (lane aster): none (pipeline proof) on wall")
    assert "- 8 rows of kind conformance, no result" in done.out
    assert "- 5.2.1, lane birch, the only one" in done.out


def test_what_has_no_estimate_says_once_why_and_what_to_do() -> None:
    done = run("history", DEMO.parent / "build-run-demo", "--metric", "wall")
    (line,) = [each for each in done.out.splitlines() if each.startswith("- 1.5.0 against 1.4.0")]
    assert line.count("not estimable") == 1
    assert "see the outcomes, or judge by a metric that every run has" in line
    (row,) = [each for each in done.out.splitlines() if each.startswith("| 1.5.0 | 2026")]
    assert row.count("not estimable") == 1
    assert "A run that did not succeed counts as the worst. n counts runs." in done.out


def test_a_pin_of_a_task_is_told_before_and_after_and_nothing_is_escaped_in_words() -> None:
    done = run("history", DEMO.parent / "build-run-demo")
    (pin,) = [each for each in done.out.splitlines() if "| task_digest of t1" in each]
    assert pin == (
        "| 1.5.0 | task_digest of t1 f10e965fabda → d669753612f0;"
        " of t2 76ec34b03e91 → 2a5e939a3e9b |"
    )
    assert "\\`" not in done.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("ROWS", "--baseline", "x"), f"no row has jev_social_commit x; there are {A}, {B}"),
        (("ROWS", "--over", "platfrom"), "did you mean `platform`"),
        (("ROWS", "--over", "platform"), "platform has only"),
        (("ROWS", "--metric", "speed"), "jev-social has no metric speed; it has total"),
        (("ROWS", "--confirm", "ROWS"), "10 rows of the fresh repeats in the history as well"),
        (("ROWS", "--confirm", "absent.ndjson"), "absent.ndjson"),
        (("ROWS", "--min-effect", "nan"), "min-effect"),
        (("ROWS", "--fail-on", "better"), "'better' is not one of 'worse'"),
        (("ROWS", "--confirm", "OTHER"), "fresh repeats of skill-run cannot confirm rows of jev-"),
        (("-", "--confirm", "-"), "- is standard input, which can be read but once"),
        (("absent.ndjson",), "absent.ndjson"),
    ],
)
def test_a_wrong_invocation_is_one_clear_sentence(
    tmp_path: Path, rows: Path, options: Sequence[str], words: str
) -> None:
    files = {"ROWS": rows, "OTHER": write(tmp_path / "other.ndjson", skills({"none": 0.5}))}
    message = refused(run("history", *(files.get(each, each) for each in options)))
    assert words in message


def test_an_invalid_row_is_named_with_its_place(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.ndjson", [*release("a", FAST, 2), {"schema_version": 2}])
    assert "bad.ndjson:6: " in refused(run("history", bad))


def test_rows_in_any_order_and_any_threads_give_the_same_bytes(tmp_path: Path) -> None:
    made = [row for day in range(2, 10) for row in release(f"{day}", FAST, day)]
    options = ("history", str(tmp_path / "rows.ndjson"), "--format", "json")
    write(tmp_path / "rows.ndjson", made)
    first = answered(options, threads=1)
    random.Random(4).shuffle(made)
    write(tmp_path / "rows.ndjson", made)
    assert answered(options, threads=2) == first
    assert len(json.loads(first)["series"][0]["judged"]) == 7
