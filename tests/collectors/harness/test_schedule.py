"""The order of execution: seeded, whatever the order of the input; arms interleaved, balanced."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection
from itertools import product

import pytest
from scipy.stats import chi2

from benchdata.errors import BenchdataError
from collectors.harness.schedule import Cell, interleaved

ARMS = ("none", "acme/a@x", "acme/b@y")
TASKS = tuple(f"task-{number}" for number in range(7))
REPEATS = 4
# Worked out by hand from the first draws of seed 42: .639 .025 .275 .223 for the four blocks, then
# .736 .677 .892 .087 and so on for the arms of each.
OF_SEED_42 = [
    *(("a", 2, "skill"), ("a", 2, "none"), ("b", 2, "skill"), ("b", 2, "none")),
    *(("b", 1, "skill"), ("b", 1, "none"), ("a", 1, "none"), ("a", 1, "skill")),
]


def blocks(cells: Collection[Cell]) -> list[list[Cell]]:
    """Return the cells in runs of as many as there are arms."""
    listed = list(cells)
    return [listed[at : at + len(ARMS)] for at in range(0, len(listed), len(ARMS))]


def test_every_cell_is_there_once_and_numbered_in_order() -> None:
    cells = interleaved(ARMS, TASKS, REPEATS, 1)
    wanted = set(product(ARMS, TASKS, range(1, REPEATS + 1)))
    assert {(cell.arm, cell.task, cell.repeat) for cell in cells} == wanted
    assert [cell.position for cell in cells] == list(range(len(wanted)))


def test_the_order_of_the_input_changes_nothing() -> None:
    wanted = interleaved(ARMS, TASKS, REPEATS, 7)
    draw = random.Random(3)
    for _ in range(10):
        arms, tasks = list(ARMS), list(TASKS)
        draw.shuffle(arms)
        draw.shuffle(tasks)
        assert interleaved(arms, tasks, REPEATS, 7) == wanted
    assert interleaved(frozenset(ARMS), set(TASKS), REPEATS, 7) == wanted


def test_the_order_of_a_seed_is_the_same_for_ever() -> None:
    cells = interleaved(("none", "skill"), ("a", "b"), 2, 42)
    assert [(cell.task, cell.repeat, cell.arm) for cell in cells] == OF_SEED_42


def test_another_seed_gives_another_order() -> None:
    assert len({interleaved(ARMS, TASKS, REPEATS, seed) for seed in range(50)}) == 50


def test_each_block_is_all_arms_on_one_task_and_repeat() -> None:
    for seed in range(20):
        for block in blocks(interleaved(ARMS, TASKS, REPEATS, seed)):
            assert {cell.arm for cell in block} == set(ARMS)
            assert len({(cell.task, cell.repeat) for cell in block}) == 1


def test_no_arm_prefers_a_place_in_its_block() -> None:
    seeds = 100
    places = Counter(
        (cell.arm, place)
        for seed in range(seeds)
        for block in blocks(interleaved(ARMS, TASKS, REPEATS, seed))
        for place, cell in enumerate(block)
    )
    expected = seeds * len(TASKS) * REPEATS / len(ARMS)
    statistic = sum((count - expected) ** 2 / expected for count in places.values())
    assert len(places) == len(ARMS) ** 2
    assert chi2.sf(statistic, (len(ARMS) - 1) ** 2) > 0.001


def test_no_block_prefers_a_place_in_the_order() -> None:
    seeds = 400
    first = Counter(interleaved(ARMS, TASKS, REPEATS, seed)[0].task for seed in range(seeds))
    expected = seeds / len(TASKS)
    statistic = sum((first[task] - expected) ** 2 / expected for task in TASKS)
    assert chi2.sf(statistic, len(TASKS) - 1) > 0.001


@pytest.mark.parametrize(
    ("arms", "tasks", "repeats", "words"),
    [
        ((), TASKS, 1, "has no arm"),
        (ARMS, (), 1, "has no task"),
        (("a", "b", "a"), TASKS, 1, "the arm a is named twice"),
        (ARMS, ("t", "t"), 1, "the task t is named twice"),
        (ARMS, TASKS, 0, "the number of repeats is 0"),
    ],
)
def test_what_is_no_experiment_is_refused(
    arms: tuple[str, ...], tasks: tuple[str, ...], repeats: int, words: str
) -> None:
    with pytest.raises(BenchdataError, match=words):
        interleaved(arms, tasks, repeats, 1)
