"""Composite scores of lanes from stored rows: numbers worked out by hand, what is left out."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.comparisons import composites
from benchdata.comparisons.composites import CLAIM, Scored
from benchdata.comparisons.summaries import summarize
from benchdata.errors import ContractError
from benchdata.stats.results import Interval
from benchdata.stats.scoring import PRESETS, preset_of
from tests.support import build_run
from tests.support.drawn import DEMO, Row, write
from tests.support.planned import lanes

DEFAULT, PARITY = PRESETS["default"], PRESETS["encore-parity"]
EXACT: dict[str, Any] = {"total_cost_usd": 1.025, "rubric_pass_rate": 0.5}
"""Cost halfway between its anchors 2 and 0.05."""


def green(lane: str, t1: list[float], t2: list[float], **fields: Any) -> list[Row]:
    rows = lanes({lane: {"t1": t1, "t2": t2}}, **{**EXACT, **fields})
    for row in rows:
        row["wall_s"] = 480.0  # halfway between 900 and 60
    return rows


def scored(folder: Path, rows: list[Row], preset: Any = DEFAULT) -> tuple[Scored, ...]:
    return composites.score(benchdata.open(write(folder / "rows.ndjson", rows)), preset)


def estimate(one: Scored) -> float:
    value = summarize(one.arm, CLAIM).estimate
    assert isinstance(value, float)
    return value


def test_a_composite_is_the_mean_over_tasks_not_over_runs(tmp_path: Path) -> None:
    # t1: turns 5 -> 1, three times; t2: turns 80 -> 0, once
    (lane,) = scored(tmp_path, green("aster", [5, 5, 5], [80]))
    fixed = 0.45 + 0.1 * 0.5 + 0.1 * 0.5 + 0.2 * 0.5
    assert estimate(lane) == pytest.approx(fixed + 0.15 * 0.5)
    assert (lane.runs, lane.arm.label, lane.without) == (4, "aster", {})
    parts = {part.name: part.normalized for part in lane.components}
    assert parts == {
        "test_pass_rate": 1.0,
        "turns_to_green": 0.5,
        "cost_usd": 0.5,
        "wall_s": 0.5,
        "rubric_pass_rate": 0.5,
    }
    assert (lane.provisional, lane.clipped) == (False, ())


def test_another_preset_weighs_the_same_rows_anew(tmp_path: Path) -> None:
    (lane,) = scored(tmp_path, green("aster", [5, 5], [5, 5]), PARITY)
    assert estimate(lane) == pytest.approx(0.5 + 0.2 + 0.15 * 0.5 + 0.15 * 0.5)


def test_every_run_has_its_exact_composite(tmp_path: Path) -> None:
    (lane,) = scored(tmp_path, green("aster", [5, 80], [5]), PARITY)
    values = sorted(run.value for run in lane.arm.runs if run.value is not None)
    assert values == [Fraction(65, 100), Fraction(85, 100), Fraction(85, 100)]
    assert isinstance(summarize(lane.arm, CLAIM).estimate, float)


def test_a_run_that_never_was_green_has_the_worst_turns(tmp_path: Path) -> None:
    rows = green("aster", [5], [5])
    rows[0].update({**build_run.RED, "test_pass_rate": 1 / 3})
    (lane,) = scored(tmp_path, rows, PARITY)
    turns = next(part for part in lane.components if part.name == "turns_to_green")
    assert (turns.normalized, turns.lost, turns.clipped) == (0.5, 0, 0)


def test_what_lies_beyond_an_anchor_is_clipped_and_named(tmp_path: Path) -> None:
    (lane,) = scored(tmp_path, green("aster", [1, 5], [5, 5], total_cost_usd=7.0))
    assert lane.clipped == ("turns_to_green", "cost_usd")
    assert [part.clipped for part in lane.components] == [0, 1, 4, 0, 0]


def test_a_missing_rubric_makes_it_provisional_and_is_never_made_up_for(tmp_path: Path) -> None:
    rows = green("aster", [5, 5], [5, 5])
    for row in rows:
        row.update(build_run.NO_RUBRIC)
    (lane,) = scored(tmp_path, rows)
    assert lane.provisional
    assert lane.components[-1].normalized is None
    assert lane.components[-1].lost == 4
    assert estimate(lane) == pytest.approx(0.45 + 0.15 + 0.05 + 0.05)


def test_a_run_without_cost_has_no_score_and_is_counted(tmp_path: Path) -> None:
    rows = green("aster", [5, 5], [5, 5])
    rows[0]["total_cost_usd"] = None
    (lane,) = scored(tmp_path, rows)
    assert (lane.runs, lane.without) == (3, {"cost_usd has no value": 1})


def test_a_lane_without_any_score_is_left_out(tmp_path: Path) -> None:
    rows = green("aster", [5, 5], [5, 5]) + lanes(
        {"birch": {"t1": [5], "t2": [5]}}, first=100, total_cost_usd=None
    )
    assert [lane.arm.label for lane in scored(tmp_path, rows)] == ["aster"]


def test_reference_runs_are_no_lane(tmp_path: Path) -> None:
    rows = [*green("aster", [5, 5], [5, 5]), build_run.valid_row(build_run.CONFORMANCE)]
    assert [lane.arm.label for lane in scored(tmp_path, rows)] == ["aster"]


def test_versions_of_a_lane_are_apart(tmp_path: Path) -> None:
    rows = green("aster", [5], [5])
    rows += lanes({"aster": {"t1": [9], "t2": [9]}}, 50, framework_version="2.0.0", **EXACT)
    assert [lane.arm.label for lane in scored(tmp_path, rows)] == ["aster (1.4.0)", "aster (2.0.0)"]


def test_other_models_are_another_context(tmp_path: Path) -> None:
    rows = green("aster", [5], [5])
    rows += lanes({"aster": {"t1": [9], "t2": [9]}}, 50, model="acme/other-1", **EXACT)
    contexts = [lane.context for lane in scored(tmp_path, rows)]
    assert sorted(contexts) == ["model acme/builder-2.0-20260201", "model acme/other-1"]


def test_the_interval_is_that_of_runs_inside_fixed_tasks(tmp_path: Path) -> None:
    (lane,) = scored(tmp_path, green("aster", [5, 20, 35], [5, 20, 35]), PARITY)
    found = summarize(lane.arm, CLAIM).interval
    assert isinstance(found, Interval)
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < estimate(lane) < found.high < 1


def test_a_preset_may_weigh_any_metric_by_its_name(tmp_path: Path) -> None:
    axes = {
        "test_pass_rate": {"weight": 0.5},
        "lines_of_code": {"weight": 0.5, "worst": 624, "best": 0},
    }
    (lane,) = scored(
        tmp_path, green("aster", [5], [5]), preset_of({"name": "own", "axes": axes}, "own")
    )
    assert estimate(lane) == pytest.approx(0.75)


def test_an_axis_that_is_no_metric_is_refused(tmp_path: Path) -> None:
    own = preset_of(
        {"name": "own", "axes": {"beauty": {"weight": 1, "worst": 0, "best": 1}}}, "own"
    )
    words = "preset own weighs beauty, which is no metric of build-run; those are test_pass_rate"
    with pytest.raises(ContractError, match=words):
        scored(tmp_path, green("aster", [5], [5]), own)


def test_a_contract_that_compares_nothing_has_no_lanes() -> None:
    with pytest.raises(ContractError, match="jev-social compares nothing that could be scored"):
        composites.score(benchdata.open(DEMO), DEFAULT)
