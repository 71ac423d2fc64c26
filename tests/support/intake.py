"""Reading files the way every command does, and what is said of bad ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import polars as pl

from benchdata.contracts import Contract
from benchdata.errors import RowsInvalid
from benchdata.rows import reading, sources
from benchdata.rows.tables import Table
from tests.support.trials import TRIAL, trial


def lines(rows: Iterable[Any]) -> bytes:
    """Return rows as JSON lines, spelt as Python spells them."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def trials(count: int, first: int = 0) -> bytes:
    """Return `count` valid lines of `TRIAL` whose `ms` counts up from `first`."""
    return lines(trial(f"t{number}", ms=number) for number in range(first, first + count))


def rows_of(file: Path) -> list[Any]:
    """Return the values of a file's lines, the last of which must be ended too."""
    data = file.read_bytes()
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def tables(folder: Path, *inputs: str | Path, contract: Contract | None = TRIAL) -> list[Table]:
    """Read inputs into Parquet files below `folder`."""
    return list(reading.read(sources.find(inputs), contract, Path(mkdtemp(dir=folder))))


def frame(folder: Path, *inputs: str | Path, contract: Contract | None = TRIAL) -> pl.DataFrame:
    """Read inputs and return the stored columns of all their rows."""
    read = tables(folder, *inputs, contract=contract)
    return pl.concat([one.scan().collect() for one in read])


def invalid(folder: Path, *inputs: str | Path, contract: Contract | None = TRIAL) -> RowsInvalid:
    """Read inputs that hold bad rows and return the error."""
    try:
        tables(folder, *inputs, contract=contract)
    except RowsInvalid as error:
        return error
    raise AssertionError("all rows are valid")


def said(
    folder: Path, data: bytes, contract: Contract = TRIAL
) -> list[tuple[int | None, str, str]]:
    """Return (line, path, message) of every explained error of a file of `data`."""
    file = folder / "rows.ndjson"
    file.write_bytes(data)
    return [
        (error.line, error.path, error.message)
        for error in invalid(folder, file, contract=contract).errors
    ]
