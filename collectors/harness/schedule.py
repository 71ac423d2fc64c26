"""What is executed and in which order: cells in a seeded order with the arms interleaved."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from itertools import product

from benchdata.errors import BenchdataError

SEED_BITS = 32


@dataclass(frozen=True, slots=True)
class Cell:
    """One arm on one task for the `repeat`-th time, counted from 1; `position` is from 0."""

    arm: str
    task: str
    repeat: int
    position: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """One execution of a cell: the id of its row, when it began, and the lost run it repeats."""

    run_id: str
    position: int
    begun_at: str
    retry_of: str | None


def interleaved(
    arms: Collection[str], tasks: Collection[str], repeats: int, seed: int
) -> tuple[Cell, ...]:
    """Return every cell, block by block: one task, one repeat, all arms.

    What changes with time, such as the load of an API, so meets all arms of a block alike. The
    blocks are in seeded order, and the arms in each block are; how the arguments are ordered
    changes nothing. The only draws are those of `random.Random(seed).random()`, which Python keeps
    the same in every version.

    Raises:
        BenchdataError: There are no arms, tasks or repeats, or one is named twice.
    """
    for noun, names in (("arm", arms), ("task", tasks)):
        if not names:
            raise BenchdataError(f"the experiment has no {noun}; name at least one")
        if len(set(names)) < len(names):
            twice = next(name for name in sorted(names) if list(names).count(name) > 1)
            raise BenchdataError(f"the {noun} {twice} is named twice; name each once")
    if repeats < 1:
        raise BenchdataError(f"the number of repeats is {repeats}; it must be 1 or more")
    draw = random.Random(seed).random
    blocks = product(sorted(tasks), range(1, repeats + 1))
    order = (
        (arm, task, repeat)
        for task, repeat in sorted(blocks, key=lambda _: draw())
        for arm in sorted(sorted(arms), key=lambda _: draw())
    )
    return tuple(Cell(*cell, position) for position, cell in enumerate(order))
