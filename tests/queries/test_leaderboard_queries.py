"""The named queries of leaderboards and histories: what plain Python counts from the rows."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata import queries
from benchdata.dataset import Dataset
from tests.support.drawn import write
from tests.support.queried import ARMED, opened, trials
from tests.support.releases import FAST, SLOW, release

Arm = tuple[str, str]  # group, arm


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return opened(tmp_path_factory.mktemp("rows"), trials(), ARMED["trial"].contract)


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    rows = [*release("b", SLOW, 3), *release("a", FAST, 9)]
    return benchdata.open(write(tmp_path_factory.mktemp("rows") / "rows.ndjson", rows))


def arm(row: dict[str, Any]) -> Arm:
    return f"G{int(row['study'][-1]) + 1}", f'["{row["arm"]}"]'


def means(name: str) -> dict[Arm, dict[str, list[float]]]:
    """Return the means of a field over repeats, by arm and task."""
    cells: dict[Arm, dict[str, dict[int, list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for row in trials():
        if row["outcome"] != "infrastructure" and row[name] is not None:
            cells[arm(row)][row["task_id"]][row["repeat"]].append(float(row[name]))
    return {
        who: {task: [sum(v) / len(v) for v in repeats.values()] for task, repeats in tasks.items()}
        for who, tasks in cells.items()
    }


def test_the_leaderboard_is_the_mean_of_task_means(dataset: Dataset) -> None:
    found = dataset.sql(queries.text("leaderboard")).filter(metric="score")
    lines = found.select("group_id", "row_arm", "tasks", "mean").rows()
    expected = []
    for who, tasks in sorted(means("score").items()):
        of_tasks = [sum(values) / len(values) for values in tasks.values()]
        expected.append((*who, len(tasks), pytest.approx(sum(of_tasks) / len(tasks))))
    assert lines == expected


def test_every_task_of_every_arm_is_counted(dataset: Dataset) -> None:
    found = dataset.sql(queries.text("per_task"))
    expected: Counter[tuple[str, ...]] = Counter()
    for row in trials():
        key = (*arm(row), row["task_id"])
        expected[*key, "runs"] += 1
        expected[*key, "scored"] += row["outcome"] != "infrastructure"
        expected[*key, "succeeded"] += row["passed"] is True
    passed = means("passed")
    for line in found.iter_rows(named=True):
        key = (line["group_id"], line["row_arm"], line["row_task"])
        for name in ("runs", "scored", "succeeded"):
            assert line[name] == expected[*key, name]
        of_task = passed[key[0], key[1]].get(key[2])
        assert line["mean"] == (of_task and pytest.approx(sum(of_task) / len(of_task)))
    assert sum(line["runs"] for line in found.iter_rows(named=True)) == 72


def test_exclusions_are_all_rows_that_are_no_success(dataset: Dataset) -> None:
    found = dataset.sql(queries.text("exclusions"))
    lost = found.filter(outcome="unscored")
    expected = Counter(arm(row) for row in trials() if row["outcome"] == "infrastructure")
    assert {(g, a): n for g, a, n in lost.select("group_id", "row_arm", "n").rows()} == expected
    assert set(lost["reason"]) == {"infrastructure"}
    assert found["n"].sum() == sum(row["passed"] is not True for row in trials())


def test_tokens_and_time_are_totals_and_means_of_scored_rows(dataset: Dataset) -> None:
    found = dataset.sql(queries.text("tokens_time")).filter(metric="wall")
    walls: dict[Arm, list[float]] = defaultdict(list)
    for row in trials():
        if row["outcome"] != "infrastructure":
            walls[arm(row)].append(row["wall_s"])
    for line in found.iter_rows(named=True):
        values = walls.pop((line["group_id"], line["row_arm"]))
        assert line["n"] == len(values)
        assert line["total"] == pytest.approx(sum(values))
        assert line["mean"] == pytest.approx(sum(values) / len(values))
        assert line["p50"] == sorted(values)[math.ceil(len(values) / 2) - 1]
        assert line["maximum"] == max(values)
    assert not walls
    assert "score" not in set(dataset.sql(queries.text("tokens_time"))["metric"])


def test_history_goes_from_release_to_release_in_order_of_start(releases: Dataset) -> None:
    found = releases.sql(queries.text("history")).filter(metric="total")
    lines = found.select("row_followed", "n", "p25", "p50", "p75").rows()
    assert lines == [
        ("b" * 40, 5, 22000, 24000, 25000),
        ("a" * 40, 5, 11000, 12000, 13000),
    ]
    assert found["first_start"].is_sorted()


def test_variance_is_ratios_by_nearest_rank_and_none_over_zero(tmp_path: Path) -> None:
    rows = release("a", FAST, 2)
    for row, media in zip(rows, [0, 0, 3, 6, 9], strict=True):
        row["timing_ms"]["media"] = media
    dataset = benchdata.open(write(tmp_path / "rows.ndjson", rows))
    found = dataset.sql(queries.text("variance"))
    columns = ("n", "minimum", "p25", "p75", "maximum", "p75_over_p25", "max_over_min")
    total = found.filter(metric="total").select(columns).row(0)
    assert total == (5, 10000, 11000, 13000, 14000, 13 / 11, 1.4)
    assert found.filter(metric="media").select(columns).row(0) == (5, 0, 0, 6, 9, None, None)
