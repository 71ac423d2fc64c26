"""What is asked of a named lane: its rank under every model, its turns beside those of nestjs."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchdata
from benchdata.errors import ReportError
from benchdata.reports.lane_answers import EVERY, RANK, TURNS, Answer, answers, leading
from benchdata.reports.scores import scores
from benchdata.stats.scoring import preset
from tests.support.cross_lanes import MIDDLE, ONE, QUICK, SLOW, TWO, two_models, under
from tests.support.drawn import Row, write

SAME = {"aster": QUICK, "birch": MIDDLE, "nestjs": SLOW}


def asked(folder: Path, rows: list[Row], lane: str) -> tuple[Answer, ...]:
    dataset = benchdata.open(write(folder / "rows.ndjson", rows))
    return answers(dataset, scores(dataset, preset("default")).baselines, lane)


def words(found: tuple[Answer, ...], question: str) -> dict[str, str]:
    return {each.baseline: each.word for each in found if each.question == question}


def test_a_lane_among_the_first_two_everywhere_and_quicker(tmp_path: Path) -> None:
    found = asked(tmp_path, two_models(SAME), "birch")
    both = {ONE["model"]: "yes", TWO["model"]: "yes"}
    assert words(found, RANK) == {**both, EVERY: "yes"}
    assert words(found, TURNS) == both
    assert [each.numbers for each in found] == [
        "rank 2 of 3 lanes",
        "rank 2 of 3 lanes",
        "yes in 2 of 2 baselines, 2 models",
        *["birch median 22.5 of 6 runs (20 to 25); nestjs median 42.5 of 6 runs (40 to 45)"] * 2,
    ]
    assert [each.baseline for each in leading(found)] == [EVERY, *both]


@pytest.mark.slow
def test_a_lane_that_falls_behind_under_one_model(tmp_path: Path) -> None:
    found = asked(tmp_path, two_models({"aster": SLOW, "birch": MIDDLE, "nestjs": QUICK}), "aster")
    assert words(found, RANK) == {ONE["model"]: "yes", TWO["model"]: "no", EVERY: "no"}
    assert words(found, TURNS) == {ONE["model"]: "yes", TWO["model"]: "no"}


@pytest.mark.slow
def test_one_model_reproduces_nothing(tmp_path: Path) -> None:
    found = asked(tmp_path, under(ONE, SAME, 0), "aster")
    assert words(found, RANK) == {
        ONE["model"]: "yes",
        EVERY: "cannot tell: the rows are of one model",
    }


@pytest.mark.slow
def test_among_two_lanes_each_is_of_the_first_two_and_that_says_nothing(tmp_path: Path) -> None:
    two = {"aster": QUICK, "birch": SLOW}
    found = asked(tmp_path, [*under(ONE, two, 0), *under(TWO, two, 1000)], "aster")
    word = "cannot tell: no more than 2 lanes"
    assert words(found, RANK) == {ONE["model"]: word, TWO["model"]: word, EVERY: "cannot tell"}


def test_two_repeats_tell_nothing(tmp_path: Path) -> None:
    few = {lane: turns[:2] for lane, turns in SAME.items()}
    found = asked(tmp_path, [*under(ONE, few, 0), *under(TWO, few, 1000)], "aster")
    assert set(words(found, RANK).values()) == {"cannot tell"}
    for word in words(found, TURNS).values():
        assert word.startswith("cannot tell: 2 against 2 repeats cannot reach 0.05")


@pytest.mark.slow
def test_rows_that_measure_nothing_answer_nothing(tmp_path: Path) -> None:
    found = asked(tmp_path, two_models(SAME, endpoint="stand_in"), "aster")
    assert {each.word for each in found} == {"none (pipeline proof)"}


@pytest.mark.slow
def test_an_unfinished_plan_and_other_probes_bar_an_answer(tmp_path: Path) -> None:
    found = asked(tmp_path, under(ONE, SAME, 0, planned_repeats=8), "aster")
    assert words(found, TURNS)[ONE["model"]].startswith("cannot tell: interim")
    rows = under(ONE, SAME, 0)
    for row in rows:
        if row["lane"] == "nestjs":
            row["suite_digest"] = "9" * 64
    (word,) = words(asked(tmp_path, rows, "aster"), TURNS).values()
    assert word == "cannot tell: groups differ in suite_digest"


@pytest.mark.slow
def test_real_ids_of_tasks_and_a_lane_without_its_counterpart(tmp_path: Path) -> None:
    ids = {"t1": "t1-storefront-api", "t2": "t2-saga-queue-cron"}
    rows = [row | {"task_id": ids[row["task_id"]]} for row in under(ONE, SAME, 0)]
    assert words(asked(tmp_path, rows, "birch"), TURNS) == {ONE["model"]: "yes"}
    alone = [row for row in rows if row["lane"] != "nestjs"]
    (found,) = (each for each in asked(tmp_path, alone, "birch") if each.question == TURNS)
    assert (found.word, found.numbers) == ("cannot tell", "no runs of t1 by both birch and nestjs")


def test_the_lane_that_others_are_held_to_is_not_held_to_itself(tmp_path: Path) -> None:
    assert words(asked(tmp_path, under(ONE, SAME, 0), "nestjs"), TURNS) == {}


@pytest.mark.slow
def test_a_lane_that_has_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="-p lane=astre: no run is of that lane; did you mean"):
        asked(tmp_path, under(ONE, SAME, 0), "astre")
