"""Lines one by one: the check that alone says whether a row is valid, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from benchdata.contracts import Contract
from benchdata.errors import RowError
from benchdata.rows.adapting import Adapter
from benchdata.rows.lines import Line, split
from benchdata.rows.sources import Input
from benchdata.rows.strict_json import decode


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
        yield examined(line, contract, source.label, adapter)


def examined(line: Line, contract: Contract, label: str, adapter: Adapter | None) -> Examined:
    """Return one line of the input `label` with its row in normal form or with its first fault."""
    try:
        value = _decoded(line, adapter)
        if adapter is None:
            return Examined(line, contract.validate(value), None)
        return Examined(line, _adapted(value, contract, adapter), None)
    except RowError as error:
        return Examined(line, None, error.at(label, line.number))


def _decoded(line: Line, adapter: Adapter | None) -> Any:
    """Return the value of a line; one that cannot be read may have been a header."""
    try:
        if line.fault:
            raise line.fault
        return decode(line.data, ended=line.ended)
    except RowError:
        if adapter:
            adapter.forget()
        raise


def _adapted(value: Any, contract: Contract, adapter: Adapter) -> dict[str, Any] | None:
    """Return the row of a line of another tool, None when it holds none, or raise RowError."""
    row = adapter.row(value) if isinstance(value, dict) else value
    if row is None and value is not None:
        return None
    try:
        return contract.validate(row)
    except RowError as error:
        raise adapter.written(error) from None
