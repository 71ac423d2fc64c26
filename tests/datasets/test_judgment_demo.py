"""Synthetic judgments: they join their runs, and show every case that a report must handle."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import benchdata

DATASETS = Path(__file__).parents[2] / "datasets"
Row = dict[str, Any]


def parsed(name: str) -> list[Row]:
    return [
        json.loads(line) for line in (DATASETS / name / "rows.ndjson").read_bytes().splitlines()
    ]


@pytest.fixture(scope="module")
def demo() -> list[Row]:
    return parsed("judgment-demo")


@pytest.fixture(scope="module")
def runs() -> dict[str, Row]:
    return {row["run_id"]: row for row in parsed("skill-run-demo")}


def test_every_judgment_is_of_a_rubric_run_that_was_given_its_task(
    demo: list[Row], runs: dict[str, Row]
) -> None:
    for row in demo:
        for name in ("run_id", "other_run_id"):
            if row[name] is None:
                continue
            judged = runs[row[name]]
            assert judged["grader"] == "rubric"
            assert judged["outcome"] not in {"infrastructure", "grading_error", "interrupted"}
            assert (row["task_id"], row["task_digest"]) == (
                judged["task_id"],
                judged["task_digest"],
            )


def test_arms_come_from_joining_the_runs_alone(demo: list[Row]) -> None:
    assert not {"arm", "skill_digest"} & set(demo[0])
    both = benchdata.open([DATASETS / "judgment-demo", DATASETS / "skill-run-demo"])
    found = both.sql(
        "select arm, avg(quality) as q from judgment join skill_run using (run_id)"
        " where kind = 'pointwise' and judgment.outcome = 'judged' group by arm order by q"
    )
    assert found["arm"].to_list() == ["none", "acme/skills@page-maker"]


def test_no_artefact_is_without_a_row(demo: list[Row], runs: dict[str, Row]) -> None:
    given = {"completed", "timeout", "agent_error"}
    artefacts = {
        run_id
        for run_id, run in runs.items()
        if run["grader"] == "rubric" and run["outcome"] in given
    }
    pointwise = [row for row in demo if row["kind"] == "pointwise"]
    assert {row["run_id"] for row in pointwise} == artefacts
    last = {row["run_id"]: row["outcome"] for row in pointwise}
    assert sorted(last.values()) == ["judged"] * (len(artefacts) - 1) + ["render_failed"]
    assert len({row["artefact_digest"] for row in pointwise}) == len(artefacts)


def test_each_pair_is_judged_in_both_orders_and_some_conflict(
    demo: list[Row], runs: dict[str, Row]
) -> None:
    pairs: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in demo:
        if row["kind"] == "pairwise" and row["outcome"] == "judged":
            pairs[row["run_id"], row["other_run_id"]][row["order"]] = row["winner"]
    assert {frozenset(orders) for orders in pairs.values()} == {frozenset({"ab", "ba"})}
    for one, other in pairs:
        assert runs[one]["arm"] != runs[other]["arm"]
        assert runs[one]["repeat"] == runs[other]["repeat"]
    conflicts = sum(len(set(orders.values())) > 1 for orders in pairs.values())
    assert 2 <= conflicts < len(pairs) - 2


def test_the_instrument_check_passes_by_its_own_rows(demo: list[Row]) -> None:
    first = {
        row["artefact_digest"]: row["quality"]
        for row in demo
        if row["kind"] == "pointwise" and row["outcome"] == "judged"
    }
    original = {row["run_id"]: row["artefact_digest"] for row in demo if row["kind"] == "repeat"}
    check = [row for row in demo if row["check_id"] and row["outcome"] == "judged"]
    assert len({row["check_id"] for row in check}) == 1
    assert {row["kind"] for row in check} == {"repeat", "blank", "stripped"}
    for row in check:
        before = first[original[row["run_id"]]]
        match row["kind"]:
            case "repeat":
                assert abs(row["quality"] - before) <= 0.25
            case "blank":
                assert (row["quality"], row["critical_failures"]) == (0, ["blank-page"])
            case _:
                assert row["quality"] < before
    pins = ("judge_model", "prompt_version", "render_version", "endpoint")
    assert len({tuple(row[name] for name in pins) for row in demo}) == 1


def test_an_attempt_that_failed_is_kept_beside_the_one_that_follows(demo: list[Row]) -> None:
    assert {row["outcome"] for row in demo} == {
        *("judged", "malformed", "refused", "timeout", "render_failed")
    }
    for place, row in enumerate(demo):
        if row["attempt"] > 1:
            before = demo[place - 1]
            assert before["outcome"] in {"malformed", "refused", "timeout"}
            same = ("run_id", "other_run_id", "kind", "order", "artefact_digest")
            assert [before[name] for name in same] == [row[name] for name in same]
