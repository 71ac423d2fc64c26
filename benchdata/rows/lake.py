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
from benchdata.rows.tables import Table, scan_all

LOCK = ".lock"
MONTH = "_month"  # no field of a row begins like this
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
            new, old = _lacking(_dated(group, contract), have, contract)
            _refuse_shared_cells(folder, have, new, contract)
            there += old
            for month in _months(new):
                rows = new.filter(pl.col(MONTH) == month).drop(MONTH)
                parts.append(_write(rows, folder, contract, month, group))
                appended += parts[-1].rows
        manifest.write(folder, parts)
    return appended, there


def _dated(tables: Sequence[Table], contract: Contract) -> pl.LazyFrame:
    """Return the rows with their month, none of them read yet."""
    month = pl.lit(UNDATED)
    if contract.order and contract.kinds[contract.order] == "time":
        month = pl.col(column_name(contract.order)).dt.strftime("%Y-%m").fill_null(UNDATED)
    return scan_all(tables).with_columns(month.alias(MONTH))


def _months(rows: pl.LazyFrame) -> list[str]:
    found = rows.select(pl.col(MONTH).unique().sort()).collect(engine="streaming")
    return [str(month) for month in found.to_series()]


def _lacking(
    rows: pl.LazyFrame, have: Sequence[Path], contract: Contract
) -> tuple[pl.LazyFrame, int]:
    """Return the rows that the lake lacks, in their order, and how many it has already.

    Only identities and hashes are held in memory, however many rows there are.
    """
    if not have:
        return rows, 0
    identity = [column_name(path) for path in contract.identity]
    values = pl.struct(frames.row_columns(contract)).hash()
    stored = pl.concat([pl.scan_parquet(file, glob=False) for file in have], how="diagonal")
    known = stored.select(*identity, _there=values)
    met = rows.select(*identity, _here=values).join(known, on=identity, nulls_equal=True)
    changed = met.filter(pl.col("_here") != pl.col("_there")).collect(engine="streaming")
    if changed.height:
        example = " ".join(str(changed[name][0]) for name in identity)
        rows_of = f"{counted(changed.height, 'row')} of the lake"
        raise InputError(
            f"{rows_of} would get other values, such as {example}; a row never changes:"
            " give the new ones identities of their own"
        )
    new = rows.join(
        stored.select(identity), on=identity, how="anti", nulls_equal=True, maintain_order="left"
    )
    return new, met.select(pl.len()).collect(engine="streaming").item()


def _refuse_shared_cells(
    folder: Path, have: Sequence[Path], new: pl.LazyFrame, contract: Contract
) -> None:
    """Refuse rows whose cell a row of the lake has: the lake could not be read any more."""
    parts = [(str(file.relative_to(folder)), pl.scan_parquet(file, glob=False)) for file in have]
    for fault in cells.faults([*parts, ("new rows", new)], contract):
        raise InputError(f"the rows cannot join the lake: {fault}")


def _write(
    rows: pl.LazyFrame, folder: Path, contract: Contract, month: str, tables: Sequence[Table]
) -> manifest.Part:
    """Write one part and return what the manifest says of it."""
    place = folder / f"contract={contract.name}" / f"month={month}"
    file = place / f"part-{len(list(place.glob('part-*.parquet'))):05d}.parquet"
    note = parquet.write(rows, file, contract, tables)
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
