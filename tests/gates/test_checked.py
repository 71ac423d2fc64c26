"""Judges compared by what they say: a passing check first, judgments of one artefact averaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import judgment
from tests.support.armed import uuid
from tests.support.command import run
from tests.support.drawn import Row, write

OLD, NEW = "1-000000000000", "2-000000000000"


def said(number: int, prompt: str, task: int, grade: int, **fields: Any) -> Row:
    """Return what a judge says of the artefact of a task."""
    grades = dict.fromkeys(("brief_fidelity", "hierarchy_readability", "usability", "craft"), grade)
    about = {
        "judgment_id": uuid(number),
        "judged_at": f"2026-03-05T{number // 60:02d}:{number % 60:02d}:00.000Z",
        "prompt_version": prompt,
        "run_id": uuid(90_000 + task),
        "task_id": f"task-{task}",
        "artefact_digest": f"{task + 10:02d}" * 32,
        "quality": float(grade),
    }
    return judgment.valid_row({**about, **grades, **fields})


def scores() -> list[Row]:
    """Return one judgment of each of eight artefacts by two prompts, the newer one milder."""
    pairs = [(task, prompt) for task in range(8) for prompt in (OLD, NEW)]
    return [
        said(n, prompt, task, task % 2 + (prompt == NEW)) for n, (task, prompt) in enumerate(pairs)
    ]


def check(first: int, prompt: str) -> list[Row]:
    """Return a check that passes, on the artefact of task 1."""
    old = int(prompt == NEW)
    of = {"check_id": uuid(70_000 + first), "stage": "check"}
    blank = {"artefact_digest": "00" * 32, **judgment.CRITICAL}
    return [
        said(first, prompt, 1, 1 + old, kind="repeat", **of),
        said(first + 1, prompt, 1, 0, **{**blank, **of, "kind": "blank"}),
        said(first + 2, prompt, 1, 0, artefact_digest="ba" * 32, kind="stripped", **of),
    ]


def compared(folder: Path, rows: list[Row], *options: str) -> dict[str, Any]:
    file = write(folder / "judgments.ndjson", rows)
    done = run("compare", file, "--by", "prompt_version", "--format", "json", *options)
    assert done.err == ""
    lines = json.loads(done.out)["comparisons"]
    (found,) = (line for line in lines if "kind pointwise" in line["context"] or len(lines) == 1)
    return dict(found)


@pytest.mark.parametrize("passing", [(), (OLD,), (NEW,), (OLD, NEW)])
def test_both_judges_need_a_passing_check(tmp_path: Path, passing: tuple[str, ...]) -> None:
    rows = scores()
    for place, prompt in enumerate(passing):
        rows += check(100 + 10 * place, prompt)
    line = compared(tmp_path, rows)
    assert line["p"] == 2 / 2**8
    missing = "cannot tell: instrument check missing: no passing check of the same judge"
    assert line["verdict"] == ("better" if len(passing) == 2 else missing)


def test_judgments_of_one_artefact_are_averaged_before_those_of_others(tmp_path: Path) -> None:
    rows = scores()
    # three more judgments of one artefact, and one of another artefact of the same task
    rows += [said(200 + n, OLD, 0, 3, attempt=n + 2) for n in range(3)]
    rows.append(said(300, OLD, 0, 3, run_id=uuid(95_000), artefact_digest="ff" * 32))
    task = compared(tmp_path, rows)["tasks"][0]
    assert (task["baseline"], task["repeats"]) == ((2.25 + 3) / 2, [2, 1])


def followed(folder: Path, rows: list[Row], *options: str | Path) -> dict[str, Any]:
    """Return what a history says of the newer prompt's verdicts on one artefact each."""
    file = write(folder / "judgments.ndjson", rows)
    done = run("history", file, "--format", "json", *options)
    assert done.err == ""
    series = json.loads(done.out)["series"]
    (found,) = (one for one in series if "kind pointwise" in one["context"] or len(series) == 1)
    (judged,) = found["judged"]
    return dict(judged["comparison"])


@pytest.mark.parametrize("passing", [(), (OLD,), (NEW,), (OLD, NEW)])
def test_a_history_too_needs_a_passing_check_of_both_judges(
    tmp_path: Path, passing: tuple[str, ...]
) -> None:
    rows = scores()
    for place, prompt in enumerate(passing):
        rows += check(100 + 10 * place, prompt)
    line = followed(tmp_path, rows)
    assert line["p"] == 2 / 2**8
    missing = "cannot tell: instrument check missing: no passing check of the same judge"
    assert line["verdict"] == ("better" if len(passing) == 2 else missing)


def test_a_check_that_fails_is_none_to_a_history(tmp_path: Path) -> None:
    copy, *others = check(110, NEW)
    apart = said(110, NEW, 1, 0, kind="repeat", check_id=copy["check_id"], stage="check")
    line = followed(tmp_path, [*scores(), *check(100, OLD), apart, *others])
    assert line["verdict"].startswith("cannot tell: instrument check missing")


def test_the_check_of_a_history_may_lie_among_fresh_repeats(tmp_path: Path) -> None:
    fresh = write(tmp_path / "fresh.ndjson", [*check(100, OLD), *check(110, NEW)])
    assert followed(tmp_path, scores(), "--confirm", fresh)["verdict"] == "better"
