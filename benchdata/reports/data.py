"""Numbers as data: plain values, indented JSON, and CSV that no spreadsheet reads as formulas."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from benchdata.errors import printable
from benchdata.rows.exports import FORMULAS
from benchdata.stats.results import CannotTell, Interval


def number_data(value: float | CannotTell | None) -> Any:
    """Return a number, or the reason why there is none."""
    return {"cannotTell": value.reason} if isinstance(value, CannotTell) else value


def interval_data(found: Interval | CannotTell | None) -> Any:
    """Return an interval, or the reason why there is none."""
    return asdict(found) if isinstance(found, Interval) else number_data(found)


def json_text(document: Any) -> str:
    """Return a document as indented JSON, its keys in the order given, with a final newline."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def csv_text(head: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return rows of as many cells as `head` has names as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: Any) -> Any:
    """Keep text on one line, and a spreadsheet from reading it as a formula."""
    if not isinstance(cell, str):
        return cell
    text = printable(" ".join(cell.split()))
    return f"'{text}" if text.startswith(FORMULAS) else text
