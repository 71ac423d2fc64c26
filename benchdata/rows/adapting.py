"""Lines that another tool wrote, made into the rows that a contract's `Source` describes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from benchdata.contracts.meaning import Source
from benchdata.errors import RowError


class Adapter:
    """Turns decoded lines into rows, one file at a time; `dropped` counts all it leaves out."""

    def __init__(self, source: Source) -> None:
        """Start before the first line: no header has been seen."""
        self.source = source
        self.header: dict[str, Any] | None = None
        self.dropped: Counter[str] = Counter()

    def row(self, value: Any) -> Any | None:
        """Return the row of one line, None when the line is a header or of an ignored kind."""
        source = self.source
        if not isinstance(value, dict) or source.kind is None:
            return self._renamed(value)
        kind = value.get(source.kind)
        fields = {name: item for name, item in value.items() if name != source.kind}
        if kind == source.header:
            self.header = fields
            return None
        if kind in source.ignore:
            self.dropped[f"lines of kind {kind}"] += 1
            return None
        if kind != source.rows:
            kinds = ", ".join(filter(None, (source.rows, source.header, *source.ignore)))
            raise RowError(source.kind, f"is no kind of line that the contract knows ({kinds})")
        if source.header and self.header is None:
            raise RowError(
                source.kind, f"a {source.rows} line comes before any {source.header} line"
            )
        for name in fields.keys() & (self.header or {}).keys():
            raise RowError(
                name, f"stands in the {source.header} line and in the {source.rows} line"
            )
        return self._renamed({**(self.header or {}), **fields})

    def _renamed(self, value: Any) -> Any:
        """Drop and rename the fields of an object; anything else is for the contract to refuse."""
        if not isinstance(value, dict):
            return value
        row: dict[str, Any] = {}
        for name, item in value.items():
            if name in self.source.drop:
                self.dropped[f"field {name}"] += 1
                continue
            new = self.source.rename.get(name, name)
            if new in row:
                raise RowError(name, f"is renamed to {new}, which is there already")
            row[new] = item
        return row
