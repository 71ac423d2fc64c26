"""A lake: validated rows appended to Parquet parts by contract and month, each row once.

A part counts only when the lake's manifest names it, and the manifest is replaced in one step: a
kill leaves the lake as it was. Writers take turns on a lock.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from benchdata.contracts import Contract
from benchdata.errors import InputError
from benchdata.rows import frames, parquet
from benchdata.rows.tables import Table
from benchdata.rows.writing import whole_file

MANIFEST = "_manifest.json"
LOCK = ".lock"
UNDATED = "undated"
EMPTY: Mapping[str, Any] = {"manifestVersion": 1}


def is_lake(folder: Path) -> bool:
    """Tell whether a directory is a lake."""
    return (folder / MANIFEST).is_file()


def parts(folder: Path, contract: str | None = None) -> list[Path]:
    """Return the files of a lake that count, in the order of the manifest."""
    named = [part for part in _manifest(folder)["parts"] if contract in {None, part["contract"]}]
    return [folder / part["file"] for part in named]


def freeze(tables: Sequence[Table], folder: Path) -> tuple[int, int]:
    """Append the rows of `tables` that the lake does not have; return (appended, there already).

    Raises InputError when a row of the same identity lies in the lake with other values.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        manifest = _manifest(folder) if is_lake(folder) else dict(EMPTY, parts=[])
        _sweep(folder, manifest)
        appended = there = 0
        for contract in {table.contract.name: table.contract for table in tables}.values():
            group = [table for table in tables if table.contract.name == contract.name]
            new, old = _new_rows(group, folder, contract)
            there += old
            for month, rows in new.group_by("month", maintain_order=True):
                part = _write(rows.drop("month"), folder, contract, str(month[0]), group)
                manifest["parts"].append(part)
                appended += rows.height
        with whole_file(folder / MANIFEST) as file:
            file.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    return appended, there


def _new_rows(
    tables: Sequence[Table], folder: Path, contract: Contract
) -> tuple[pl.DataFrame, int]:
    """Return the rows that the lake lacks, with their month, and how many it has already."""
    identity = [path.replace(".", "_") for path in contract.identity]
    order = contract.order if contract.order and _is_time(contract, contract.order) else None
    month = pl.col(order).dt.strftime("%Y-%m") if order else pl.lit(UNDATED)
    rows = pl.concat([pl.scan_parquet(table.file) for table in tables]).with_columns(month=month)
    have = parts(folder, contract.name) if is_lake(folder) else []
    if not have:
        return rows.sort("month", *identity).collect(), 0
    values = [name for name in frames.schema(contract) if name != frames.LINE]
    known = pl.concat([pl.scan_parquet(file) for file in have], how="diagonal").select(
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
        message = f"{changed.height} rows lie in the lake with other values, such as {example}"
        raise InputError(
            f"{message}; a row never changes: give the new ones identities of their own"
        )
    new = joined.filter(pl.col("there").is_null()).drop("here", "there")
    return new.sort("month", *identity), joined.height - new.height


def _is_time(contract: Contract, path: str) -> bool:
    return any(column.path == path and column.kind == "time" for column in contract.columns)


def _write(
    rows: pl.DataFrame, folder: Path, contract: Contract, month: str, tables: Sequence[Table]
) -> dict[str, Any]:
    """Write one part and return what the manifest says of it."""
    place = folder / f"contract={contract.name}" / f"month={month}"
    name = f"part-{len(list(place.glob('part-*.parquet'))):05d}.parquet"
    sources = [{"name": one.input.name, "digest": one.digest, "rows": one.rows} for one in tables]
    note = parquet.write(rows.lazy(), place / name, contract, sources)
    return {
        "file": str((place / name).relative_to(folder)),
        "contract": contract.name,
        "month": month,
        "versions": list(note.versions),
        "rows": note.rows,
        "digest": note.digest,
    }


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        parts = [(part["file"], part["contract"]) for part in found["parts"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{folder}: its {MANIFEST} cannot be read; restore it") from None
    if any(Path(file).is_absolute() or ".." in Path(file).parts for file, _ in parts):
        raise InputError(f"{folder}: its {MANIFEST} names a file outside the lake")
    return dict(found)


def _sweep(folder: Path, manifest: dict[str, Any]) -> None:
    """Remove parts that no manifest names: a killed writer left them."""
    named = {folder / part["file"] for part in manifest["parts"]}
    for file in folder.glob("contract=*/month=*/*"):
        kept = {file, file.with_name(file.name.removesuffix(parquet.SIDECAR))} & named
        if not kept:
            file.unlink(missing_ok=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other writers of this lake waiting."""
    with (folder / LOCK).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
