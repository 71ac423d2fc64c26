"""Standard output: for a row that has no file, and for help."""

from __future__ import annotations

import sys

from benchdata.errors import BenchdataError


def is_closed() -> bool:
    """Return whether there was none when this process began; what stands in for it loses a row."""
    return sys.__stdout__ is None


def write(text: str) -> None:
    """Write a text, so that it has left this process when this returns.

    Raises:
        BenchdataError: It is closed, full, or nobody reads it any more.
    """
    if is_closed() or sys.stdout is None:
        raise BenchdataError("standard output: is closed, so nothing can be written to it")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise BenchdataError(f"standard output: nothing is written: {error.strerror}") from None
