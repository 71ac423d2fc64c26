"""The answer to a query as text: a table for people, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from benchdata.errors import QueryRefused, shorten

if TYPE_CHECKING:
    import pyarrow as pa

WIDEST = 200
"""Characters of one cell of a table; CSV and JSON hold all of it."""


def as_json(table: pa.Table) -> Iterator[str]:
    """Yield a JSON array, an object a row; NaN and infinities, which JSON lacks, are text."""
    before = "["
    for row in records(table):
        yield f"{before}\n{json.dumps(row, ensure_ascii=False)}"
        before = ","
    yield "\n]\n" if before == "," else "[]\n"


def as_csv(table: pa.Table) -> Iterator[str]:
    """Yield CSV with a header; null is nothing, a list or an object is its JSON."""
    yield _csv_line(table.column_names)
    for row in records(table):
        yield _csv_line(["" if value is None else _text(value) for value in row.values()])


def as_table(table: pa.Table) -> Iterator[str]:
    """Yield lines of columns for people, numbers to the right; long text is cut."""
    import pyarrow as pa

    kinds = table.schema.types
    numbers = [pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in kinds]
    cells = [[shorten(_text(value), WIDEST) for value in row.values()] for row in records(table)]
    lines = [[shorten(name, WIDEST) for name in table.column_names], *cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = (
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, numbers, strict=True)
        )
        yield "  ".join(padded).rstrip() + "\n"


FORMATS: Mapping[str, Callable[[pa.Table], Iterator[str]]] = {
    "table": as_table,
    "csv": as_csv,
    "json": as_json,
}


def records(table: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield each row, its values as JSON has them; raise QueryRefused for one that cannot be."""
    for batch in table.to_batches(max_chunksize=1_000):
        try:
            rows = batch.to_pylist(maps_as_pydicts="strict")
        except TypeError:
            message = "a map in the answer has lists or records as keys: cast it to varchar"
            raise QueryRefused(message) from None
        except (OverflowError, ValueError):
            message = "a time in the answer lies outside the calendar: cast it to varchar"
            raise QueryRefused(message) from None
        yield from ({name: _plain(value) for name, value in row.items()} for row in rows)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; what it has no kind for becomes text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case datetime() | date() | time():
            return value.isoformat().replace("+00:00", "Z")
        case bytes():
            return value.hex()
        case dict():
            return {_text(_plain(key)): _plain(item) for key, item in value.items()}
        case tuple():  # an interval
            return {unit: getattr(value, unit) for unit in ("months", "days", "nanoseconds")}
        case list():
            return [_plain(item) for item in value]
    return str(value)


def _text(value: Any) -> str:
    """Return one value of `records` as a cell."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _csv_line(cells: list[str]) -> str:
    # with both ends of a line as its own, the writer quotes a cell that holds either
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"
