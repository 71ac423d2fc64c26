"""Which check of a contract a row breaks first, found by asking each in its declared order."""

from __future__ import annotations

from typing import Any, NamedTuple

from benchdata.contracts import Contract, privacy
from benchdata.contracts.checks import Check
from benchdata.errors import RowError

FIRST_CHECKS = ("privacy", "version", "unknown key", "missing key")
"""What every contract checks before its own list."""


class FirstFault(NamedTuple):
    """The check that fails first, by its place in the order, and its error."""

    place: int
    error: RowError


def order(contract: Contract, version: int) -> tuple[str | Check, ...]:
    """Return every check that a row of `version` goes through, in order."""
    return (*FIRST_CHECKS, *contract.checks_of(version))


def error_of(contract: Contract, row: Any) -> RowError | None:
    """Return the error of a row, None when it is valid."""
    try:
        contract.validate(row)
    except RowError as error:
        return error
    return None


def first_fault(contract: Contract, row: Any) -> FirstFault | None:
    """Return the first check that `row` breaks, by a plain walk through the declared order."""
    try:
        privacy.check(row)
    except RowError as error:
        return FirstFault(0, error)
    try:
        version = contract.version_of(row)
    except RowError as error:
        return FirstFault(1, error)
    model = contract.models[version]
    for place, keys, others in ((2, row, model.model_fields), (3, model.model_fields, row)):
        if strange := [key for key in keys if key not in others]:
            return FirstFault(place, RowError(strange[0], ""))
    normal: dict[str, Any] = {"schema_version": version}
    for place, check in enumerate(contract.checks_of(version), len(FIRST_CHECKS)):
        try:
            check.apply(model, row, normal)
        except RowError as error:
            return FirstFault(place, error)
    return None
