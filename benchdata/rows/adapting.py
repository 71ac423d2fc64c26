"""Lines that another tool wrote, made into the rows that a contract's `Source` describes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from benchdata.contracts.meaning import Source
from benchdata.errors import RowError

# Where a word begins in `endToEndMs` and `HTTPCode`.
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

MOST_NAMES = 4_096
"""Names of fields that are remembered: a file may have new ones in every line."""


class Adapter:
    """Turns decoded lines into rows, one file at a time; `dropped` counts all it leaves out."""

    def __init__(self, source: Source) -> None:
        """Start before the first line: no header has been seen."""
        self.source = source
        self.header: dict[str, Any] | None = None
        self.dropped: Counter[str] = Counter()
        self._names: dict[str, str | None] = {}

    def row(self, line: dict[str, Any]) -> dict[str, Any] | None:
        """Return the row of one line, None when the line is a header or of an ignored kind."""
        source = self.source
        if source.kind is None:
            return self._renamed(line)
        kind = line.get(source.kind)
        fields = {name: item for name, item in line.items() if name != source.kind}
        if source.header and kind == source.header:
            self.forget()
            self.header = self._renamed(fields, f"{kind}.")
            return None
        if kind in source.ignore:
            self.dropped[f"lines of kind {kind}"] += 1
            return None
        if kind != source.rows:
            self.forget()
            kinds = ", ".join(filter(None, (source.rows, source.header, *source.ignore)))
            raise RowError(source.kind, f"is no kind of line that the contract knows ({kinds})")
        if source.header and self.header is None:
            raise RowError(
                source.kind,
                f"no readable {source.header} line comes before this {source.rows} line",
            )
        row, header = self._renamed(fields), self.header or {}
        if twice := [name for name in row if name in header]:
            path = f"{source.header}.{twice[0]}"
            raise RowError(
                path, f"stands in the {source.rows} line too: the contract must rename or drop it"
            )
        return {**header, **row}

    def forget(self) -> None:
        """Forget the header: a line that may have been the next one could not be read."""
        self.header = None

    def written(self, error: RowError) -> RowError:
        """Return an error of the row with the field's name as the file has it."""
        name = re.split(r"[.\[]", error.path, maxsplit=1)[0]
        written = next((old for old, new in self._names.items() if new == name), name)
        return RowError(written + error.path.removeprefix(name), error.message)

    def _renamed(self, fields: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        """Drop and rename the fields of one line; `prefix` tells a header's from a row's."""
        row: dict[str, Any] = {}
        for name, item in fields.items():
            new = self._name(name, prefix + name)
            if new is None:
                self.dropped[f"field {name}"] += 1
            elif new in row:
                raise RowError(prefix + name, f"is renamed to {new}, which is there already")
            else:
                row[new] = item
        return row

    def _name(self, name: str, full: str) -> str | None:
        """Return what the contract calls a field, None when the field is dropped."""
        if full not in self._names:
            if len(self._names) >= MOST_NAMES:
                self._names.clear()
            source = self.source
            given = source.rename.get(full) or source.rename.get(name)
            kept = given or (HUMP.sub("_", name).lower() if source.snake_case else name)
            self._names[full] = None if {full, name} & set(source.drop) else kept
        return self._names[full]
