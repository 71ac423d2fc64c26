"""Rows that claim the same cell of a plan, of which only a lost run and its one retry may."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import polars as pl

from benchdata.contracts import Contract
from benchdata.contracts.columns import column_name
from benchdata.contracts.meaning import Cell
from benchdata.contracts.rules import Expression
from benchdata.errors import RowError
from benchdata.rows.expressions import column as over_columns
from benchdata.rows.frames import LINE, value_at
from benchdata.rows.identity import FILE, to_ask
from benchdata.rows.tables import Table

MESSAGE = "belong to {} already, and neither row is the logged retry of the other"


class Claim(NamedTuple):
    """One row's claim: where it stands, who it is, whom it repeats, whether it may be repeated."""

    place: str
    identity: object
    retry: object
    retried: bool

    def repeats(self, other: Claim) -> bool:
        """Tell whether this row is the retry of the other."""
        return other.retried and other.retry is None and self.retry == other.identity


class Claims:
    """The cells of one contract's rows, asked row by row in the order of the rows."""

    def __init__(self) -> None:
        """Know no row yet."""
        self._taken: dict[Hashable, list[Claim]] = defaultdict(list)

    def earlier(self, key: Hashable, claim: Claim) -> str | None:
        """Return where the first row of a cell stands when this row may not share it with that."""
        taken = self._taken[key]
        if len(taken) == 1 and (claim.repeats(taken[0]) or taken[0].repeats(claim)):
            taken.append(claim)
        elif taken:
            return taken[0].place
        else:
            taken.append(claim)
        return None


class RowClaims:
    """The cells of rows in normal form, asked one after the other."""

    def __init__(self, contract: Contract, cell: Cell) -> None:
        """Know no row yet."""
        (self._identity,) = contract.identity
        self._cell, self._retried, self._claims = cell, Expression(cell.retried), Claims()

    def fault(self, row: dict[str, Any], line: int) -> RowError | None:
        """Return what is wrong with the cell of a row, None when nothing is."""
        cell = self._cell
        identity, retry = value_at(row, self._identity), value_at(row, cell.retry)
        claim = Claim(f"line {line}", identity, retry, self._was_lost(row))
        place = self._claims.earlier(tuple(value_at(row, path) for path in cell.fields), claim)
        return error(cell, place) if place else None

    def _was_lost(self, row: dict[str, Any]) -> bool:
        try:
            return bool(self._retried.of(row))
        except TypeError:  # a null that it has no answer for
            return False


def error(cell: Cell, place: str) -> RowError:
    """Return the error of a row whose cell is that of the row at `place`."""
    return RowError(" and ".join(cell.fields), MESSAGE.format(place))


def repeated(tables: Sequence[Table], told: int) -> tuple[list[RowError], int]:
    """Return errors for rows that share a cell and may not, at most `told`, and their count."""
    errors: list[RowError] = []
    count = 0
    for group in to_ask(tables):
        inputs = [(one.input.label, one.scan()) for one in group]
        for fault in faults(inputs, group[0].contract):
            count += 1
            if len(errors) < told:
                errors.append(fault)
    return errors, count


def faults(inputs: Sequence[tuple[str, pl.LazyFrame]], contract: Contract) -> Iterator[RowError]:
    """Yield an error for each row of labelled frames that shares a cell and may not, in order."""
    if contract.cell is None:
        return
    claims = Claims()
    frames = [frame for _, frame in inputs]
    for row in _shared(frames, contract, contract.cell).iter_rows(named=True):
        label, line = inputs[row[FILE]][0], row[LINE]
        claim = Claim(f"{label}:{line}", row["_identity"], row["_retry"], row["_retried"])
        if place := claims.earlier(row["_cell"], claim):
            yield error(contract.cell, place).at(label, line)


def _shared(frames: Sequence[pl.LazyFrame], contract: Contract, cell: Cell) -> pl.DataFrame:
    """Return the claims of all rows that are not alone in their cell, in the order of the rows."""
    (identity,) = map(column_name, contract.identity)
    key = pl.struct(column_name(path) for path in cell.fields)
    # 64 bits a row tell which rows are surely alone; only of the others the values are needed
    taken = pl.concat(frame.select(key.hash()) for frame in frames).collect().to_series()
    twice = taken.filter(taken.is_duplicated()).unique().implode()
    claims = [
        frame.filter(key.hash().is_in(twice)).select(
            pl.lit(index).alias(FILE),
            LINE,
            key.struct.json_encode().alias("_cell"),
            pl.col(identity).alias("_identity"),
            pl.col(column_name(cell.retry)).alias("_retry"),
            over_columns(Expression(cell.retried)).fill_null(value=False).alias("_retried"),
        )
        for index, frame in enumerate(frames)
    ]
    return pl.concat(claims).collect()
