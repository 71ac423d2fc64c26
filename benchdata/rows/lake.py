"""A lake: validated rows appended to Parquet parts by contract and month, each row once.

A part counts only when the lake's manifest names it, and the manifest is replaced in one step: a
kill leaves the lake as it was. Writers take turns on a lock.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from benchdata.contracts import Contract
from benchdata.contracts.columns import column_name
from benchdata.errors import InputError, counted
from benchdata.rows import cells, frames, manifest, parquet
from benchdata.rows.tables import Table

LOCK = ".lock"
UNDATED = "undated"


def freeze(tables: Sequence[Table], folder: Path) -> tuple[int, int]:
    """Append the rows of `tables` that the lake does not have; return (appended, there already).

    Raises InputError when a row of the same identity lies in the lake with other values, or one of
    the same cell that is not its retry.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        parts = list(manifest.read(folder))
        _sweep(folder, parts)
        appended = there = 0
        for contract in {table.contract.name: table.contract for table in tables}.values():
            group = [table for table in tables if table.contract.name == contract.name]
            have = [folder / part.file for part in parts if part.contract == contract.name]
            new, old = _new_rows(group, have, contract)
            _refuse_shared_cells(folder, have, new, contract)
            there += old
            appended += new.height
            for (month,), rows in new.group_by("month", maintain_order=True):
                parts.append(_write(rows.drop("month"), folder, contract, str(month), group))
        manifest.write(folder, parts)
    return appended, there


def _new_rows(
    tables: Sequence[Table], have: Sequence[Path], contract: Contract
) -> tuple[pl.DataFrame, int]:
    """Return the rows that the lake lacks, with their month, and how many it has already."""
    identity = [column_name(path) for path in contract.identity]
    month = pl.lit(UNDATED)
    if contract.order and contract.kinds[contract.order] == "time":
        month = pl.col(column_name(contract.order)).dt.strftime("%Y-%m").fill_null(UNDATED)
    rows = pl.concat([table.scan() for table in tables]).with_columns(month=month)
    if not have:
        return rows.sort("month", *identity).collect(), 0
    values = frames.row_columns(contract)
    known = pl.concat([pl.scan_parquet(file, glob=False) for file in have], how="diagonal").select(
        *identity, there=pl.struct(values).hash()
    )
    joined = (
        rows.with_columns(here=pl.struct(values).hash())
        .join(known, on=identity, how="left", nulls_equal=True)
        .collect()
    )
    changed = joined.filter(pl.col("here") != pl.col("there"))
    if changed.height:
        example = " ".join(str(changed[name][0]) for name in identity)
        rows_of = f"{counted(changed.height, 'row')} of the lake"
        raise InputError(
            f"{rows_of} would get other values, such as {example}; a row never changes:"
            " give the new ones identities of their own"
        )
    new = joined.filter(pl.col("there").is_null()).drop("here", "there")
    return new.sort("month", *identity), joined.height - new.height


def _refuse_shared_cells(
    folder: Path, have: Sequence[Path], new: pl.DataFrame, contract: Contract
) -> None:
    """Refuse rows whose cell a row of the lake has: the lake could not be read any more."""
    parts = [(str(file.relative_to(folder)), pl.scan_parquet(file, glob=False)) for file in have]
    for fault in cells.faults([*parts, ("new rows", new.lazy())], contract):
        raise InputError(f"the rows cannot join the lake: {fault}")


def _write(
    rows: pl.DataFrame, folder: Path, contract: Contract, month: str, tables: Sequence[Table]
) -> manifest.Part:
    """Write one part and return what the manifest says of it."""
    place = folder / f"contract={contract.name}" / f"month={month}"
    file = place / f"part-{len(list(place.glob('part-*.parquet'))):05d}.parquet"
    note = parquet.write(rows.lazy(), file, contract, tables)
    name = file.relative_to(folder).as_posix()
    return manifest.Part(name, contract.name, month, note.versions, note.rows, note.digest)


def _sweep(folder: Path, parts: Sequence[manifest.Part]) -> None:
    """Remove parts that the manifest does not name: a killed writer left them."""
    named = {folder / part.file for part in parts}
    for file in folder.glob("contract=*/month=*/*"):
        if file.with_name(file.name.removesuffix(parquet.SIDECAR)) not in named:
            file.unlink(missing_ok=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other writers of this lake waiting."""
    with (folder / LOCK).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
