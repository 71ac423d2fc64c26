"""Mutated rows of the shipped contracts: the check that fails first is the one reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdata.contracts.columns import unwrap
from benchdata.contracts.fields import declared
from tests.support.faults import order
from tests.support.junk import check, mutate
from tests.support.shipped import SHIPPED, Shipped
from tests.support.trees import changed


def choices(shipped: Shipped) -> list[str]:
    """Return every text that an enumeration of the contract holds."""
    bases = (unwrap(declared(info))[0] for info in shipped.contract.newest.model_fields.values())
    return [value for base in bases for value in get_args(base) if isinstance(value, str)]


@st.composite
def mutated(
    draw: st.DrawFn, starts: Sequence[dict[str, Any]], values: Sequence[str]
) -> dict[str, Any]:
    """Draw one of `starts` with up to two mutations."""
    row = changed(draw(st.sampled_from(starts)), {})
    for _ in range(draw(st.integers(0, 2))):
        mutate(draw, row, values)
    return row


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda shipped: shipped.name)
def test_the_first_fault_of_a_mutated_row_is_reported(shipped: Shipped) -> None:
    values, seen = choices(shipped), Counter[int | None]()

    def run(starts: Sequence[dict[str, Any]], examples: int) -> None:
        @settings(
            max_examples=examples,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(mutated(starts, values))
        def hold(row: dict[str, Any]) -> None:
            seen[check(shipped.contract, row)] += 1

        hold()

    run(shipped.rows, 200)
    for case in shipped.breaks:
        run([changed(shipped.valid_row({}), changes) for changes in case.ways], 12)
    declared = order(shipped.contract, 1)
    assert [one for place, one in enumerate(declared) if not seen[place]] == []
    assert seen[None] >= 20
