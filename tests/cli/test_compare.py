"""`benchdata compare`: A against B, the values of a field, three formats, exit codes, bad input."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.armed import attempts, skills
from tests.support.command import Done, refused, run
from tests.support.drawn import DEMO, Row, write

FAST = [10000, 14000, 11000, 13000, 12000]
SLOW = [25000, 22000, 28000, 21000, 24000]
NEWER = {"jev_social_commit": "c" * 40, "jev_social_version": "0.5.0"}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return write(tmp_path / "old.ndjson", attempts(0, FAST))


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return write(tmp_path / "new.ndjson", attempts(100, SLOW, **NEWER))


@pytest.fixture
def arms(tmp_path: Path) -> Path:
    return write(tmp_path / "arms.ndjson", skills({"none": 0.2, "a/b@c": 0.8}))


def test_the_first_line_of_a_comparison_says_all_of_it(old: Path, new: Path) -> None:
    done = run("compare", old, new)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "# jev-social comparison by input"
    assert lines[2] == (
        "- B new.ndjson against A old.ndjson on total: worse; ×2 (×1.615 to ×2.5, level 96.8%),"
        " p 0.0079 (5 against 5 repeats)"
    )
    assert "M: 5%." in lines[4]
    assert lines[6] == (
        "A value in ms is the median (of two middle values their midpoint). A run that did not"
        " succeed counts as the worst. n counts runs."
    )
    assert lines[-1].startswith("The interval covers sampling of these tasks and runs.")


def test_b_is_judged_against_a_and_not_the_other_way_round(old: Path, new: Path) -> None:
    assert ": better; ×0.5 (" in run("compare", new, old).out


def test_json_holds_everything_and_is_ordered(old: Path, new: Path) -> None:
    document = json.loads(run("compare", old, new, "--format", "json").out)
    (line,) = document["comparisons"]
    assert (document["metric"], document["minEffect"], document["axis"]) == ("total", 0.05, "input")
    assert (line["verdict"], line["p"], line["exactP"], line["family"]) == (
        *("worse", 2 / 252, "1/126", 1),
    )
    assert [side["label"] for side in line["sides"]] == ["A old.ndjson", "B new.ndjson"]
    assert line["tendency"]["cliffsDelta"] == 1
    assert line["pinsChanged"][0].startswith("jev_social_commit 30f6")
    assert line["n"] == [5, 5]


def test_csv_has_a_line_a_comparison(arms: Path) -> None:
    done = run("compare", arms, "--by", "arm", "--format", "csv")
    (line,) = csv.DictReader(io.StringIO(done.out))
    assert (line["treatment"], line["baseline"], line["verdict"]) == ("a/b@c", "none", "better")
    assert float(line["p"]) == 2 / 256


def test_values_of_a_field_and_another_baseline(arms: Path) -> None:
    assert "a/b@c against none on score: better" in run("compare", arms, "--by", "arm").out
    turned = run("compare", arms, "--by", "arm", "--baseline", "a/b@c")
    assert "none against a/b@c on score: worse" in turned.out


def test_another_metric_and_another_effect_are_printed(arms: Path) -> None:
    done = run("compare", arms, "--by", "arm", "--metric", "total_time", "--min-effect", "0.2")
    assert "Metric: total_time, lower is better." in done.out
    assert "M: 20% (given with --min-effect)." in done.out


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 0),
        (("--fail-on", "worse"), 3),
        (("--no-worse-than", "0.05"), 3),
        (("--no-worse-than", "2"), 0),
        (("--fail-on", "worse", "--no-worse-than", "2"), 3),
    ],
)
def test_conditions_decide_the_exit_code(
    old: Path, new: Path, options: Sequence[str], code: int
) -> None:
    done = run("compare", old, new, *options)
    assert (done.code, done.err) == (code, "")
    assert "worse" in done.out


def test_cannot_tell_is_no_worse_than_nothing(tmp_path: Path, old: Path) -> None:
    few = write(tmp_path / "few.ndjson", attempts(200, FAST[:2]))
    done = run("compare", old, few, "--no-worse-than", "5")
    assert done.code == 3
    assert "5 against 2 repeats cannot reach 0.05: the smallest p is 0.095; 4 suffice" in done.out
    assert run("compare", old, few, "--fail-on", "worse").code == 0


def test_a_pipeline_proof_says_so_first_and_passes_no_condition() -> None:
    done = run("compare", DEMO, "--by", "condition", "--no-worse-than", "9")
    assert done.code == 3
    assert done.out.splitlines()[2].startswith("**SYNTHETIC: ")
    assert ": none (pipeline proof); " in done.out
    assert ": worse;" not in done.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("ONE",), "compare takes two inputs, A and B, not 1; or --by FIELD"),
        (("ONE", "TWO", "ONE"), "not 3"),
        (("ONE", "ONE"), "5 rows of A in B as well: a row is in one arm only"),
        (("ONE", "TWO", "--baseline", "x"), "--baseline names a value of --by FIELD"),
        (("ONE", "TWO", "--metric", ""), "jev-social has no metric ; it has total"),
        (("ONE", "TWO", "--metric", "speed"), "jev-social has no metric speed; it has total"),
        (("ONE", "TWO", "--min-effect", "-1"), "min-effect"),
        (("ONE", "TWO", "--min-effect", "nan"), "min-effect"),
        (("ONE", "TWO", "--min-effect", "inf"), "finite number of 0 or more, not inf"),
        (("ONE", "TWO", "--no-worse-than", "inf"), "finite number of 0 or more, not inf"),
        (("ONE", "TWO", "--fail-on", "better"), "'--fail-on': 'better' is not one of 'worse'"),
        (("ONE", "TWO", "--format", "html"), "'html' is not one of 'md', 'json', 'csv'"),
        (("ONE", "TWO", "--by", ""), "no field is named: name one of"),
        (("-", "-"), "- is standard input, which can be read but once: give - once"),
        (("ONE", "TWO", "--by", "started_at"), "slice that was not planned gets no verdict"),
        (("ONE", "TWO", "--by", "platfrom"), "did you mean `platform`"),
        (("ONE", "TWO", "--by", "task_id"), "task_id tells tasks apart"),
        (("ONE", "TWO", "--by", "condition"), "condition has only cold"),
        (("ONE", "absent.ndjson"), "absent.ndjson"),
    ],
)
def test_a_wrong_invocation_is_one_clear_sentence(
    old: Path, new: Path, options: Sequence[str], words: str
) -> None:
    names = {"ONE": old, "TWO": new}
    message = refused(run("compare", *(names.get(option, option) for option in options)))
    assert words in message


def test_an_invalid_row_is_named_with_its_place(tmp_path: Path, old: Path) -> None:
    bad = write(tmp_path / "bad.ndjson", [*attempts(100, SLOW), {"schema_version": 2}])
    message = refused(run("compare", old, bad))
    assert "bad.ndjson:6: " in message


def answers(tmp_path: Path, rows: list[Row], options: Sequence[str], threads: int) -> Any:
    """Return what the command prints of rows in a process that has so many threads."""
    file = write(tmp_path / "rows.ndjson", rows)
    program = (
        "import os, sys\n"
        f"os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:{threads}])\n"
        "from benchdata.cli import main\n"
        f"sys.argv = ['benchdata', 'compare', {str(file)!r}, *{list(options)!r}]\n"
        "main()\n"
    )
    environment = os.environ | {"POLARS_MAX_THREADS": str(threads)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=environment
    )
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--by", "arm"), ("--by", "arm", "--metric", "tokens")])
def test_rows_in_any_order_and_any_threads_give_the_same_bytes(
    tmp_path: Path, options: Sequence[str]
) -> None:
    rows = skills({"none": 0.2, "a/b@c": 0.8, "local:mine": 0.31}, tasks=20)
    rng = random.Random(7)
    for row in rows:
        row["score"] = rng.random()
        row["usage"][0]["input_tokens"] = rng.randrange(10**6)
    options = (*options, "--format", "json")
    first = answers(tmp_path, rows, options, 1)
    assert json.loads(first)["comparisons"][0]["method"].endswith(("draws", "exact"))
    rng.shuffle(rows)
    assert answers(tmp_path, rows, options, 2) == first


def test_help_names_every_option() -> None:
    done: Done = run("compare", "--help")
    for option in ("--by", "--baseline", "--metric", "--min-effect", "--fail-on"):
        assert option in done.out


def test_the_test_and_the_tasks_that_moved_are_named(arms: Path) -> None:
    lines = run("compare", arms, "--by", "arm").out.splitlines()
    assert "  - sign-flip over task differences, exact" in lines
    assert "- a/b@c against none: better: +0.61, p 0.0078; 8 of 8 tasks moved" in lines


def test_an_effect_without_an_estimate_gives_its_reason_once(tmp_path: Path) -> None:
    rows = skills({"none": 0.2, "a/b@c": 0.8})
    rows[1].update(outcome="timeout", failure_reason="agent_timeout", passed=False)
    for row in rows[2:]:
        row["passed"] = True
    timed = write(tmp_path / "timed.ndjson", rows)
    done = run("compare", timed, "--by", "arm", "--metric", "agent_time")
    assert done.out.splitlines()[2].count("not estimable") == 1
    outcomes = "none 7 of 8 succeeded, a/b@c 7 of 8 succeeded, McNemar p 1, raw"
    assert f"  - outcomes: {outcomes}\n" in done.out


TEXTS = [f"t{n}\n| x | **b** <script>\u202egnp" for n in "12"] + ["\t=1+1", "\r@x"]


def test_no_label_leaves_its_line_or_becomes_a_formula(tmp_path: Path) -> None:
    (tmp_path / "free.py").write_text(FREE)
    rows = [
        {"id": f"{text}-{task}", "arm": text, "task": str(task), "value": float(place + task)}
        for task in range(8)
        for place, text in enumerate(TEXTS)
    ]
    rows_file = write(tmp_path / "rows.ndjson", rows)
    options = ("--contract", f"{tmp_path / 'free.py'}:FREE", "--by", "arm")
    done = run("compare", rows_file, *options)
    assert (done.code, done.err) == (0, "")
    assert not any(char in done.out for char in "\u202e\r\t")
    assert "<script" not in done.out
    assert sum(line.startswith("- ") for line in done.out.splitlines()) == 2 * (len(TEXTS) - 1)
    table = run("compare", rows_file, *options, "--format", "csv").out
    lines = [*csv.DictReader(io.StringIO(table, newline=""))]
    assert [line["treatment"] for line in lines] == [
        "t2 | x | **b** <script>\N{REPLACEMENT CHARACTER}gnp",
        "'=1+1",
        "'@x",
    ]


FREE = """
from benchdata.contracts import Contract
from benchdata.contracts.fields import Row
from benchdata.contracts.meaning import Design, Metric, Outcome


class Free(Row):
    id: str
    arm: str
    task: str
    value: float


FREE = Contract(
    name="free",
    models={1: Free},
    identity=("id",),
    group=("arm",),
    metrics=(Metric("value", "value", "", "higher", bounds=(0, 100)),),
    primary="value",
    outcome=Outcome(success="True"),
    unit="task",
    tasks="sampled",
    design=Design(task="task"),
)
"""


def test_a_field_that_is_none_is_answered_with_each_that_is_once() -> None:
    demo = DEMO.parent / "build-run-demo"
    said = refused(run("compare", demo, "--by", "arm"))
    fields = said.strip().partition("those are ")[2].split(", ")
    assert fields[:3] == ["lane", "kind", "variant"]
    assert len(fields) == len(set(fields))


def test_an_unknown_metric_is_answered_with_those_there_are() -> None:
    said = refused(run("compare", DEMO, "--by", "condition", "--metric", "speed"))
    assert "has no metric speed; it has total, jev, socai_browser, media, records" in said


def test_cells_without_a_value_are_not_called_cells_without_a_row() -> None:
    out = run("compare", DEMO.parent / "skill-run-demo", "--by", "arm").out
    assert "12 planned cells of acme/skills@page-maker without a scored value" in out
    assert "12 scored rows of acme/skills@page-maker without a value" in out


def test_a_loss_that_no_metric_has_is_no_condition(arms: Path) -> None:
    words = "score spans 1: no difference is 5; five points are 0.05"
    for option in ("--no-worse-than", "--min-effect"):
        assert words in refused(run("compare", arms, "--by", "arm", option, "5"))


def test_the_answer_to_no_worse_than_is_printed(arms: Path) -> None:
    options = ("compare", arms, "--by", "arm", "--no-worse-than", "0.05")
    assert "  - no worse than 0.05: shown, the lower end is +0." in run(*options).out
    turned = (*options, "--baseline", "a/b@c", "--format", "json")
    (line,) = json.loads(run(*turned).out)["comparisons"]
    assert (line["noWorse"]["than"], line["noWorse"]["shown"]) == (0.05, False)
    assert line["noWorse"]["answer"].startswith("no worse than 0.05: not shown, the lower end is −")
    plain = run("compare", arms, "--by", "arm", "--format", "json").out
    assert "noWorse" not in plain


def test_a_condition_names_the_baseline_that_nobody_chose(tmp_path: Path, arms: Path) -> None:
    rows = [*skills({"none": 0.8}, agent_version="1.9.0")]
    rows += skills({"none": 0.2}, first=100, agent_version="1.10.0")
    options = ("compare", write(tmp_path / "two.ndjson", rows), "--by", "agent_version")
    remark = "- baseline 1.9.0: the first in order\n"
    gated = run(*options, "--fail-on", "worse")
    assert (gated.code, gated.out.count(remark)) == (3, 1)
    assert "- 1.10.0 against 1.9.0 on score: worse" in gated.out
    assert remark not in run(*options).out
    assert remark not in run(*options, "--fail-on", "worse", "--baseline", "1.9.0").out
    assert "the first in order" not in run("compare", arms, "--by", "arm", "--fail-on", "worse").out


def test_other_tasks_are_named_in_the_first_line(tmp_path: Path) -> None:
    rows = skills({"none": 0.2})
    others = skills({"a/b@c": 0.8}, first=100)
    rows += [row | {"task_id": f"other-{number}"} for number, row in enumerate(others)]
    out = run("compare", write(tmp_path / "rows.ndjson", rows), "--by", "arm").out
    assert out.splitlines()[2].endswith(" (8 against 8 tasks, other tasks)")


def test_a_test_of_nothing_has_no_p_and_no_method() -> None:
    lines = run("compare", DEMO.parent / "skill-run-demo", "--by", "arm").out.splitlines()
    (first,) = [line for line in lines if "(0 tasks)" in line]
    assert first.endswith("; no task has a value in both arms, p — (0 tasks)")
    assert lines[lines.index("## Reasons and remarks") :].count("  - —") == 1
