"""The named queries of arms and tasks: their answers are what plain Python counts from the rows."""

from __future__ import annotations

from collections import defaultdict

import pytest

from benchdata import queries
from benchdata.dataset import Dataset
from tests.support.queried import ARMED, opened, trials

Key = tuple[str, str, str]  # study, arm, task


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return opened(tmp_path_factory.mktemp("rows"), trials(), ARMED["trial"].contract)


def cells() -> dict[Key, dict[int, list[float]]]:
    """Return the scores by study, arm, task and repeat."""
    found: dict[Key, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in trials():
        if row["score"] is not None:
            key = (row["study"], row["arm"], row["task_id"])
            found[key][row["repeat"]].append(row["score"])
    return found


def means() -> dict[Key, tuple[int, float]]:
    """Return how many repeats each cell has and their mean."""
    return {
        key: (len(repeats), sum(sum(v) / len(v) for v in repeats.values()) / len(repeats))
        for key, repeats in cells().items()
    }


def test_cells_are_all_rows_with_their_place_in_the_plan(dataset: Dataset) -> None:
    found = dataset.sql(queries.text("cells")).filter(metric="score")
    by_id = {row["trial_id"]: row for row in trials()}
    assert found.height == len(by_id) == 72
    for line in found.iter_rows(named=True):
        row = by_id[line["row_id"]]
        assert line["row_arm"] == f'["{row["arm"]}"]'
        assert (line["row_task"], line["row_repeat"]) == (row["task_id"], str(row["repeat"]))
        assert (line["row_planned_tasks"], line["row_planned_repeats"]) == (32, 3)
        assert line["row_batch"] is None
        assert line["value"] == row["score"]
        assert (line["row_result"] == "unscored") == (row["score"] is None)


def test_task_means_average_repeats_first(dataset: Dataset) -> None:
    found = dataset.sql(queries.text("task_means")).filter(metric="score")
    lines = found.select("group_id", "row_arm", "row_task", "repeats", "mean").rows()
    expected = [
        (f"G{int(study[-1]) + 1}", f'["{arm}"]', task, n, pytest.approx(mean))
        for (study, arm, task), (n, mean) in sorted(means().items())
    ]
    assert lines == expected


def test_paired_joins_each_arm_to_the_baseline_of_its_group(dataset: Dataset) -> None:
    found = dataset.sql(queries.text("paired")).filter(metric="score")
    known = means()
    expected = [
        (f"G{int(study[-1]) + 1}", task, pytest.approx(mean - known[study, "none", task][1]))
        for (study, arm, task), (_, mean) in sorted(known.items())
        if arm == "curated" and (study, "none", task) in known
    ]
    assert found.select("group_id", "row_task", "difference").rows() == expected
    assert expected
