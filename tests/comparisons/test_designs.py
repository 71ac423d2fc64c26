"""Designs from the spread of rows: variances worked out by hand, and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

import benchdata
from benchdata.comparisons.claims import of_contract
from benchdata.comparisons.designs import Design, designs
from benchdata.stats.detectable import detectable_mean, detectable_shift
from benchdata.stats.power import tasks_needed, values_needed
from benchdata.stats.results import CannotTell
from tests.support.armed import attempts
from tests.support.drawn import Row, write
from tests.support.planned import SKILL, lanes, lost, plan, rubric_plan

Score = Callable[[str, int, int], float]
"""The score of an arm, a task from 1 and a repeat from 1."""


def lifted(arm: str, task: int, repeat: int) -> float:
    """Return .2 or .4 by repeat, with a lift of 0 or .4 in turn."""
    blur = 0.1 if repeat % 2 == 0 else -0.1
    return 0.3 + blur + (0.4 if arm != "none" and task % 2 else 0.0)


def scores(score: Score, *, tasks: int = 10, repeats: int = 2, **options: object) -> list[Row]:
    rows = plan(tasks=tasks, repeats=repeats, **options)  # type: ignore[arg-type]
    for row in rows:
        task = int(row["task_id"].removeprefix("task-"))
        row["score"] = score(row["arm"], task, row["repeat"])
    return rows


def found(folder: Path, rows: list[Row], metric: str | None = None) -> tuple[Design, ...]:
    dataset = benchdata.open(write(folder / "rows.ndjson", rows))
    return designs(dataset, of_contract(dataset.contract, metric))


def test_the_variance_of_lifts_is_parted_from_the_noise_of_trials(tmp_path: Path) -> None:
    (design,) = found(tmp_path, scores(lifted))
    # lifts 0 and .4: variance .04 * 10/9; two trials .2 apart: variance .02 in each arm
    total = 0.04 * 10 / 9
    assert design.label == f"{SKILL} against none"
    assert (design.unit, design.n, design.repeats, design.comparisons) == ("task", 10, 2, 1)
    assert design.spread == pytest.approx(math.sqrt(total))
    assert design.noise == pytest.approx(0.04)
    assert design.between == pytest.approx(total - 0.04 / 2)
    assert not design.alone


def test_more_repeats_shrink_the_noise_alone(tmp_path: Path) -> None:
    (design,) = found(tmp_path, scores(lifted))
    between = 0.04 * 10 / 9 - 0.02
    for repeats in (1, 3, 10):
        spread = math.sqrt(between + 0.04 / repeats)
        assert design.needs(0.1, 1, repeats) == tasks_needed(0.1 / spread)
    assert design.needs(0.1, 1) == design.needs(0.1, 1, 2)
    # half a deviation takes 34 pairs, as in any table of the paired t test
    assert design.needs(math.sqrt(0.04 * 10 / 9) / 2, 1) == 34


def test_what_the_plan_finds_is_in_the_unit_of_the_score(tmp_path: Path) -> None:
    (design,) = found(tmp_path, scores(lifted))
    reach = detectable_mean(10)
    assert isinstance(reach, float)
    assert design.finds(1) == pytest.approx(reach * math.sqrt(0.04 * 10 / 9))
    assert isinstance(found(tmp_path, scores(lifted, tasks=5))[0].finds(1), CannotTell)


def test_noise_beyond_what_was_seen_leaves_no_variance_between(tmp_path: Path) -> None:
    (design,) = found(tmp_path, scores(lambda a, t, r: 0.5 + 0.4 * (-1) ** (r + t * (a != "none"))))
    assert design.between == 0


def test_each_arm_is_one_comparison_of_the_table(tmp_path: Path) -> None:
    arms = ("none", SKILL, "local:own", "a/b@c")
    both = found(tmp_path, scores(lifted, arms=arms))
    assert [design.comparisons for design in both] == [3, 3, 3]
    assert [both[0].suffices(size) for size in (1, 2, 3, 4, 6, 7)] == [6, 7, 7, 8, 8, 9]
    more, one = both[0].needs(0.1, 3), both[0].needs(0.1, 1)
    assert isinstance(more, int)
    assert isinstance(one, int)
    assert more > one


def test_single_repeats_do_not_tell_what_more_are_worth(tmp_path: Path) -> None:
    (design,) = found(tmp_path, scores(lifted, repeats=1))
    assert (design.noise, design.between) == (None, None)
    assert isinstance(design.needs(0.1, 1, 3), CannotTell)
    assert isinstance(design.needs(0.1, 1), int)


def test_rows_that_all_agree_show_no_spread(tmp_path: Path) -> None:
    (design,) = found(tmp_path, scores(lambda *_: 0.5))
    assert design.spread == CannotTell("no spread was seen")
    assert design.finds(1) == design.needs(0.1, 1) == CannotTell("no spread was seen")


def test_the_plan_of_the_rows_counts_not_what_came_of_it(tmp_path: Path) -> None:
    rows = scores(lifted, tasks=12)
    rows = [lost(row) if row["task_id"] in {"task-11", "task-12"} else row for row in rows]
    (design,) = found(tmp_path, rows)
    assert design.n == 12
    assert design.spread == pytest.approx(math.sqrt(0.04 * 10 / 9))


def test_one_arm_alone_gives_the_noise_of_two(tmp_path: Path) -> None:
    (design,) = found(tmp_path, scores(lifted, arms=("none",)))
    assert design.alone
    assert design.between == 0.0
    assert design.noise == pytest.approx(0.04)
    assert design.needs(0.1, 1) == tasks_needed(0.1 / math.sqrt(0.02))


def test_rows_without_a_value_cannot_tell(tmp_path: Path) -> None:
    (design,) = found(tmp_path, rubric_plan()[:6] + rubric_plan()[6:])
    assert isinstance(design.spread, CannotTell)


def test_amounts_are_planned_by_their_logarithms(tmp_path: Path) -> None:
    rows = scores(lifted)
    for row in rows:
        task = int(row["task_id"].removeprefix("task-"))
        factor = 2.0 if row["arm"] != "none" and task % 2 else 1.0
        row["total_cost_usd"] = task * factor
    (design,) = found(tmp_path, rows, "cost")
    total = (math.log(2) / 2) ** 2 * 10 / 9
    assert (design.ratio, design.noise) == (True, 0.0)
    assert design.spread == pytest.approx(math.sqrt(total))
    reach = detectable_mean(10)
    assert isinstance(reach, float)
    assert design.finds(1) == pytest.approx(math.exp(reach * math.sqrt(total)) - 1)
    assert design.needs(0.5, 1) == tasks_needed(math.log(1.5) / math.sqrt(total))


def test_an_amount_of_0_has_no_ratio(tmp_path: Path) -> None:
    rows = scores(lifted)
    rows[0]["total_cost_usd"] = 0.0
    (design,) = found(tmp_path, rows, "cost")
    assert isinstance(design.spread, CannotTell)
    assert design.spread.reason.startswith("an amount of 0 has no ratio")


def test_runs_of_one_task_are_a_side_each(tmp_path: Path) -> None:
    totals = [10_000, 20_000, 40_000]
    (design,) = found(tmp_path, attempts(0, totals))
    assert (design.unit, design.n, design.repeats) == ("run", 3, None)
    spread = math.log(2)
    assert design.spread == pytest.approx(spread)
    assert design.needs(0.5, 1) == values_needed(math.log(1.5) / spread)
    assert design.finds(1) == detectable_shift(3, 3)
    assert [design.suffices(size) for size in (1, 2)] == [4, 5]


def test_runs_that_rank_worst_are_counted_and_have_no_spread(tmp_path: Path) -> None:
    rows = attempts(0, [10_000, 20_000, 40_000, 30_000])
    rows[3] |= {
        "outcome": "partial",
        "stop_reason": "step_limit",
        "failure_category": "step_limit",
    }
    (design,) = found(tmp_path, rows)
    assert (design.n, design.worst) == (4, 1)
    assert design.spread == pytest.approx(math.log(2))


def test_lanes_are_compared_inside_each_task(tmp_path: Path) -> None:
    turns = [5, 6, 7]
    rows = lanes({name: {"t1": turns, "t2": turns} for name in ("aster", "birch", "cedar")})
    made = found(tmp_path, rows, "wall")
    assert [design.label.split()[:2] for design in made] == [
        [task, lane] for task in ("t1", "t2") for lane in ("aster", "birch", "cedar")
    ]
    assert {design.comparisons for design in made} == {2}


def test_what_only_an_effect_beyond_the_metric_would_show_finds_nothing(tmp_path: Path) -> None:
    def opposed(arm: str, task: int, _: int) -> float:
        return float((task + (arm != "none")) % 2)

    (design,) = found(tmp_path, scores(opposed, tasks=6))
    assert isinstance(design.spread, float)
    assert design.finds(1) == CannotTell("nothing: score spans 1")
