"""Groups of a dataset: the distinct values of the contract's group fields, in order, with ids."""

from __future__ import annotations

import json
from typing import Any

import polars as pl

from benchdata.contracts import Contract
from benchdata.contracts.columns import column_name
from benchdata.dataset import collation
from benchdata.errors import shorten
from benchdata.numbers import MISSING

GROUP_ID = "group_id"
GROUP_ORDER = "group_order"
GROUP_LABEL = "group_label"
WIDEST = 80  # characters of a label
MOST_GROUPS = 10_000
"""Beyond this, no table of groups is made: nobody reads it, and a million would take gigabytes."""


def columns(contract: Contract) -> tuple[str, ...]:
    """Return the flat columns that a group shares."""
    return tuple(column_name(path) for path in contract.group)


def fields(contract: Contract, row: dict[str, Any]) -> dict[str, Any]:
    """Return the group fields of a row, without those that its schema version lacks."""
    have = contract.model_of(row).model_fields
    return {path: row[column_name(path)] for path in contract.group if path.split(".")[0] in have}


def fault(distinct: pl.DataFrame) -> str:
    """Return why rows with these `distinct` group columns cannot be grouped, "" when they can."""
    if distinct.height <= MOST_GROUPS:
        return ""
    varied = {name: distinct[name].n_unique() for name in distinct.columns}
    name = max(varied, key=varied.__getitem__)
    return (
        f"the rows fall into {distinct.height:,} groups, more than {MOST_GROUPS:,}:"
        f" {name} alone has {varied[name]:,} values; open fewer rows, or query `rows`"
    )


def table(distinct: pl.DataFrame, contract: Contract) -> pl.DataFrame:
    """Return `distinct` (one row a group, the group columns) with id, order and label, in order.

    The order is that of the compact JSON text of the group's fields; ids are G1, G2, ... .
    """
    keyed = [(_text(fields(contract, row)), row) for row in distinct.iter_rows(named=True)]
    keyed.sort(key=lambda pair: collation.key(pair[0]))
    shown = [column_name(path) for path in contract.shown]
    rows = [
        {
            **row,
            GROUP_ID: f"G{order}",
            GROUP_ORDER: order,
            GROUP_LABEL: shorten(" ".join([f"G{order}", *(_shown(row[n]) for n in shown)]), WIDEST),
        }
        for order, (_, row) in enumerate(keyed, 1)
    ]
    extra = {GROUP_ID: pl.String(), GROUP_ORDER: pl.Int64(), GROUP_LABEL: pl.String()}
    return pl.DataFrame(rows, schema={**distinct.schema, **extra})


def _shown(value: object) -> str:
    return MISSING if value is None else str(value)


def _text(group: dict[str, Any]) -> str:
    """Return the compact JSON text of a group's fields."""
    return json.dumps(group, ensure_ascii=False, separators=(",", ":"), default=str)
