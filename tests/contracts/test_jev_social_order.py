"""A Jev Social row with several faults reports the one that the protocol checks first."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest

from benchdata.contracts.checks import Field, Rule
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import RowError
from tests.support.breaks import Break
from tests.support.faults import error_of, first_fault, order
from tests.support.jev_social import valid_row
from tests.support.jev_social_breaks import BOTH, BREAKS, CONTRADICTIONS
from tests.support.trees import Changes, changed, overlap


def said(changes: Changes, version: int = 2) -> tuple[str, str]:
    """Return path and message of the error that a changed valid row reports."""
    error = error_of(JEV_SOCIAL, changed(valid_row(version), changes))
    assert isinstance(error, RowError), "the row is valid"
    return error.path, error.message


def together(first: Break, second: Break) -> Changes | None:
    """Return changes that break both checks, None when they touch the same values."""
    if (both := BOTH.get((first.name, second.name))) is not None:
        return both
    for one, other in product(first.ways, second.ways):
        if not overlap(one, other):
            return {**one, **other}
    return None


@pytest.mark.parametrize("case", BREAKS, ids=lambda case: case.name)
def test_every_way_to_break_a_check_reports_its_path(case: Break) -> None:
    assert [said(way)[0] for way in case.ways] == [case.path] * len(case.ways)


@pytest.mark.parametrize(
    ("first", "second"),
    [pair for pair in pairwise(BREAKS) if (pair[0].name, pair[1].name) not in CONTRADICTIONS],
    ids=lambda case: case.name,
)
def test_the_earlier_of_two_neighbours_is_reported(first: Break, second: Break) -> None:
    both = together(first, second)
    assert both is not None, "no row breaks both: say how in BOTH, or why not in CONTRADICTIONS"
    assert said(both) in {said(way) for way in first.ways}


def ends(case: Break) -> bool:
    """Tell whether a case is about how the attempt ended: two of these may mend each other."""
    touched = {path for way in case.ways for path in way}
    return "success" in case.name or bool(touched & {"outcome", "stop_reason", "failure_category"})


MENDED = {
    ("latency length", "success with a step"),
    ("evidence value", "media within records"),
    ("jev_total within total", "success with a step"),
    ("parts within total", "success with a step"),
    ("media count and bytes", "success with records"),
    ("media on tiktok only", "success with records"),
}
"""The second change of these takes the fault of the first away."""


def test_the_earlier_of_any_two_is_reported() -> None:
    pairs = [
        (one, other, both)
        for one, other in combinations(BREAKS, 2)
        if not (ends(one) and ends(other)) and (both := together(one, other)) is not None
    ]
    wrong = {
        (first.name, second.name)
        for first, second, both in pairs
        if said(both) not in {said(way) for way in first.ways}
    }
    assert len(pairs) > 1000
    assert wrong == MENDED


def test_contradictions_are_neighbours() -> None:
    assert {(one.name, other.name) for one, other in pairwise(BREAKS)} >= CONTRADICTIONS


@pytest.mark.parametrize("version", [1, 2])
def test_every_declared_check_is_broken_first_by_some_row(version: int) -> None:
    row = valid_row(version)
    ways = [way for case in BREAKS for way in case.ways if applies(way, version)]
    faults = [first_fault(JEV_SOCIAL, changed(row, way)) for way in ways]
    broken = {fault.place for fault in faults if fault is not None}
    declared = order(JEV_SOCIAL, version)
    # schema_version itself is checked before all fields, so that no field check of it can fail
    assert [check for place, check in enumerate(declared) if place not in broken] == []


def applies(way: Changes, version: int) -> bool:
    """Tell whether a way to break a check touches fields of `version` only."""
    return version == 2 or not any(path.startswith("jev_social_") for path in way)


def test_every_field_is_checked_once_and_after_it_no_rule_reads_an_unchecked_one() -> None:
    for version, model in JEV_SOCIAL.models.items():
        checks = JEV_SOCIAL.checks_of(version)
        named = [check.name for check in checks if isinstance(check, Field)]
        assert sorted(named) == sorted(set(model.model_fields) - {"schema_version"})
        for place, check in enumerate(checks):
            if isinstance(check, Rule):
                seen = {earlier.name for earlier in checks[:place] if isinstance(earlier, Field)}
                assert {path.split(".")[0] for path in check.expression.paths} <= seen


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ([{"cookie": 1}], "row[0].cookie"),
        ([1], "schema_version"),
        (None, "schema_version"),
        ("text", "schema_version"),
        (5, "schema_version"),
        ({}, "schema_version"),
        ({"schema_version": True}, "schema_version"),
        ({"schema_version": 2.0}, "schema_version"),
        ({"schema_version": 2, "b": 1, "a": 1}, "b"),
        ({"schema_version": 2}, "run_id"),
        ({"schema_version": 1}, "run_id"),
        ({"schema_version": 2, "run_id": "", "task_id": ""}, "started_at"),
        ("/" + "etc/passwd", "row"),
    ],
)
def test_what_is_hardly_a_row_reports_the_first_fault(row: object, path: str) -> None:
    error = error_of(JEV_SOCIAL, row)
    assert error is not None
    assert error.path == path
