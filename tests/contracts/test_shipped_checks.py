"""Shipped contracts of one version: each check fails first with its path, valid rows stay valid."""

from __future__ import annotations

import json

import pytest

from benchdata.contracts import recognise
from benchdata.contracts.checks import Field, Rule
from tests.support.breaks import Break
from tests.support.faults import error_of, first_fault, order
from tests.support.shipped import SHIPPED, Shipped
from tests.support.trees import changed

CASES = [
    pytest.param(shipped, case, id=f"{shipped.name}: {case.name}")
    for shipped in SHIPPED
    for case in shipped.breaks
]
EACH = pytest.mark.parametrize("shipped", SHIPPED, ids=lambda shipped: shipped.name)


@pytest.mark.parametrize(("shipped", "case"), CASES)
def test_every_way_to_break_a_check_reports_its_path(shipped: Shipped, case: Break) -> None:
    errors = [
        error_of(shipped.contract, changed(shipped.valid_row({}), changes)) for changes in case.ways
    ]
    assert [error and error.path for error in errors] == [case.path] * len(case.ways)


@EACH
def test_every_declared_check_is_broken_first_by_some_row(shipped: Shipped) -> None:
    row = shipped.valid_row({})
    ways = [changes for case in shipped.breaks for changes in case.ways]
    faults = [first_fault(shipped.contract, changed(row, changes)) for changes in ways]
    broken = {fault.place for fault in faults if fault is not None}
    declared = order(shipped.contract, 1)
    assert [check for place, check in enumerate(declared) if place not in broken] == []


@EACH
def test_a_row_of_every_kind_is_valid_and_its_normal_form_stays(shipped: Shipped) -> None:
    changes = 0
    for row in shipped.rows:
        normal = shipped.contract.validate(row)
        assert json.dumps(shipped.contract.validate(normal)) == json.dumps(normal)
        changes += json.dumps(normal) != json.dumps(row)
    assert changes >= 1, "no row has another normal form"


@EACH
def test_the_fields_come_first_in_order_and_then_the_rules(shipped: Shipped) -> None:
    checks = shipped.contract.checks_of(1)
    names = [check.name for check in checks if isinstance(check, Field)]
    assert ["schema_version", *names] == list(shipped.contract.newest.model_fields)
    assert all(isinstance(check, Rule) for check in checks[len(names) :])


@EACH
def test_a_row_is_recognised_by_its_keys(shipped: Shipped) -> None:
    assert {recognise(row) for row in shipped.rows} == {shipped.contract}


@EACH
def test_no_message_repeats_a_value(shipped: Shipped) -> None:
    canary = "Canary7f3a"
    for name in shipped.contract.newest.model_fields:
        for value in (canary, f"{canary} ", [canary], {canary: 1}):
            error = error_of(shipped.contract, shipped.valid_row({}) | {name: value})
            if error is not None:
                assert canary not in error.message
