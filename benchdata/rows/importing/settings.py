"""What a user says of an import that the source does not tell: `--set FIELD=VALUE`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchdata.contracts.checks import Field
from benchdata.contracts.trial import TRIAL, TrialRow
from benchdata.errors import InputError, RowError, did_you_mean
from benchdata.rows.importing.mapping import Format

LABELS = (
    *("source", "source_commit", "study", "domain", "difficulty", "arm", "agent", "agent_version"),
    *("model", "planned_tasks", "planned_repeats", "skill_installed", "skill_listed", "skill_read"),
)
"""What may be said of every row, whatever the source tells."""
MEASURED = ("task_id", "repeat", "score", "passed")
"""What may be said only where the source tells nothing: one value is seldom that of all rows."""
READERS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "integer": (r"-?[0-9]+", int),
    "number": (r"-?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?", float),
    "flag": ("true|false", "true".__eq__),
}
"""How a value is written and read, by the kind of the field; the others hold text.

Python alone would also read digits of other scripts and with `_` between them.
"""


def given(form: Format[Any], settings: Sequence[str]) -> dict[str, Any]:
    """Return the fields that the settings give, in normal form.

    Raises:
        InputError: One is no FIELD=VALUE, or its field cannot be set or have that value.
    """
    allowed = (*LABELS, *(name for name in MEASURED if name not in form.fields))
    found: dict[str, Any] = {}
    for setting in settings:
        name, is_one, text = setting.partition("=")
        if not is_one:
            raise InputError("--set takes FIELD=VALUE, such as --set study=pilot")
        if name not in allowed:
            why = "each row has its own" if name in form.fields else _instead(name, allowed)
            raise InputError(f"--set {name}: cannot be set for {form.key}: {why}")
        if name in found:
            raise InputError(f"--set {name}: is given twice")
        try:
            Field(name).apply(TrialRow, {name: _value(name, text)}, found)
        except RowError as error:
            raise InputError(f"--set {error}") from None
    return found


def _instead(name: str, allowed: Sequence[str]) -> str:
    """Return which field may have been meant, else all there are."""
    meant = did_you_mean(name, allowed).removeprefix("; ")
    return meant or f"what can be is {', '.join(allowed)}"


def _value(name: str, text: str) -> Any:
    """Return the value as the kind that the field has; a text that is none is refused as such."""
    kind = TRIAL.kinds[name]
    if kind not in READERS:
        return text
    form, read = READERS[kind]
    try:
        return read(text) if re.fullmatch(form, text) else text
    except ValueError:  # more digits than Python reads
        return text
