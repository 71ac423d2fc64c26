"""`benchdata power`: both formats, the sentence of each comparison, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.armed import attempts
from tests.support.command import refused, run
from tests.support.drawn import DEMO, write
from tests.support.planned import SKILL, plan


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    made = plan(tasks=10, passed=True)
    for row in made:
        lift = 0.4 * (int(row["task_id"][5:]) % 2) * (row["arm"] != "none")
        row["score"] = 0.3 + 0.1 * (-1) ** row["repeat"] + lift
    return write(tmp_path / "rows.ndjson", made)


def test_a_sentence_says_what_it_takes_and_what_the_plan_finds(rows: Path) -> None:
    done = run("power", rows, "--detect", "0.1")
    assert (done.code, done.err) == (0, "")
    document = json.loads(run("power", rows, "--detect", "0.1", "--format", "json").out)
    (line,) = document["comparisons"]
    lines = done.out.splitlines()
    assert lines[0] == "# skill-run: what finds 0.1 of score"
    assert lines[2].startswith(
        f"- {SKILL} against none: {line['needed']} tasks find 0.1 8 times in 10;"
        " the plan of 10 tasks of 2 repeats finds 0."
    )
    assert [each["repeats"] for each in line["neededByRepeats"]] == [1, 2, 3, 5, 10]
    needed = [each["needed"] for each in line["neededByRepeats"]]
    assert needed == sorted(needed, reverse=True)
    assert needed[1] == line["needed"]


def test_the_floors_of_a_table_are_printed(rows: Path) -> None:
    document = json.loads(run("power", rows, "--detect", "0.1", "--format", "json").out)
    steps = document["comparisons"][0]["byComparisons"]
    assert [(each["comparisons"], each["couldReach"]) for each in steps] == [(1, 6), (2, 7), (3, 7)]
    assert "| Could reach .05 |" in run("power", rows, "--detect", "0.1").out


def test_times_are_planned_in_percent(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", attempts(0, [10000, 20000, 40000, 15000, 30000]))
    out = run("power", file, "--detect", "0.1").out
    assert out.startswith("# jev-social: what finds 10% of total\n")
    assert " runs a side find 10% 8 times in 10; the plan of 5 runs a side finds " in out


def test_another_metric_is_planned_by_its_name(rows: Path) -> None:
    out = run("power", rows, "--detect", "0.5", "--metric", "agent_time").out
    assert out.startswith("# skill-run: what finds 50% of agent_time\n")
    assert f"{SKILL} against none: cannot tell: no spread was seen" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--detect", "0"), "no number of runs finds an effect of 0"),
        (("--detect", "-0.1"), "an effect is a finite number of 0 or more, not -0.1"),
        (("--detect", "nan"), "an effect is a finite number of 0 or more, not nan"),
        (("--detect", "1.5"), "score spans 1: no difference is 1.5; five points are 0.05"),
        (("--detect", "x"), "Invalid value for '--detect'"),
        ((), "--detect"),
        (("--detect", "0.1", "--metric", "scores"), "has no metric scores"),
    ],
)
def test_what_cannot_be_planned_is_an_error(
    rows: Path, arguments: tuple[str, ...], words: str
) -> None:
    assert words in refused(run("power", rows, *arguments))


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    assert "nothing.ndjson" in refused(run("power", tmp_path / "nothing.ndjson", "--detect", "1"))


def test_the_demo_set_is_planned_group_by_group() -> None:
    document = json.loads(run("power", DEMO, "--detect", "0.2", "--format", "json").out)
    assert len(document["comparisons"]) == 10
    assert any(line["runsThatRankWorst"] for line in document["comparisons"])


def test_groups_of_one_name_are_told_apart() -> None:
    out = run("power", DEMO, "--detect", "0.1").out
    labels = [line.partition(": ")[0] for line in out.splitlines() if line.startswith("- ")]
    assert len(labels) == len(set(labels)) == 10
    assert (
        "- tiktok warm (schema_version 2, jev_social_version 0.4.0, region synthetic-lab-far)"
        in labels
    )
