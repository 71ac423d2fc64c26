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
        ReportError: It is not there, a link, a device, or larger; the message names the file.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        link = error.errno == errno.ELOOP
        raise ReportError(f"{path.name}: {'is a link' if link else error.strerror}") from None
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise ReportError(f"{path.name}: is no plain file")
        content = file.read(largest + 1)
    if len(content) > largest:
        raise ReportError(f"{path.name}: is larger than {largest // MIB} MiB")
    return content


def read_json(content: bytes) -> Any:
    """Return the value of a JSON text, or raise ReportError."""
    try:
        return strict_json.decode(content)
    except RowError as error:
        raise ReportError(error.message) from None
