"""Results of other tools to import: where the fixtures lie, and an import in this process."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchdata.errors import InputError
from benchdata.rows.importing import formats, making, settings
from benchdata.rows.importing.mapping import Format, Reading

FIXTURES = Path(__file__).parents[1] / "rows" / "importing" / "fixtures"
SAID = ("study=pilot", "arm=base")


class Imported(NamedTuple):
    """What came of an import: the rows, what failed, and what no field holds."""

    rows: list[dict[str, Any]]
    failures: list[str]
    left: Counter[str]

    @property
    def row(self) -> dict[str, Any]:
        """Return the only row."""
        (row,) = self.rows
        return row


def imported(
    key: str, *sources: Path, said: Sequence[str] = (), score: str | None = None
) -> Imported:
    """Import sources of a format, with what a user says of them."""
    reading = Reading(settings.given(formats.named(key), said), score)
    rows = list(making.rows(formats.named(key), sources, reading))
    assert len(rows) == reading.rows
    return Imported(rows, reading.failures, reading.left_out)


def refusal(key: str, *sources: Path, said: Sequence[str] = ()) -> list[str]:
    """Import what is no use and return why: each failure, then the error."""
    reading = Reading(settings.given(formats.named(key), said))
    with pytest.raises(InputError) as caught:
        list(making.rows(formats.named(key), sources, reading))
    return [*reading.failures, str(caught.value)]


def saved(path: Path, value: Any) -> Path:
    """Write a value as a JSON document and return where."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")
    return path


def table(form: Format[Any]) -> str:
    """Return the table of a format's fields as the guide has it."""
    lines = [f"| `{name}` | {told.words} |" for name, told in form.fields.items()]
    return "\n".join(["| field | from |", "|---|---|", *lines])
