"""Validated rows of inputs seen before, kept as Parquet so that they need not be validated again.

A kept table is named by the digest of the input's bytes and the contract's fingerprint, so it can
be stale for neither. It is used only while its own digest is the one noted when it was kept;
whatever fails here costs time and nothing else.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from benchdata.contracts import Contract
from benchdata.contracts.fingerprint import fingerprint
from benchdata.rows.sources import Input, file_digest
from benchdata.rows.tables import Table
from benchdata.rows.writing import whole_file

SIZE_LIMIT = 4 << 30
OFF = "BENCHDATA_NO_CACHE"
FOLDER = "BENCHDATA_CACHE"
STALE_SECONDS = 3600


def folder() -> Path | None:
    """Return the cache's folder: `$BENCHDATA_CACHE`, else the user's; None when it is off."""
    if os.environ.get(OFF):
        return None
    if named := os.environ.get(FOLDER):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "benchdata" / "rows"


def find(source: Input, digest: str, contract: Contract, into: Path) -> Table | None:
    """Put the rows kept for an input at `into` and return them; None when none are kept."""
    where = _place(digest, contract)
    if where is None:
        return None
    table: Table | None = None
    try:
        note = json.loads(where.with_suffix(".json").read_text(encoding="utf-8"))
        dropped = {str(name): int(count) for name, count in note["dropped"].items()}
        _link(where, into)  # from here on, its removal from the cache does no harm
        if file_digest(into) == note["digest"]:
            rows = int(note["rows"])
            table = Table(source, contract, digest, rows, into, dropped, trusted=True)
        os.utime(where)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        table = None
    if table is None:
        into.unlink(missing_ok=True)
    return table


def keep(table: Table) -> None:
    """Keep validated rows for the next time; do nothing where that cannot be done."""
    where = _place(table.digest, table.contract)
    if where is None:
        return
    with suppress(OSError):
        where.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        note = {
            "rows": table.rows,
            "dropped": dict(table.dropped),
            "digest": file_digest(table.file),
        }
        with whole_file(where) as part:
            part.unlink()
            _link(table.file, part)
        with whole_file(where.with_suffix(".json")) as part:
            part.write_text(json.dumps(note), encoding="utf-8")
        _trim(where.parent)


def _place(digest: str, contract: Contract) -> Path | None:
    base = folder()
    return base / f"{digest[:32]}-{fingerprint(contract)[:32]}.parquet" if base else None


def _link(source: Path, target: Path) -> None:
    """Give a file a second name, or copy it where that is not possible."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _trim(base: Path) -> None:
    """Remove the tables used longest ago until the rest fits, and what killed writers left."""
    total = 0
    for used, size, file in sorted(_files(base), reverse=True):
        total += size
        if total > SIZE_LIMIT or (file.name.startswith(".") and used < time.time() - STALE_SECONDS):
            file.unlink(missing_ok=True)
            file.with_suffix(".json").unlink(missing_ok=True)


def _files(base: Path) -> Iterator[tuple[float, int, Path]]:
    for file in base.iterdir():
        with suppress(OSError):
            if file.suffix in {".parquet", ".part"}:
                status = file.stat()
                yield status.st_mtime, status.st_size, file
