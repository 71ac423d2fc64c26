"""Rows read in columns and rows read one by one: the same verdicts, faults, values and numbers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchdata.contracts import Contract
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import RowError
from benchdata.rows import sources
from benchdata.rows.proof import layout, walking
from benchdata.rows.strict_json import decode
from tests.support.drawn import drawn
from tests.support.faults import first_fault, order
from tests.support.jev_social import failed_row, valid_row
from tests.support.jev_social_breaks import BREAKS
from tests.support.mutations import STYLES, mutated, restyled
from tests.support.probe import PROBE, probe_row
from tests.support.proofs import NOTED, agreed, noted, unproven
from tests.support.shipped import SHIPPED, Shipped
from tests.support.trees import GONE, Changes, changed

ODD: dict[str, tuple[Any, ...]] = {
    "id": ("", "a b", 5),
    "seq": (-6, 1.0, None),
    "wide": (2**53, 1.5, True),
    "ratio": (0, 2, "1"),
    "bare": (2**53, None, False),
    "level": (10, -1, 1.0),
    "note": ("x" * 61, "", 7, "see /" + "etc/passwd"),
    "code": ("a", "zz", None),
    "flag": (0, "true", []),
    "at": ("2026-02-30T00:00:00Z", "", 5, "2026-03-02T09:59:59.000Z"),
    "done": (None, "2026-03-02T24:00:00.000Z"),
    "spent": ([], {"ms": 1, "cost": 1}, {"ms": -1, "cost": 1, "by": "x"}),
    "named": (None, {"first": "a"}, {"first": "a", "last": "q"}, {"first": "z", "last": "x"}),
    "tags": (["a b"], [1], "t"),
    "marks": ([1] * 5, [0.5], None),
    "times": ([None], ["1"], [[1]]),
    "flags": ([1], [None], {}),
    "steps": ([{}], [{"name": "a", "ms": 1, "share": 2, "ok": True}], [1]),
    "Token": (1,),
    "extra": (1,),
}
STEP = {"name": "a", "ms": None, "share": 1, "ok": False}
NOTED_BREAKS: tuple[Changes, ...] = (
    *({name: value} for name, values in ODD.items() for value in values),
    {"tags": GONE},
    {"seq": 100_001, "level": 1},
    {"marks": [1001], "ratio": 1.5},
    {"spent": {"ms": 90_000, "cost": None, "by": "me"}},
    {"steps": [STEP] * 6},
)


class Case(NamedTuple):
    """A contract, valid rows of it, and changes that break one check each."""

    contract: Contract
    rows: Callable[[], list[dict[str, Any]]]
    breaks: tuple[Changes, ...]


@cache
def social_rows() -> list[dict[str, Any]]:
    """Return rows of both versions."""
    made = [valid_row(), valid_row(1), failed_row(), failed_row(1), valid_row(region=" Lab ")]
    return made + drawn([20] * 6) + drawn([15] * 6, schema_version=1)


def _case(shipped: Shipped) -> Case:
    """Return the case of a shipped contract of one version."""
    ways = tuple(way for one in shipped.breaks for way in one.ways)
    rows = cache(lambda: [*shipped.rows, *map(shipped.numbered_row, range(60))])
    return Case(shipped.contract, rows, ways)


CASES = {
    "jev-social": Case(JEV_SOCIAL, social_rows, tuple(way for one in BREAKS for way in one.ways)),
    "noted": Case(NOTED, lambda: [noted(seq) for seq in range(200)], NOTED_BREAKS),
    "probe": Case(PROBE, lambda: [probe_row(seq) for seq in range(200)], ()),
    **{shipped.name: _case(shipped) for shipped in SHIPPED},
}


def mutations(case: Case, seed: int, count: int) -> tuple[bytes, list[bytes]]:
    """Return a file of mutated lines of a style or two, the first of them valid, and its lines."""
    draw = random.Random(seed)
    styles = draw.sample(STYLES, draw.choice([1, 1, 2]))
    rows = case.rows()
    made = [restyled(draw, rows[0], styles).encode()]
    while len(made) < count:
        row = draw.choice(rows)
        if case.breaks and draw.random() < 0.3:
            made.append(restyled(draw, broken(draw, case), styles).encode())
        else:
            made.append(mutated(draw, restyled(draw, row, styles), rows))
    end = draw.choice([b"\n", b"\r\n"])
    return end.join(made) + end * draw.randrange(2), made


def broken(draw: random.Random, case: Case) -> dict[str, Any]:
    """Return a row that breaks a check, unless the way of breaking it needs another kind of row."""
    base = draw.choice(case.rows()) if case.contract is NOTED else case.rows()[0]
    return changed(base, draw.choice(case.breaks))


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
@pytest.mark.parametrize("name", CASES)
def test_mutated_lines_are_read_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, seed: int
) -> None:
    data, _ = mutations(CASES[name], seed, 700)
    monkeypatch.setattr(sources, "BLOCK", (40_000, 4 << 20, 150_000)[seed])
    for module in (layout, walking):
        monkeypatch.setattr(module, "NEAR", (1 << 11, 3, 50)[seed])
    told = agreed(tmp_path / "rows.ndjson", data, CASES[name].contract)
    assert told.rows > 100
    assert len(told.faults) > 100
    # the comparison is of two ways: at least half of the valid rows went by columns
    assert len(unproven(data, CASES[name].contract)) < 700 - told.rows / 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "files"),
    [
        *(("jev-social", 50), ("noted", 20), ("probe", 10)),
        *((shipped.name, 15) for shipped in SHIPPED),
    ],
)
def test_many_mutated_lines_are_read_alike(tmp_path: Path, name: str, files: int) -> None:
    case = CASES[name]
    first: Counter[object] = Counter()
    for seed in range(100, 100 + files):
        data, lines = mutations(case, seed, 2_200)
        agreed(tmp_path / "rows.ndjson", data, case.contract)
        for line in lines:
            first[first_failing(case.contract, line)] += 1
    assert sum(first.values()) >= 2_200 * files
    declared = {
        check for version in case.contract.models for check in order(case.contract, version)
    }
    if case.breaks:
        assert {check for check in declared if first[check] < 20} == set()


def first_failing(contract: Contract, line: bytes) -> object:
    """Return the check that a line fails first, None when it fails none that is declared."""
    try:
        row = decode(line)
    except RowError:
        return "strict JSON"
    fault = first_fault(contract, row)
    if fault is None:
        return None
    version = row.get("schema_version") if isinstance(row, dict) else None
    known = version if type(version) is int and version in contract.models else max(contract.models)
    return order(contract, known)[fault.place]
