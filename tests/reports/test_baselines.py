"""Rank ranges under each model, and whether the order of lanes holds under two."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchdata
from benchdata.reports.baselines import Baseline, Order, names, orders
from benchdata.reports.scores import scores
from benchdata.stats.scoring import preset
from benchdata.stats.trends import Trend
from tests.support.cross_lanes import MIDDLE, ONE, QUICK, SLOW, TWO, two_models, under
from tests.support.drawn import Row, write

SAME = {"aster": QUICK, "birch": MIDDLE, "nestjs": SLOW}


def baselines(folder: Path, rows: list[Row]) -> tuple[Baseline, ...]:
    dataset = benchdata.open(write(folder / "rows.ndjson", rows))
    return scores(dataset, preset("default")).baselines


def order(folder: Path, rows: list[Row]) -> Order:
    (found,) = orders(baselines(folder, rows))
    return found


def test_an_order_holds_when_every_pair_is_shown_one_way_in_both(tmp_path: Path) -> None:
    found = order(tmp_path, two_models(SAME))
    assert (found.word, found.agreed, found.pairs) == ("holds", 3, 3)
    assert found.differing == ("agent",)
    assert found.statistic == (
        "3 of 3 pairs shown one way in both; Kendall's tau of 3 lanes 1, p 0.33 (the smallest that"
        " so many reach: 0.33)"
    )


@pytest.mark.slow
def test_a_pair_shown_both_ways_ends_an_order(tmp_path: Path) -> None:
    found = order(tmp_path, two_models({"aster": MIDDLE, "birch": QUICK, "nestjs": SLOW}))
    assert (found.word, found.agreed) == ("does not hold", 2)
    assert found.opposed == ("birch against aster: worse under the first, better under the second",)
    assert isinstance(found.trend, Trend)
    assert found.trend.tau == pytest.approx(1 / 3)


@pytest.mark.slow
def test_a_pair_that_is_not_shown_leaves_an_order_open(tmp_path: Path) -> None:
    found = order(tmp_path, two_models({"aster": QUICK, "birch": range(5, 11), "nestjs": SLOW}))
    assert (found.word, found.agreed, found.opposed) == ("cannot tell", 2, ())


def test_two_repeats_show_no_order(tmp_path: Path) -> None:
    few = {lane: turns[:2] for lane, turns in SAME.items()}
    found = order(tmp_path, [*under(ONE, few, 0), *under(TWO, few, 1000)])
    assert (found.word, found.agreed) == ("cannot tell", 0)


@pytest.mark.slow
def test_rows_that_measure_nothing_say_nothing_of_an_order(tmp_path: Path) -> None:
    found = order(tmp_path, two_models(SAME, endpoint="stand_in"))
    assert found.word == "none (pipeline proof)"


@pytest.mark.slow
def test_a_lane_of_another_version_or_suite_is_another_lane(tmp_path: Path) -> None:
    other = {"aster": {"framework_version": "9.9.9"}, "birch": {"suite_digest": "9" * 64}}
    second = [row | other.get(row["lane"], {}) for row in under(TWO, SAME, 1000)]
    found = order(tmp_path, [*under(ONE, SAME, 0), *second])
    assert (found.lanes, found.word) == (1, "cannot tell: 1 lane the same under both")


@pytest.mark.slow
def test_only_models_under_the_same_pins_are_compared(tmp_path: Path) -> None:
    found = baselines(
        tmp_path, [*under(ONE, SAME, 0), *under(TWO, SAME, 1000, variant="hardening")]
    )
    assert len(found) == 2
    assert orders(found) == ()
    assert names([each.fields for each in found]) == (ONE["model"], TWO["model"])


@pytest.mark.slow
def test_variants_of_one_model_are_told_apart(tmp_path: Path) -> None:
    rows = [*under(ONE, SAME, 0), *under(ONE, SAME, 1000, variant="hardening")]
    found = baselines(tmp_path, rows)
    assert names([each.fields for each in found]) == (
        f"{ONE['model']}, variant context",
        f"{ONE['model']}, variant hardening",
    )


@pytest.mark.slow
def test_lanes_judged_by_other_suites_are_not_ranked(tmp_path: Path) -> None:
    rows = under(ONE, SAME, 0)
    for row in rows:
        if row["lane"] == "nestjs":
            row["suite_digest"] = "9" * 64
    (found,) = baselines(tmp_path, rows)
    assert [str(each) for each in found.ranking.ranges] == ["1 to 2", "2 to 3", "1 to 3"]
