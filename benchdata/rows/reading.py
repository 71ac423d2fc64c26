"""From inputs to validated columns in Parquet: the one way in for every row."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

from benchdata import contracts
from benchdata.contracts import Contract
from benchdata.errors import ContractError, InputError, RowError, RowsInvalid
from benchdata.rows import cache, cells, identity, parquet
from benchdata.rows.adapting import Adapter
from benchdata.rows.batches import by_row, proven
from benchdata.rows.helper import helping
from benchdata.rows.lines import Line, split
from benchdata.rows.parts import TOLD, Done, Results, Task, Tasks, stored, work
from benchdata.rows.proof.prover import Prover, provable
from benchdata.rows.sources import Input
from benchdata.rows.strict_json import PATH, decode
from benchdata.rows.tables import Part, Table

PART = 48 << 20
"""Bytes of a part of a file, at most."""

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
    lines = split(source.blocks())
    for line in islice(lines, PEEKED):
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
        raise RowsInvalid(tuple(faults[:TOLD]), len(faults), stopped=any(lines))
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
    a file and counts the rest. Rows of one contract with the same identity, or in one cell, are
    such errors too.
    """
    tables: list[Table] = []
    errors: list[RowError] = []
    count = 0
    stopped = False
    for index, source in enumerate(inputs):
        try:
            chosen = contract or recognised(source)
        except RowsInvalid as error:
            errors += error.errors
            count += error.count
            stopped |= error.stopped
            continue
        table, faults, bad = _table(source, chosen, spool / str(index))
        tables.append(table)
        errors += faults
        count += bad
    if not count:
        errors, count = identity.repeated(tables, TOLD)
    if not count:
        errors, count = cells.repeated(tables, TOLD)
    if count:
        raise RowsInvalid(tuple(errors), count, stopped=stopped)
    for table in tables:
        if not table.trusted:
            cache.keep(table)
    return tuple(tables)


def _table(source: Input, contract: Contract, file: Path) -> tuple[Table, Sequence[RowError], int]:
    """Return the rows of one input, its first faults, and how many there are."""
    stamp = source.stamp()
    if not cache.folder() and not parquet.is_parquet(source.path):
        return _validated(source, stamp, source.digest, contract, file)
    with ThreadPoolExecutor(1) as beside:
        # where nothing can be known of the input, its rows need not wait for its digest
        may_be_known = cache.keeps_any(contract) or parquet.is_parquet(source.path)
        digest = beside.submit(source.digest, beside=not may_be_known).result
        table = known(source, digest(), contract, file) if may_be_known else None
        if table is not None:
            return table, (), 0
        return _validated(source, stamp, digest, contract, file)


def known(source: Input, digest: str, contract: Contract, file: Path) -> Table | None:
    """Return the rows of an input that need no validation: vouched for, or validated before."""
    if parquet.is_parquet(source.path):
        note = parquet.trusted(source.path, digest, contract)
        if note is None:
            return None
        told = functools.partial(str, digest)
        return Table(source, contract, told, note.rows, (Part(source.path),), trusted=True)
    return cache.find(source, digest, contract, file)


def _validated(
    source: Input,
    stamp: tuple[int, ...],
    digest: Callable[[], str],
    contract: Contract,
    file: Path,
) -> tuple[Table, list[RowError], int]:
    """Return what was read of one input, its first faults, and how many there are.

    `stamp` was taken before, and `digest` is asked when somebody wants it; InputError tells when
    the input is another by then.
    """
    adapter = Adapter(contract.source) if contract.source else None
    lines = parquet.written_out(source, contract, file.with_suffix(".ndjson"))
    parts: list[Part] = []
    faults: list[RowError] = []
    before = count = bad = 0
    for part, done in _parts(lines, contract, adapter, file):
        parts.append(Part(part, before))
        faults += [
            fault.at(source.label, before + (fault.line or 0))
            for fault in done.faults[: TOLD - len(faults)]
        ]
        before, count, bad = before + done.lines, count + done.rows, bad + done.bad
    source.refuse_change(stamp)
    if not count and not bad:
        raise InputError(f"{source.label}: holds no row")
    dropped = dict(sorted(adapter.dropped.items())) if adapter else {}

    @functools.cache
    def digested() -> str:
        found = digest()
        source.refuse_change(stamp)
        return found

    return Table(source, contract, digested, count, tuple(parts), dropped), faults, bad


def _parts(
    source: Input, contract: Contract, adapter: Adapter | None, file: Path
) -> Iterator[tuple[Path, Done]]:
    """Yield the files of an input's rows in the order of its lines, and what each part holds."""
    first = file.with_suffix(".parquet")
    if not provable(contract):
        yield first, stored(by_row(source, contract, adapter), first, contract)
        return
    prover, spans = Prover(contract), source.spans(PART)
    if spans is None:
        yield first, stored(proven(source, prover), first, contract)
        return
    parts = [Task(span, file.with_suffix(f".{at}.parquet")) for at, span in enumerate(spans)]
    tasks, results = Tasks(parts), Results()
    with helping(source, contract, tasks, results):
        work(source, prover, tasks, results)
    work(source, prover, tasks, results)
    yield from ((task.file, results[task]) for task in parts)
