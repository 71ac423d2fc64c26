"""Files that nobody vouches for: read when they are plain ones and not too large."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

from benchdata.errors import ReportError, RowError
from benchdata.rows import strict_json

MIB = 1024**2
LARGEST_JSON = strict_json.LONGEST_LINE
LARGEST_PAGE = 128 * MIB


def read(path: Path, largest: int) -> bytes:
    """Return the bytes of a plain file of at most `largest`.

    Raises:
        ReportError: It is not there, a link, a folder, a device, or larger.
    """
    try:
        with open(path, "rb", opener=_as_it_is) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ReportError("is no plain file")
            content = file.read(largest + 1)
    except OSError as error:
        link = error.errno == errno.ELOOP
        raise ReportError("is a link" if link else f"{error.strerror}") from None
    if len(content) > largest:
        raise ReportError(f"is larger than {largest // MIB} MiB")
    return content


def _as_it_is(path: str, flags: int) -> int:
    """Open what lies at `path` itself, and wait for nobody to write to it."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def read_json(content: bytes) -> Any:
    """Return the value of a JSON text, or raise ReportError."""
    try:
        return strict_json.decode(content)
    except RowError as error:
        raise ReportError(error.message) from None
