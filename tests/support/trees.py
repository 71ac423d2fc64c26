"""Changing a value somewhere inside a row, by its dotted path."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from enum import Enum
from typing import Any


class Gone(Enum):
    """What a key is set to when it is to be removed."""

    GONE = "gone"


GONE = Gone.GONE

Changes = Mapping[str, Any]
"""What a row is changed by: dotted path to new value, `GONE` to remove the key."""


def changed(row: Mapping[str, Any], changes: Changes) -> dict[str, Any]:
    """Return a deep copy of `row` with `changes` made."""
    result: dict[str, Any] = copy.deepcopy(dict(row))
    for path, value in changes.items():
        *owners, name = path.split(".")
        place = result
        for owner in owners:
            place = place[owner]
        if value is GONE:
            del place[name]
        else:
            place[name] = copy.deepcopy(value)
    return result


def overlap(left: Changes, right: Changes) -> bool:
    """Tell whether two sets of changes touch the same value, or one a value inside another's."""
    return any(
        one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
        for one in left
        for other in right
        if not (one == other and left[one] == right[other])
    )
