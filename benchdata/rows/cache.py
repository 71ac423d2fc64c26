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
from functools import partial
from pathlib import Path

from benchdata.contracts import Contract
from benchdata.contracts.fingerprint import fingerprint
from benchdata.rows.sources import Input, file_digest
from benchdata.rows.tables import Part, Table
from benchdata.rows.writing import whole_file

SIZE_LIMIT = 4 << 30
OFF = "BENCHDATA_NO_CACHE"
FOLDER = "BENCHDATA_CACHE"
STALE_S = 3600


def folder() -> Path | None:
    """Return the cache's folder: `$BENCHDATA_CACHE`, else the user's; None when it is off."""
    if os.environ.get(OFF):
        return None
    if named := os.environ.get(FOLDER):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "benchdata" / "rows"


def keeps_any(contract: Contract) -> bool:
    """Tell whether any rows of a contract are kept, so that it is worth to ask for an input's."""
    base = folder()
    return base is not None and any(base.glob(f"*-{_named(contract)}.json"))


def find(source: Input, digest: str, contract: Contract, into: Path) -> Table | None:
    """Put the rows kept for an input at `into` and return them; None when none are kept."""
    base = folder()
    if base is None:
        return None
    where = base / _stem(digest, contract)
    parts: list[Part] = []
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        note = json.loads(where.with_suffix(".json").read_text(encoding="utf-8"))
        rows = int(note["rows"])
        dropped = {str(name): int(count) for name, count in note["dropped"].items()}
        for number, (_, before) in enumerate(note["parts"]):
            part = Part(_part(into, number), int(before))
            _link(_part(where, number), part.file)  # its removal from the cache does no harm now
            parts.append(part)
            os.utime(_part(where, number))
        if [file_digest(part.file) for part in parts] == [noted for noted, _ in note["parts"]]:
            told = partial(str, digest)
            return Table(source, contract, told, rows, tuple(parts), dropped, trusted=True)
    for part in parts:
        part.file.unlink()  # what is to be written there must not be written into the cache
    return None


def keep(table: Table) -> None:
    """Keep validated rows for the next time; do nothing where that cannot be done."""
    base = folder()
    if base is None:
        return  # before the digest is asked: to make it takes as long as a tenth of the validation
    where = base / _stem(table.digest, table.contract)
    with suppress(OSError):
        base.mkdir(parents=True, exist_ok=True, mode=0o700)
        note = {
            "rows": table.rows,
            "dropped": dict(table.dropped),
            "parts": [(file_digest(part.file), part.before) for part in table.parts],
        }
        for number, part in enumerate(table.parts):
            with whole_file(_part(where, number)) as file:
                file.unlink()
                _link(part.file, file)
        with whole_file(where.with_suffix(".json")) as file:
            file.write_text(json.dumps(note), encoding="utf-8")
        _trim(base)


def _stem(digest: str, contract: Contract) -> str:
    return f"{digest[:32]}-{_named(contract)}"


def _named(contract: Contract) -> str:
    return fingerprint(contract)[:32]


def _part(stem: Path, number: int) -> Path:
    """Return the file of a part of a table; the parts and the note have one stem."""
    return stem.with_suffix(f".{number}.parquet")


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
        if total > SIZE_LIMIT or (file.name.startswith(".") and used < time.time() - STALE_S):
            file.unlink(missing_ok=True)
            file.with_name(f"{file.name.partition('.')[0]}.json").unlink(missing_ok=True)


def _files(base: Path) -> Iterator[tuple[float, int, Path]]:
    for file in base.iterdir():
        with suppress(OSError):
            if file.suffix in {".parquet", ".part"}:
                status = file.stat()
                yield status.st_mtime, status.st_size, file
