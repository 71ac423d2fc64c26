"""From the records of another tool to valid rows of `trial`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchdata.contracts.checks import Field
from benchdata.contracts.trial import LOST, TRIAL, TrialRow, imported_id
from benchdata.errors import InputError, RowError
from benchdata.rows.importing.labels import task_id
from benchdata.rows.importing.mapping import Format, Reading, Record
from benchdata.rows.importing.names import shown
from benchdata.rows.importing.settings import MEASURED

VERSION = 1
NEEDED = ("study", "task_id", "arm")
"""What a row cannot be without, and a source may not tell."""

Row = dict[str, Any]


def rows(form: Format[Any], sources: Sequence[Path], reading: Reading) -> Iterator[Row]:
    """Yield a valid row a record; `reading` holds what could not be imported, and why.

    Raises:
        InputError: A source is not of the format or has no record, a field that every row needs is
            neither told nor given, or nobody says which of several scores counts.
    """
    seen: set[str] = set()
    for source in sources:
        before = reading.rows
        for record in form.records(source, reading):
            try:
                row = _row(form, record, reading)
            except RowError as error:
                reading.fail(record.place, error)
                continue
            except InputError as error:
                raise InputError(f"{record.place}: {error}") from None
            if row["trial_id"] in seen:
                again = RowError("trial_id", f"this {form.noun} was imported already")
                reading.fail(record.place, again)
                continue
            seen.add(row["trial_id"])
            reading.rows += 1
            yield row
        if reading.rows == before:
            raise InputError(f"{source}: no {form.noun} can be imported: {form.hint}")
    score = reading.chosen_score
    if score is not None and score not in reading.seen_scores:
        there = ", ".join(map(shown, sorted(reading.seen_scores))) or "none to choose from"
        raise InputError(f"--score {score}: no {form.noun} has such a score ({there})")


def _row(form: Format[Any], record: Record[Any], reading: Reading) -> Row:
    unsaid = {name: each for name, each in form.fields.items() if name not in reading.given}
    told = {name: each.value(record.told) for name, each in unsaid.items()}
    row = {**dict.fromkeys(TrialRow.model_fields), "source": form.key, **told, **reading.given}
    _require_needed(row, told)
    _settle(row, reading)
    _leave_out_usage(row, reading)
    if "task_id" in told:
        _name_task(row, reading)
    row["schema_version"] = VERSION
    row["trial_id"] = imported_id(row["source"], row["study"], form.name(record.told))
    return TRIAL.validate(row)


def _require_needed(row: Row, told: Row) -> None:
    """Raise an error that says what to do about a field that every row needs and this one lacks."""
    for name in NEEDED:
        if row[name] is None:
            if name in MEASURED and name in told:
                raise RowError(name, "is not told")
            raise InputError(f"`{name}` is not told: say it with --set {name}=…")


def _name_task(row: Row, reading: Reading) -> None:
    """Call the task as a row can, and keep the name that the source has for it."""
    name = row["task_id"]
    row["task_id"] = task_id(name)
    if row["task_id"] != name:
        reading.task_names[row["task_id"]] = name


def _leave_out_usage(row: Row, reading: Reading) -> None:
    """Leave out tokens that no row may hold, such as those of a model without a proper id."""
    try:
        Field("usage").apply(TrialRow, row, {})
    except RowError as error:
        reading.left_out[f"usage: {error.message}"] += 1
        row["usage"] = None


def _settle(row: Row, reading: Reading) -> None:
    """Let outcome, score and passed agree: what was lost has no score, the whole score passed."""
    scores = {name: row[name] for name in ("score", "passed") if row[name] is not None}
    if row["outcome"] == LOST:
        reading.left_out.update(f"{name}: of what was lost to infrastructure" for name in scores)
        row.update(score=None, passed=None)
    elif not scores:
        row["outcome"] = "unscored"
    elif row["passed"] is None:
        row["passed"] = row["score"] == 1
