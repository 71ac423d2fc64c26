"""The formats of other tools that can be imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdata.errors import InputError, did_you_mean
from benchdata.rows.importing import (
    harbor,
    inspect_logs,
    pytest_benchmark,
    skill_creator,
    skill_validator,
    transcripts,
)
from benchdata.rows.importing.mapping import Format

FORMATS: Mapping[str, Format[Any]] = {
    each.key: each
    for each in (
        *(harbor.FORMAT, inspect_logs.FORMAT, skill_validator.FORMAT, skill_creator.FORMAT),
        *(pytest_benchmark.FORMAT, transcripts.FORMAT),
    )
}


def named(key: str) -> Format[Any]:
    """Return a format by its key; raise InputError naming those there are."""
    if key not in FORMATS:
        known = ", ".join(FORMATS)
        raise InputError(f"no format is named {key}{did_you_mean(key, [*FORMATS])}; {known}")
    return FORMATS[key]
