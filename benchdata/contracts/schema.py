"""A contract's fields as JSON Schema, for tools that check rows without this package.

A schema cannot say everything: relations between fields, repeated keys and the privacy rules are
checked by `Contract.validate` alone, and the schema says so.
"""

from __future__ import annotations

from typing import Any

from benchdata.contracts.base import Contract
from benchdata.contracts.checks import Rule

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(contract: Contract) -> dict[str, Any]:
    """Return the JSON Schema of one row in normal form: one alternative a schema version."""
    versions = [
        contract.models[version].model_json_schema(mode="validation")
        for version in sorted(contract.models, reverse=True)
    ]
    definitions: dict[str, Any] = {}
    for version in versions:
        definitions |= version.pop("$defs", {})
    rules = [rule for rule in contract.checks if isinstance(rule, Rule)]
    schema: dict[str, Any] = {
        "$schema": DIALECT,
        "title": contract.name,
        "description": "One row in normal form. `x-rules` hold between its fields; privacy, unique"
        " keys and unique identity are checked besides.",
        "oneOf": versions,
        "x-rules": [{"path": rule.path, "holds": rule.holds} for rule in rules],
    }
    return schema | ({"$defs": definitions} if definitions else {})
