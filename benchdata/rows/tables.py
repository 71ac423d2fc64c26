"""Validated rows at rest: what was read of one input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import polars as pl

from benchdata.contracts import Contract
from benchdata.rows.frames import LINE
from benchdata.rows.sources import Input


class Part(NamedTuple):
    """A Parquet file of rows, columns as `frames.schema` says; `before` it so many lines came."""

    file: Path
    before: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """The validated rows of one input, in the order of its lines, in one or several parts.

    `digested` tells the digest of the input; `dropped` counts what the contract's source leaves
    out, by name. `trusted` rows were validated before, and each has an identity of its own.
    """

    input: Input
    contract: Contract
    digested: Callable[[], str]
    rows: int
    parts: tuple[Part, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)
    trusted: bool = False

    @property
    def digest(self) -> str:
        """The BLAKE3 digest of the input's bytes; InputError when they are no longer those read."""
        return self.digested()

    def without_lines(self) -> pl.LazyFrame:
        """Return the rows as they are stored, their lines those of the parts: the quickest way."""
        return pl.scan_parquet([part.file for part in self.parts], glob=False)

    def scan(self) -> pl.LazyFrame:
        """Return the rows, each with its line; a file of the user may be called like a glob."""
        return pl.concat(
            pl.scan_parquet(part.file, glob=False).with_columns(pl.col(LINE) + part.before)
            for part in self.parts
        )


def scan_all(tables: Iterable[Table]) -> pl.LazyFrame:
    """Return the rows of several inputs of one contract, one input after the other."""
    return pl.concat([table.scan() for table in tables])
