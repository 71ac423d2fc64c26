"""Arms compared by what a judge says: a table a metric, with the lifts of the board."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import benchdata
from benchdata.errors import ContractError
from benchdata.leaderboards.boards import leaderboards
from benchdata.leaderboards.judged import subject
from benchdata.leaderboards.tables import Choice, by_field
from tests.support.armed import uuid
from tests.support.command import refused, run
from tests.support.drawn import Row, write
from tests.support.planned import SKILL, plan, rubric_plan, verdicts

DEMOS = Path(__file__).parents[2] / "datasets"
DEMO = (DEMOS / "skill-run-demo", DEMOS / "judgment-demo")


def scored(runs: list[Row]) -> list[Row]:
    """Return what a judge says of runs and of copies: half a point less without the skill."""
    skilled = {row["run_id"] for row in runs if row["arm"] == SKILL}
    return [
        row | {"craft": 1, "quality": 1.75}
        if row["kind"] in {"pointwise", "repeat"} and row["run_id"] not in skilled
        else row
        for row in verdicts(runs)
    ]


def written(folder: Path, runs: list[Row], judged: list[Row]) -> tuple[Path, Path]:
    return write(folder / "runs.ndjson", runs), write(folder / "judged.ndjson", judged)


def test_the_lifts_are_those_of_the_leaderboard() -> None:
    given = benchdata.open(DEMO)
    told = by_field(given, Choice("arm"))
    assert [(each.contract, each.table.claim.metric.name) for each in told] == [
        ("skill-run", "score"),
        ("judgment", "quality"),
    ]
    boards = leaderboards(subject(given), given)
    assert [context for _, table in told for context in table.contexts] == [
        board.context for board in boards for _ in board.lifts
    ]
    lifts = {
        (board.context, entry.label): entry.lift.finding.result
        for board in boards
        for entry in board.lifts
        if entry.lift
    }
    assert {
        (context, finding.treatment.label): finding.result
        for _, table in told
        for context, finding in zip(table.contexts, table.findings, strict=True)
    } == lifts


def test_runs_that_a_judge_scored_are_in_no_empty_table(tmp_path: Path) -> None:
    runs = rubric_plan()
    (told,) = by_field(benchdata.open(written(tmp_path, runs, scored(runs))), Choice("arm"))
    (finding,) = told.table.findings
    assert (told.contract, finding.result.estimate) == ("judgment", 0.5)


def test_without_the_verdicts_the_rows_are_compared_as_they_are(tmp_path: Path) -> None:
    file = write(tmp_path / "runs.ndjson", rubric_plan())
    (told,) = by_field(benchdata.open(file), Choice("arm"))
    assert (told.contract, told.table.findings[0].result.n) == ("skill-run", (0, 0))


@pytest.mark.parametrize(
    ("checked", "verdict"),
    [(True, "better"), (False, "cannot tell: instrument check missing")],
)
def test_a_judge_needs_a_passing_check(tmp_path: Path, checked: bool, verdict: str) -> None:
    runs = rubric_plan()
    judged = [row for row in scored(runs) if checked or row["stage"] != "check"]
    out = run("compare", *written(tmp_path, runs, judged), "--by", "arm", "--format", "json").out
    (line,) = json.loads(out)["comparisons"]
    assert line["verdict"].startswith(verdict)


def test_a_metric_names_the_contract_that_has_it() -> None:
    given = benchdata.open(DEMO)
    for metric, contract in (("quality", "judgment"), ("score", "skill-run")):
        (told,) = by_field(given, Choice("arm", metric=metric))
        assert told.contract == contract
        assert told.table.claim.metric.name == metric
    with pytest.raises(ContractError, match="contract skill-run has no metric speed"):
        by_field(given, Choice("arm", metric="speed"))


def test_a_field_names_the_contract_that_has_it(tmp_path: Path) -> None:
    runs = rubric_plan()
    judged = verdicts(runs)
    newer = [
        row | {"judgment_id": uuid(750_000 + number), "prompt_version": "2-0a1b2c3d4e5f"}
        for number, row in enumerate(judged)
    ]
    files = written(tmp_path, runs, [*judged, *newer])
    (told,) = by_field(benchdata.open(files), Choice("prompt_version"))
    assert (told.contract, told.table.axis) == ("judgment", "prompt_version")


@pytest.mark.slow
def test_both_tables_are_printed_in_every_format() -> None:
    text = run("compare", *DEMO, "--by", "arm").out
    assert text.index("# skill-run comparison by arm") < text.index("# judgment comparison by arm")
    documents = json.loads(run("compare", *DEMO, "--by", "arm", "--format", "json").out)
    assert [document["metric"] for document in documents] == ["score", "quality"]
    lines = list(
        csv.DictReader(io.StringIO(run("compare", *DEMO, "--by", "arm", "--format", "csv").out))
    )
    assert [line["metric"] for line in lines] == ["score", "score", "quality"]


@pytest.mark.parametrize("option", ["--min-effect", "--no-worse-than"])
def test_one_effect_size_is_not_read_on_two_scales(option: str) -> None:
    message = refused(run("compare", *DEMO, "--by", "arm", option, "0.1"))
    assert "quality and score are compared: name one metric" in message
    done = run("compare", *DEMO, "--by", "arm", "--metric", "quality", option, "0.1")
    assert done.code == (3 if option == "--no-worse-than" else 0)


def test_a_dataset_is_about_the_runs_that_are_judged(tmp_path: Path) -> None:
    runs, judged = written(tmp_path, plan(), verdicts(plan()))
    for files in ((runs, judged), (judged, runs)):
        assert subject(benchdata.open(files)).contract.name == "skill-run"
    assert subject(benchdata.open(judged)).contract.name == "judgment"
    with pytest.raises(ContractError, match=r"several contracts \(skill-run, jev-social\)"):
        subject(benchdata.open((runs, DEMOS / "jev-social-demo")))
