"""The shipped contracts as JSON Schema: valid rows fit, and a fault of a field is refused."""

from __future__ import annotations

import re

import jsonschema
import pytest

from benchdata.contracts.checks import Rule
from benchdata.contracts.schema import json_schema
from tests.support.faults import FIRST_CHECKS, first_fault, order
from tests.support.shipped import SHIPPED, Shipped
from tests.support.trees import changed

BEYOND = re.compile(r"[0-9]\.0\b|-02-30T")
"""What a schema takes for an integer and for a time."""

EACH = pytest.mark.parametrize("shipped", SHIPPED, ids=lambda shipped: shipped.name)


@EACH
def test_it_is_a_schema_and_its_rules_stand_beside_it(shipped: Shipped) -> None:
    schema = json_schema(shipped.contract)
    jsonschema.Draft202012Validator.check_schema(schema)
    rules = [check.holds for check in shipped.contract.checks if isinstance(check, Rule)]
    assert [rule["holds"] for rule in schema["x-rules"]] == rules


@EACH
def test_every_row_in_normal_form_fits(shipped: Shipped) -> None:
    validator = jsonschema.Draft202012Validator(json_schema(shipped.contract))
    for row in shipped.rows:
        validator.validate(shipped.contract.validate(row))


@EACH
def test_what_breaks_a_field_is_refused_and_what_breaks_a_rule_alone_is_not(
    shipped: Shipped,
) -> None:
    validator = jsonschema.Draft202012Validator(json_schema(shipped.contract))
    declared = order(shipped.contract, 1)
    wrong = []
    for case in shipped.breaks:
        for changes in case.ways:
            row = changed(shipped.valid_row({}), changes)
            fault = first_fault(shipped.contract, row)
            assert fault is not None
            check = declared[fault.place]
            # a name or a secret is refused by privacy alone
            taken = isinstance(check, Rule) or bool(BEYOND.search(repr(changes)))
            if check != FIRST_CHECKS[0] and validator.is_valid(row) != taken:
                wrong.append((case.name, changes))
    assert wrong == []
