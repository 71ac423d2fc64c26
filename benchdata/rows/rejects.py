"""Splitting a dirty file into its good rows and its explained rejects, and remembering how many."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchdata.contracts import Contract
from benchdata.errors import InputError, RowError
from benchdata.rows.cells import RowClaims
from benchdata.rows.examining import Examined, examine
from benchdata.rows.frames import value_at
from benchdata.rows.sources import Input
from benchdata.rows.strict_json import encode
from benchdata.rows.writing import whole_file

SUFFIX = ".set-aside.json"


class Split(NamedTuple):
    """How many lines went where."""

    kept: int
    rejected: int


def split(source: Input, contract: Contract, keep: Path, rejects: Path) -> Split:
    """Write the lines without fault to `keep` and each other line, explained, to `rejects`.

    Kept lines keep their bytes. A reject is an object with the line's number, the path, the message
    and the line's text. A sidecar beside `keep` says how many were set aside, now and when the
    input itself was split off, for a gate to ask.
    """
    if len({path.resolve() for path in (source.path, keep, rejects, sidecar(keep))}) < 4:
        raise InputError("the input, --keep-valid and --rejects must be three different files")
    kept = rejected = 0
    before = set_aside(source.path)
    stamp, digest = source.stamp(), source.digest()
    # left in reverse order: the sidecar and the rejects are there before the kept file is
    with whole_file(keep) as good, whole_file(rejects) as bad, whole_file(sidecar(keep)) as note:
        with good.open("wb") as good_file, bad.open("wb") as bad_file:
            for one in _once(examine(source, contract), contract, source):
                if one.fault is None:
                    good_file.write(one.line.data + b"\n")
                    kept += 1
                else:
                    bad_file.write(encode(_explained(one, one.fault)))
                    rejected += 1
        source.refuse_change(stamp)
        aside = {"source": source.name, "source_digest": digest, "rejected": before + rejected}
        note.write_bytes(encode(aside))
        # an older kept file must not stand beside the new sidecar, should this be killed now
        keep.unlink(missing_ok=True)
    return Split(kept, rejected)


def _once(lines: Iterator[Examined], contract: Contract, source: Input) -> Iterator[Examined]:
    """Yield the lines, a row whose identity or cell came before as one with a fault."""
    seen: dict[tuple[Any, ...], int] = {}
    claims = RowClaims(contract, contract.cell) if contract.cell else None
    for one in lines:
        if one.row is not None:
            key = tuple(value_at(one.row, path) for path in contract.identity)
            first = seen.setdefault(key, one.line.number)
            fault = None
            if first != one.line.number:
                fault = RowError(" and ".join(contract.identity), f"stands in line {first} already")
            elif claims:
                fault = claims.fault(one.row, one.line.number)
            if fault:
                yield Examined(one.line, None, fault.at(source.label, one.line.number))
                continue
        yield one


def _explained(one: Examined, fault: RowError) -> dict[str, Any]:
    """Return the reject's own row; bytes that are no UTF-8 are shown escaped."""
    return {
        "line": one.line.number,
        "path": fault.path,
        "message": fault.message,
        "text": one.line.data.decode("utf-8", "backslashreplace"),
    }


def sidecar(keep: Path) -> Path:
    """Return where it is written how many rows were set aside when `keep` was made."""
    return keep.parent / f"{keep.name}{SUFFIX}"


def set_aside(keep: Path) -> int:
    """Return how many rows were set aside when the file `keep` was split off, 0 when none was.

    Of a link it is what is said beside the file itself, or beside the link when that is more.
    """
    return max(map(_noted, {sidecar(keep), sidecar(keep.resolve())}))


def _noted(file: Path) -> int:
    """Return the count in a sidecar, 0 when there is no such file."""
    if not file.is_file():
        return 0
    try:
        count = json.loads(file.read_text(encoding="utf-8"))["rejected"]
    except (ValueError, KeyError, TypeError, RecursionError):
        count = None
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise InputError(f"{file.name}: does not say how many rows were set aside; split again")
    return count
