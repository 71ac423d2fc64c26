"""Digests of a contract: of what decides whether a row is valid, and of all of it."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from functools import cache

from blake3 import blake3

from benchdata.contracts import privacy
from benchdata.contracts.base import Contract
from benchdata.contracts.schema import json_schema

READER = 1
"""Raised whenever the reader itself stores rows in another way or with other verdicts."""


@cache
def fingerprint(contract: Contract) -> str:
    """Return the digest in hex: validated rows that were kept under another one are not trusted."""
    parts = {
        "reader": READER,
        "name": contract.name,
        "schema": json_schema(contract),
        "checks": [repr(check) for check in contract.checks],
        "columns": [repr(column) for column in contract.columns],
        "privacy": [privacy.SECRET.pattern, *sorted(privacy.REFUSED_NAMES)],
        "outcome": asdict(contract.outcome),
        "synthetic": contract.synthetic,
        "source": repr(contract.source),
        "identity": contract.identity,
        "cell": repr(contract.cell),
        "metadata": [
            repr((name, info.metadata))
            for version in sorted(contract.models)
            for name, info in contract.models[version].model_fields.items()
        ],
    }
    return blake3(json.dumps(parts, sort_keys=True, default=repr).encode()).hexdigest()


def definition(contract: Contract) -> str:
    """Return the digest in hex of all of a contract: also of what it makes of valid rows."""
    parts = {
        part.name: getattr(contract, part.name)
        for part in fields(contract)
        if part.name not in {"models", "checks"}  # the fingerprint holds these
    }
    text = json.dumps([fingerprint(contract), parts], sort_keys=True, default=repr)
    return blake3(text.encode()).hexdigest()
