"""Validated rows at rest: what was read of one input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from benchdata.contracts import Contract
from benchdata.rows.sources import Input


@dataclass(frozen=True, slots=True)
class Table:
    """The validated rows of one input, in the Parquet file `file`, columns as `frames.schema` says.

    `digest` is the BLAKE3 digest of the input's bytes; `dropped` counts what the contract's source
    leaves out, by name. `trusted` rows were validated before, and each has an identity of its own.
    """

    input: Input
    contract: Contract
    digest: str
    rows: int
    file: Path
    dropped: Mapping[str, int] = field(default_factory=dict)
    trusted: bool = False

    def scan(self) -> pl.LazyFrame:
        """Return the rows; a file that the user named may be called like a glob."""
        return pl.scan_parquet(self.file, glob=False)
