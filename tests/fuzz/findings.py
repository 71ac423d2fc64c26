"""Cases that fail: told apart by where, cut down to what is needed, and kept."""

from __future__ import annotations

import hashlib
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from tests.fuzz.cases import check

MOST_ALIKE = 3
"""Failures of one kind that are kept: a bug must not take all the time."""
PATIENCE = 60.0
"""Seconds that cutting down one case may take."""


def failure(case: bytes) -> str | None:
    """Return what kind of failure a case is, None when all is well."""
    try:
        check(case)
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001 - each is a finding
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "site-packages" not in frame.filename] or frames
        return f"{type(error).__name__} at {Path(ours[-1].filename).name}:{ours[-1].lineno}"
    return None


class Findings:
    """Keeps failing cases in a folder, few of each kind."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kinds: Counter[str] = Counter()

    def look(self, case: bytes) -> None:
        """Check a case and keep what is left of it when it fails."""
        kind = failure(case)
        if kind is None:
            return
        self._kinds[kind] += 1
        if self._kinds[kind] <= MOST_ALIKE:
            small = smallest(case, kind)
            name = f"found-{hashlib.sha256(small).hexdigest()[:12]}"
            (self._folder / name).write_bytes(small)
            sys.stdout.write(f"{name}: {kind}\n")
            sys.stdout.flush()


def smallest(case: bytes, kind: str) -> bytes:
    """Return what is left when all that is not needed for this failure is taken out."""
    head, _, text = case.partition(b"\n")
    text = _fewer(head, text.split(b"\n"), b"\n", kind)
    text = _fewer(head, [bytes([byte]) for byte in text], b"", kind)
    return head + b"\n" + text


def _fewer(head: bytes, parts: list[bytes], between: bytes, kind: str) -> bytes:
    """Return the parts of a text that are needed for a failure, as far as patience goes."""
    end = time.monotonic() + PATIENCE
    size = len(parts) // 2
    while size:
        for kept in _without(parts, size):
            if time.monotonic() > end:
                return between.join(parts)
            if failure(head + b"\n" + between.join(kept)) == kind:
                parts = kept
                break
        else:
            size //= 2
        size = min(size, len(parts) // 2)
    return between.join(parts)


def _without(parts: list[bytes], size: int) -> Iterator[list[bytes]]:
    """Yield the parts without each run of so many."""
    for at in range(0, len(parts), size):
        yield parts[:at] + parts[at + size :]
