"""What a reader chose through `-p NAME=VALUE`: values of the right kind, or a sentence why not."""

from __future__ import annotations

import math
from typing import Any

from benchdata.errors import ReportError, shorten


def number(name: str, value: Any) -> float | None:
    """Return a number, or None where nothing was chosen.

    Raises:
        ReportError: Neither of the two.
    """
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ReportError(f"parameter {name} is a number, not {shorten(str(value), 40)}")
    return float(value)


def text(name: str, value: Any) -> str | None:
    """Return a text, or None where nothing was chosen.

    Raises:
        ReportError: Neither of the two.
    """
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise ReportError(f"parameter {name} is a text, not {shorten(str(value), 40)}")
    return value
