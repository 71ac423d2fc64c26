"""Rows that claim the same identity, within one input or across several."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import polars as pl

from benchdata.contracts.columns import column_name
from benchdata.errors import RowError
from benchdata.rows.frames import LINE
from benchdata.rows.tables import Table

FILE = "_file"
"""No field begins with `_`, so that no column of a row is called like ours."""


def repeated(tables: Sequence[Table], told: int) -> tuple[list[RowError], int]:
    """Return errors for rows whose identity an earlier row has, at most `told`, and their count."""
    errors: list[RowError] = []
    count = 0
    for group in to_ask(tables):
        found = _repeated(group)
        count += found.height
        errors += [
            _error(group, row) for row in found.head(told - len(errors)).iter_rows(named=True)
        ]
    return errors, count


def to_ask(tables: Sequence[Table]) -> Iterator[list[Table]]:
    """Yield the tables of each contract, but not one alone that is trusted: it was asked before."""
    by_contract: dict[str, list[Table]] = defaultdict(list)
    for one in tables:
        by_contract[one.contract.name].append(one)
    for group in by_contract.values():
        if len(group) > 1 or not group[0].trusted:
            yield group


def _repeated(group: Sequence[Table]) -> pl.DataFrame:
    """Return the places of rows whose identity came before, and the place where it came first."""
    names = [column_name(path) for path in group[0].contract.identity]
    # 64 bits a row almost always tell that all are unlike; only else are the values needed
    hashed = pl.concat(one.without_lines().select(pl.struct(names).hash()) for one in group)
    hashes = hashed.collect().to_series()
    if hashes.n_unique() == hashes.len():
        return pl.DataFrame(schema={FILE: pl.Int32})
    scans = [
        one.scan().select(pl.lit(index).alias(FILE), LINE, *names)
        for index, one in enumerate(group)
    ]
    place = pl.struct(FILE, LINE)
    return (
        pl.concat(scans)
        .with_columns(_first=place.first().over(names), _nth=pl.int_range(pl.len()).over(names))
        .filter(pl.col("_nth") > 0)
        .collect()
    )


def _error(group: Sequence[Table], row: dict[str, object]) -> RowError:
    """Return the error of one repeated row, naming both places."""
    file, line, first = row[FILE], row[LINE], row["_first"]
    assert isinstance(file, int)
    assert isinstance(line, int)
    assert isinstance(first, dict)
    earlier = f"{group[first[FILE]].input.label}:{first[LINE]}"
    path = " and ".join(group[0].contract.identity)
    return RowError(path, f"stands in {earlier} already", source=group[file].input.label, line=line)
