"""From inputs to validated columns in Parquet: the one way in for every row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchdata import contracts
from benchdata.contracts import Contract
from benchdata.errors import ContractError, InputError, RowError, RowsInvalid
from benchdata.rows import cache, identity, parquet
from benchdata.rows.adapting import Adapter
from benchdata.rows.batches import batches
from benchdata.rows.lines import Line, split
from benchdata.rows.sources import Input
from benchdata.rows.storing import store
from benchdata.rows.strict_json import PATH, decode
from benchdata.rows.tables import Table

TOLD = 50
"""Errors told of one file, and of repeated identities; the rest are counted."""

PEEKED = 100
"""Lines looked at to recognise a contract."""


def recognised(source: Input) -> Contract:
    """Return the registered contract that most of an input's first rows fit.

    Raises:
        ContractError: They fit none, or two alike.
        RowsInvalid: The first lines hold no row.
    """
    if parquet.is_parquet(source.path):
        return parquet.recognised(source)
    fitting: Counter[Contract] = Counter()
    unfit: list[ContractError] = []
    faults: list[RowError] = []
    for line in islice(split(source.blocks()), PEEKED):
        try:
            fitting[contracts.recognise(_object(line))] += 1
        except RowError as error:
            faults.append(error.at(source.label, line.number))
        except ContractError as error:
            unfit.append(ContractError(f"{source.label}:{line.number}: {error}"))
    best = [one for one, count in fitting.items() if count == max(fitting.values())]
    if len(best) > 1:
        names = " and ".join(one.name for one in best)
        raise ContractError(f"{source.label}: as many rows fit {names}; name one with --contract")
    if best:
        return best[0]
    if unfit:
        raise unfit[0]
    if faults:
        raise RowsInvalid(tuple(faults[:TOLD]), len(faults))
    raise InputError(f"{source.label}: holds no row")


def _object(line: Line) -> dict[str, Any]:
    """Return the object that a line holds, or raise RowError."""
    if line.fault:
        raise line.fault
    value = decode(line.data, ended=line.ended)
    if not isinstance(value, dict):
        raise RowError(PATH, "the line must hold one JSON object")
    return value


def read(inputs: Sequence[Input], contract: Contract | None, spool: Path) -> tuple[Table, ...]:
    """Return the validated rows of `inputs`, as Parquet files in the folder `spool` or as they lie.

    All inputs are read before any error is raised: RowsInvalid then explains up to `TOLD` bad rows
    a file and counts the rest. Rows of one contract with the same identity are such errors too.
    """
    tables: list[Table] = []
    errors: list[RowError] = []
    count = 0
    for index, source in enumerate(inputs):
        try:
            chosen = contract or recognised(source)
        except RowsInvalid as error:
            errors += error.errors
            count += error.count
            continue
        file = spool / f"{index}.parquet"
        stamp, digest = source.stamp(), source.digest()
        table = known(source, digest, chosen, file)
        if table is None:
            table, faults, bad = _validated(source, stamp, digest, chosen, file)
            errors += faults
            count += bad
        tables.append(table)
    if not count:
        errors, count = identity.repeated(tables, TOLD)
    if count:
        raise RowsInvalid(tuple(errors), count)
    for table in tables:
        if not table.trusted:
            cache.keep(table)
    return tuple(tables)


def known(source: Input, digest: str, contract: Contract, file: Path) -> Table | None:
    """Return the rows of an input that need no validation: vouched for, or validated before."""
    if parquet.is_parquet(source.path):
        note = parquet.trusted(source.path, digest, contract)
        if note is None:
            return None
        return Table(source, contract, digest, note.rows, source.path, trusted=True)
    return cache.find(source, digest, contract, file)


def _validated(
    source: Input, stamp: tuple[int, ...], digest: str, contract: Contract, file: Path
) -> tuple[Table, list[RowError], int]:
    """Return what was read of one input, its first faults, and how many there are.

    `stamp` and `digest` were taken before; InputError tells when the input is another by now.
    """
    adapter = Adapter(contract.source) if contract.source else None
    lines = parquet.written_out(source, contract, file.with_suffix(".ndjson"))
    faults: list[RowError] = []
    bad = 0
    with store(file, contract) as rows:
        for batch in batches(lines, contract, adapter):
            rows.add(batch.frame)
            bad += len(batch.faults)
            faults += batch.faults[: TOLD - len(faults)]
    source.refuse_change(stamp)
    if not rows.rows and not bad:
        raise InputError(f"{source.label}: holds no row")
    dropped = dict(sorted(adapter.dropped.items())) if adapter else {}
    return Table(source, contract, digest, rows.rows, file, dropped), faults, bad
