"""Artefacts that could not be rendered: the worst score, by the last row on them, no dimension."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.leaderboards.judged import Judge, judges
from benchdata.leaderboards.profiles import profile
from tests.leaderboards.test_judged import HIGH, LOW, runs, verdict, verdicts
from tests.support import judgment
from tests.support.drawn import Row, write

FAILED: dict[str, Any] = {**judgment.NO_SCORES, "outcome": "render_failed"}
MALFORMED: dict[str, Any] = {**judgment.NO_SCORES, "outcome": "malformed"}


def opened(folder: Path, rows: list[Row], judged: list[Row]) -> benchdata.Dataset:
    files = [write(folder / "runs.ndjson", rows), write(folder / "judged.ndjson", judged)]
    return benchdata.open(files)


def judge_of(folder: Path, *said: dict[str, Any]) -> tuple[Judge, str]:
    """Return a judge who said this of one artefact, one after another, and the run that left it."""
    rows = runs(2)
    judged = [verdict(n, row, LOW) for n, row in enumerate(rows)]
    first = judged.pop(0)
    for number, fields in enumerate(said):
        row = verdict(60 + number, rows[0], HIGH, attempt=number + 1)
        judged.append(row | {"artefact_digest": first["artefact_digest"]} | fields)
    (judge,) = judges(opened(folder, rows, judged), SKILL_RUN)
    return judge, str(rows[0]["run_id"])


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ([FAILED], 0.0),
        ([FAILED, {}], 3.0),
        ([FAILED, MALFORMED], None),
        ([{}, FAILED], 0.0),
        ([MALFORMED, FAILED], 0.0),
        ([MALFORMED], None),
    ],
)
def test_the_last_row_on_an_artefact_tells(
    tmp_path: Path, said: list[dict[str, Any]], score: float | None
) -> None:
    judge, run = judge_of(tmp_path, *said)
    assert judge.scores.get(run) == score
    assert judge.unshown == (said[-1] is FAILED)
    (asked,) = judge.asked
    assert asked.unjudged == (score is None)
    assert asked.ended.get("render_failed", 0) == said.count(FAILED)


def test_it_has_no_dimension(tmp_path: Path) -> None:
    rows = runs()
    judged = verdicts(rows)
    at = next(place for place, row in enumerate(rows) if row["arm"] != "none")
    judged[at] |= FAILED
    found = list(profile(opened(tmp_path, rows, judged), SKILL_RUN))
    assert [one.treatment.estimate for one in found] == [3.0] * 4
    assert [one.treatment.n for one in found] == [7] * 4
