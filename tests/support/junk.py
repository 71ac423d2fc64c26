"""Rows mutated as values, hypothesis choosing how, and what must hold of every one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from benchdata.contracts.base import Contract
from tests.support.faults import error_of, first_fault

CANARY = "Canary7f3a"
CANARY_NUMBER = 7340033551


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([0, 1, -1, CANARY_NUMBER, 2**53 - 1, 2**53, 4.0, 0.5]),
    st.floats(),
    st.sampled_from([CANARY, f" {CANARY}", f"/{CANARY}", f"{CANARY}\ud800", f"\x00{CANARY}", ""]),
    st.text(max_size=20).map(lambda text: CANARY + text),
    st.recursive(
        st.sampled_from([CANARY, CANARY_NUMBER, None]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
        max_leaves=5,
    ),
)
KEYS = st.sampled_from(["extra", "Cookie", "local_path", "TOKEN", "media", "total", "region", ""])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside `value`."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def nudged(value: Any) -> st.SearchStrategy[Any]:
    """Return values that are near `value` or look like it."""
    if isinstance(value, bool) or value is None:
        return JUNK
    if isinstance(value, int):
        steps = st.sampled_from([-100001, -1001, -1000, -2, -1, 1, 2, 999, 1000, 1001, 100001])
        return steps.map(lambda step: value + step) | st.just(float(value)) | st.just(str(value))
    if isinstance(value, str):
        return st.sampled_from(
            [value.upper(), f" {value}", f"{value}\n", value[:-1], value * 5, f"{value}{CANARY}"]
        )
    return JUNK


def mutate(draw: st.DrawFn, row: dict[str, Any], choices: Sequence[str]) -> None:
    """Change one value or key of `row` in place; `choices` are values that enumerations have."""
    *owners, key = draw(st.sampled_from(list(places(row))))
    place: Any = row
    for owner in owners:
        place = place[owner]
    match draw(st.sampled_from(["junk", "nudge", "nudge", "choice", "remove", "add", "swap"])):
        case "junk":
            place[key] = draw(JUNK)
        case "nudge":
            place[key] = draw(nudged(place[key]))
        case "choice":
            place[key] = draw(st.sampled_from(choices))
        case "remove":
            del place[key]
        case "add" if isinstance(place, dict):
            place[draw(KEYS)] = draw(JUNK)
        case _:
            # never what holds the place: it would come to hold itself
            other = draw(st.sampled_from([name for name in row if name not in owners[:1]]))
            row[other], place[key] = place[key], row[other]


def check(contract: Contract, row: dict[str, Any]) -> int | None:
    """Validate a mutated row, hold every promise about it, return the place of its fault."""
    fault = first_fault(contract, row)
    error = error_of(contract, row)
    if error is None:
        assert fault is None
        normal = contract.validate(row)
        assert json.dumps(contract.validate(normal)) == json.dumps(normal)
        return None
    assert fault is not None
    assert error.path == fault.error.path
    assert fault.error.message in {"", error.message}
    assert 0 < len(error.message) <= 300
    assert len(error.path) <= 120
    assert CANARY not in error.message
    assert str(CANARY_NUMBER) not in error.message
    return fault.place
