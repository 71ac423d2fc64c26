"""What a ready group can show: each number of the sentences, against values worked out by hand."""

from __future__ import annotations

import pytest

from benchdata.gates import reach


@pytest.mark.parametrize(
    ("n", "failed", "allows", "hidden"),
    [
        # Wilson's end of 0 of n: z^2 / (n + z^2); Fisher's p of 0 and f: 2 C(n, f) / C(2n, f)
        (3, 0, "0 failures of 3 still allows 56%", "0 against 3 failures is p 0.10"),
        (10, 0, "0 failures of 10 still allows 28%", "0 against 4 failures is p 0.087"),
        (19, 1, "1 failure of 19 still allows 25%", "0 against 4 failures is p 0.11"),
        (20, 0, "0 failures of 20 still allows 16%", "0 against 4 failures is p 0.11"),
    ],
)
def test_rows(n: int, failed: int, allows: str, hidden: str) -> None:
    (words,) = reach.of_rows(n, failed)
    maximum = [f"p95 of {n} is the maximum"] if n < 20 else []
    said = "; ".join((allows, *maximum, hidden))
    assert words == f"READY allows publication, not comparison: {said}"


def test_no_row_shows_nothing() -> None:
    assert list(reach.of_rows(0, 0)) == []


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        (6, "reach p 0.031 only when all of them move one way, and never for 2 comparisons"),
        (7, "reach p 0.016 only when all of them move one way, and never for 4 comparisons"),
        (9, "reach p 0.0039 only when all of them move one way"),
    ],
)
def test_tasks(tasks: int, said: str) -> None:
    (words,) = reach.of_tasks(tasks, 1)
    assert words.startswith(f"READY allows publication, not a verdict: {tasks} tasks {said}")
    assert ("never" in words) is (tasks < 8)


@pytest.mark.parametrize(("tasks", "comparisons", "told"), [(6, 2, 1), (7, 3, 0), (7, 4, 1)])
def test_a_table_beyond_reach_is_told(tasks: int, comparisons: int, told: int) -> None:
    more = list(reach.of_tasks(tasks, comparisons))[1:]
    assert more == [f"{comparisons} comparisons here: every one is `cannot tell`"] * told
