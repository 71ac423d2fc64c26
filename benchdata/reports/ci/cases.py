"""Cases: one thing each that was asked of rows, with the answer, in the words that a log has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from benchdata.dataset import Dataset, Provenance
from benchdata.errors import BenchdataError, RowsInvalid, counted

Outcome = Literal["passed", "failed", "skipped", "error"]


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a `suite`, of which `name` tells it apart.

    `word` is the answer in short, `lines` are the rest of it. `file` and `line` are where it
    stands, as the user named the file; "" and None where it stands in no one place.
    """

    suite: str
    name: str
    outcome: Outcome
    word: str
    lines: tuple[str, ...] = ()
    file: str = ""
    line: int | None = None


def of_error(command: str, error: BenchdataError) -> Iterator[Case]:
    """Yield the cases of a command that could not do its work: one a bad row, or one."""
    if not isinstance(error, RowsInvalid):
        yield Case(command, command, "error", str(error))
        return
    for row in error.errors:
        place, said = f"{row.source}:{row.line}", f"{row.path}: {row.message}"
        yield Case(command, place, "error", said, file=row.source or "", line=row.line)
    if rest := error.count - len(error.errors):
        yield Case(command, "others", "error", f"... and {rest:,} more invalid rows")


def of_inputs(rows: Dataset) -> Iterator[Case]:
    """Yield a case an input whose rows are all valid."""
    for table, one in zip(rows.tables, rows.provenance, strict=True):
        yield Case("validate", table.input.label, "passed", "valid", (_valid(one),))


def _valid(one: Provenance) -> str:
    return f"{one.name}: {counted(one.rows, 'row')} of {one.contract}, all valid"


def only_file(rows: Dataset) -> str:
    """Return the only input as the user named it, nothing of several."""
    labels = [table.input.label for table in rows.tables]
    return labels[0] if len(labels) == 1 else ""
