"""What a user says of an import that the source does not tell: `--set FIELD=VALUE`."""

from __future__ import annotations

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
READERS: Mapping[str, Callable[[str], Any]] = {
    "integer": int,
    "number": float,
    "flag": {"true": True, "false": False}.__getitem__,
}
"""By the kind of the field; the others hold text."""


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
            why = "each row has its own" if name in form.fields else did_you_mean(name, allowed)
            raise InputError(f"--set {name}: cannot be set for {form.key}: {why.lstrip('; ')}")
        if name in found:
            raise InputError(f"--set {name}: is given twice")
        try:
            Field(name).apply(TrialRow, {name: _value(name, text)}, found)
        except RowError as error:
            raise InputError(f"--set {error}") from None
    return found


def _value(name: str, text: str) -> Any:
    """Return the value as the kind that the field has; a text that is none is refused as such."""
    try:
        return READERS.get(TRIAL.kinds[name], str)(text)
    except (KeyError, ValueError):
        return text
