"""The values of a field in order: numbers in text are read by their size."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchdata.comparisons.axes import in_order


@pytest.mark.parametrize(
    "ordered",
    [
        ["1.9.0", "1.10.0", "1.10.1", "2.0"],
        ["v2", "v10", "v10-rc1"],
        ["01", "1", "2", "a", "a2", "a10", "b"],
        ["9" * 5_000, "1" + "0" * 5_000],
        [False, 2, 9.5, 10, "2", "10", None],
        ["a/b@c", "local:a", "none"],
    ],
)
def test_digits_are_numbers_and_all_else_is_text(ordered: list[Any]) -> None:
    shuffled = list(ordered)
    random.Random(3).shuffle(shuffled)
    assert in_order(set(shuffled)) == ordered
