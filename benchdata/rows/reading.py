"""From inputs to validated columns in Parquet: the one way in for every row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pyarrow.parquet as pq

from benchdata import contracts
from benchdata.contracts import Contract
from benchdata.errors import ContractError, InputError, RowError, RowsInvalid
from benchdata.rows import frames, identity
from benchdata.rows.adapting import Adapter
from benchdata.rows.lines import Line, split
from benchdata.rows.sources import Input
from benchdata.rows.strict_json import PATH, decode
from benchdata.rows.tables import Table

EXPLAINED = 50
"""Errors told of one file; the rest are counted."""

BATCH = 10_000
PEEKED = 100
"""Lines looked at to recognise a contract."""


class Examined(NamedTuple):
    """One line and what became of it: a row in normal form, a fault, or neither (left out)."""

    line: Line
    row: dict[str, Any] | None
    fault: RowError | None


def examine(
    source: Input, contract: Contract, adapter: Adapter | None = None
) -> Iterator[Examined]:
    """Yield every line of an input with its row in normal form or with its first fault."""
    adapter = adapter or (Adapter(contract.source) if contract.source else None)
    for line in split(source.blocks()):
        try:
            if line.fault:
                raise line.fault
            value = decode(line.data, ended=line.ended)
            if adapter is None:
                yield Examined(line, contract.validate(value), None)
            else:
                yield Examined(line, _adapted(value, contract, adapter), None)
        except RowError as error:
            yield Examined(line, None, error.at(source.label, line.number))


def _adapted(value: Any, contract: Contract, adapter: Adapter) -> dict[str, Any] | None:
    """Return the row of a line of another tool, None when it holds none, or raise RowError."""
    row = adapter.row(value) if isinstance(value, dict) else value
    if row is None and value is not None:
        return None
    try:
        return contract.validate(row)
    except RowError as error:
        raise adapter.written(error) from None


def recognised(source: Input) -> Contract:
    """Return the registered contract that an input's first row fits, or raise ContractError.

    When the first lines hold no row the fault of the very first one is raised.
    """
    faults: list[RowError] = []
    for line in islice(split(source.blocks()), PEEKED):
        try:
            if line.fault:
                raise line.fault
            value = decode(line.data, ended=line.ended)
            if isinstance(value, dict):
                return contracts.recognise(value)
            fault = RowError(PATH, "the line must hold one JSON object")
            faults.append(fault.at(source.label, line.number))
        except RowError as error:
            faults.append(error.at(source.label, line.number))
        except ContractError as error:
            raise ContractError(f"{source.label}:{line.number}: {error}") from None
    raise faults[0] if faults else InputError(f"{source.label}: holds no row")


def read(inputs: Sequence[Input], contract: Contract | None, spool: Path) -> tuple[Table, ...]:
    """Validate every row of `inputs` and write them to Parquet files in the folder `spool`.

    All inputs are read before any error is raised: RowsInvalid then explains up to 50 bad rows a
    file and counts the rest. Rows of one contract with the same identity are such errors too.
    """
    tables: list[Table] = []
    errors: list[RowError] = []
    count = 0
    for index, source in enumerate(inputs):
        one, faults, bad = _read_one(
            source, contract or recognised(source), spool / f"{index}.parquet"
        )
        tables.append(one)
        errors += faults
        count += bad
    if not count:
        errors, count = identity.repeated(tables)
    if count:
        raise RowsInvalid(tuple(errors), count)
    return tuple(tables)


def _read_one(source: Input, contract: Contract, file: Path) -> tuple[Table, list[RowError], int]:
    """Return what was read of one input, its first faults, and how many there are."""
    stamp, digest = source.stamp(), source.digest()
    adapter = Adapter(contract.source) if contract.source else None
    faults: list[RowError] = []
    bad = rows = 0
    with pq.ParquetWriter(
        file, frames.empty(contract).to_arrow().schema, compression="zstd"
    ) as writer:
        for good, wrong in _batches(examine(source, contract, adapter), contract):
            writer.write_table(good.to_arrow())
            rows += good.height
            bad += len(wrong)
            faults += wrong[: EXPLAINED - len(faults)]
    source.refuse_change(stamp)
    if not rows and not bad:
        raise InputError(f"{source.label}: holds no row")
    dropped = dict(sorted(adapter.dropped.items())) if adapter else {}
    return Table(source, contract, digest, rows, file, dropped), faults, bad


def _batches(
    lines: Iterator[Examined], contract: Contract
) -> Iterator[tuple[pl.DataFrame, list[RowError]]]:
    """Yield the lines in batches: a frame of the good rows, and the faults."""
    while batch := list(islice(lines, BATCH)):
        good = [(one.line.number, one.row) for one in batch if one.row is not None]
        faults = [one.fault for one in batch if one.fault is not None]
        numbers, rows = [number for number, _ in good], [row for _, row in good]
        yield frames.from_rows(numbers, rows, contract), faults
