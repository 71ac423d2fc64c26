"""Bodies that break a contract: thirty of one good body, each in one way."""

from __future__ import annotations

import json
from collections.abc import Mapping

NOT_TEXT: tuple[object, ...] = (None, True, 0, 1.5, [], {}, "")
"""What a field that must be a string must not be."""
NOT_WHOLE: tuple[object, ...] = (None, True, "7", [], {}, 1.5, -1, -10)
"""What a field that must be a whole number must not be."""
NOT_BODIES = ("null", "[]", '"text"', "7", "{")
"""What is no JSON object, or no JSON."""


def mutated(body: Mapping[str, object]) -> list[str]:
    """Return the bad bodies of a good one; its fields are strings and whole numbers."""
    found = list(NOT_BODIES)
    for name, value in body.items():
        found.append(json.dumps({key: kept for key, kept in body.items() if key != name}))
        bad = NOT_TEXT if isinstance(value, str) else NOT_WHOLE
        found += [json.dumps({**body, name: each}) for each in bad]
    return found
