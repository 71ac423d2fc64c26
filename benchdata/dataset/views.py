"""What SQL sees of a dataset: its rows, a long view of each list, its groups, its measurements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from benchdata.contracts import Contract
from benchdata.contracts.columns import POSITION, VALUE, Column, column_name
from benchdata.contracts.meaning import Metric
from benchdata.dataset import grouping
from benchdata.engine.connection import View, literal, quoted
from benchdata.engine.dialects import DUCKDB, Dialect
from benchdata.errors import ContractError
from benchdata.rows import frames

ROWS = "rows"
GROUPED = "grouped"
MEASUREMENTS = "measurements"
GROUPS = "group_list"
STORED_GROUPS = "_groups"
BY_GROUP = (GROUPED, MEASUREMENTS, GROUPS, STORED_GROUPS)
"""The views that need the groups; a query that names none of them reads none of them."""
DESIGNED = (
    *("row_start", "row_place", "row_task", "row_repeat", "row_batch", "row_planned_tasks"),
    *("row_planned_repeats", "row_arm", "row_control", "row_followed"),
)
GROUP_COLUMNS = (grouping.GROUP_ID, grouping.GROUP_ORDER, grouping.GROUP_LABEL)


def of_contract(contract: Contract, files: Sequence[Path], dialect: Dialect) -> Iterator[View]:
    """Yield the views of one contract's rows: `jev_social`, and `steps` for its list of steps.

    The views of lists are DuckDB's alone: no named query reads one.
    """
    name = contract.name.replace("-", "_")
    stored = f"_{name}"
    yield View(stored, files=tuple(files), hidden=True)
    yield View(name, sql=f"select {_listed(frames.row_columns(contract))} from {quoted(stored)}")
    for column in contract.columns if dialect is DUCKDB else ():
        if column.kind == "list":
            long_name = contract.views.get(column.path, column.name)
            yield View(long_name, sql=_long(contract, column, name))


def of_single(contract: Contract, groups: Path, fault: str, dialect: Dialect) -> Iterator[View]:
    """Yield the views that exist only when all rows follow one contract.

    `rows` are the rows, `grouped` the same with their group, `measurements` one line a row and
    metric, `group_list` one line a group. A query that reads groups fails with `fault` if there is
    one; those that read rows alone are answered.
    """
    name = quoted(contract.name.replace("-", "_"))
    yield View(ROWS, sql=f"select * from {name}")
    refused = f" where {dialect.refusal.format(literal(fault))} is null" if fault else ""
    yield View(STORED_GROUPS, files=(groups,), hidden=True, sent=True)
    yield View(GROUPS, sql=f"select * from {STORED_GROUPS}{refused}")
    same = " and ".join(
        f"r.{column} is not distinct from g.{column}"
        for column in map(quoted, grouping.columns(contract))
    )
    _refuse_unlike(contract, dialect)
    canonical, designed = _canonical(contract, dialect), _designed(contract, dialect)
    extra = f"{_listed(GROUP_COLUMNS, 'g.')}, {canonical}, {designed}"
    yield View(GROUPED, sql=f"select r.*, {extra} from {name} r join {GROUPS} g on {same}")
    yield View(MEASUREMENTS, sql=_measurements(contract, dialect))


def _refuse_unlike(contract: Contract, dialect: Dialect) -> None:
    """Raise ContractError for a field that becomes a text which engines write each in its way."""
    design = contract.design
    single = (design.task, design.repeat, design.batch, contract.followed, contract.outcome.reason)
    for path in (*contract.identity, *design.compared, *filter(None, single)):
        if contract.kinds[path] not in dialect.texts:
            raise ContractError(
                f"contract {contract.name}: `{path}` is of kind {contract.kinds[path]}, which"
                " engines write as text each in its way: ask DuckDB"
            )


def _canonical(contract: Contract, dialect: Dialect) -> str:
    """Return the columns that every contract has under one name, so that a query fits them all."""
    span = contract.throughput
    sources = {
        "row_start": (contract.order, dialect.time),
        "row_end": (contract.until, dialect.time),
        "row_reason": (contract.outcome.reason, "string"),
        "row_span_start": (span and span.start, "double"),
        "row_span_end": (span and span.end, "double"),
    }
    identity = ", ".join(_text(f"r.{quoted(name)}") for name in _identity(contract))
    found = [f"concat_ws(':', {identity}) as row_id"]
    for name, (path, kind) in sources.items():
        fits = path and (kind != dialect.time or contract.kinds[path] == "time")
        value = f"r.{quoted(column_name(path))}" if path and fits else "null"
        found.append(f"cast({value} as {kind}) as {name}")
    others = [name for name in frames.row_columns(contract) if name not in _identity(contract)]
    found.append(f"hash({_listed(others, 'r.')}) as row_likeness")
    content = dialect.struct_of({name: f"r.{quoted(name)}" for name in others})
    found.append(f"{_text(f'to_json({content})')} as row_content")
    return ", ".join(found)


def _designed(contract: Contract, dialect: Dialect) -> str:
    """Return the columns that say which cell of the plan a row fills, null where it has no part.

    `row_arm` is the compact JSON array of what was compared, `row_control` whether that is the
    baseline, `row_followed` the release.
    """
    design = contract.design
    sources = {
        "row_place": (design.sequence, "double"),
        "row_task": (design.task, "string"),
        "row_repeat": (design.repeat, "string"),
        "row_batch": (design.batch, "string"),
        "row_planned_tasks": (design.planned_tasks, "bigint"),
        "row_planned_repeats": (design.planned_repeats, "bigint"),
        "row_followed": (contract.followed, "string"),
    }
    found = [
        f"cast({f'r.{quoted(column_name(path))}' if path else 'null'} as {kind}) as {name}"
        for name, (path, kind) in sources.items()
    ]
    compared = [f"r.{quoted(column_name(path))}" for path in design.compared]
    arm = dialect.list_of(map(_text, compared))
    found.append(f"{_text(f'to_json({arm})')} as row_arm")
    values = ", ".join(map(literal, design.baselines))
    control = f"{_text(compared[0])} in ({values})" if values and compared else "null"
    found.append(f"cast({control} as boolean) as row_control")
    return ", ".join(found)


def _text(value: str) -> str:
    return f"cast({value} as string)"


def _measurements(contract: Contract, dialect: Dialect) -> str:
    """Return the SQL of one line a row and metric."""
    kept = ("row_id", *frames.DERIVED, *DESIGNED, *GROUP_COLUMNS)
    items = dialect.list_of(
        dialect.struct_of(_measured(contract, metric, order, dialect))
        for order, metric in enumerate(contract.metrics, 1)
    )
    return f"select {_listed(kept)}, {dialect.lines.format(items)} from {GROUPED}"


def _measured(
    contract: Contract, metric: Metric, order: int, dialect: Dialect
) -> Mapping[str, str]:
    """Return the SQL of each column that a metric adds to a row."""
    return {
        "metric": literal(metric.name),
        "metric_order": str(order),
        "unit": literal(metric.unit),
        "better": literal(metric.better),
        "is_primary": str(metric.name == contract.primary).lower(),
        "value": f"cast({_value(contract, metric, dialect)} as double)",
    }


def _value(contract: Contract, metric: Metric, dialect: Dialect) -> str:
    """Return the SQL of a metric's value in one row: its column, or the total over a list."""
    if not metric.items:
        return quoted(metric.column)
    value = " + ".join(f"item.{quoted(name)}" for name in metric.items)
    return dialect.total(quoted(metric.column), value, whole=contract.whole(metric))


def _identity(contract: Contract) -> tuple[str, ...]:
    """Return the columns that name a row in the long views."""
    return tuple(column_name(path) for path in contract.identity)


def _listed(columns: Iterable[str], prefix: str = "") -> str:
    """Return quoted column names with commas between."""
    return ", ".join(f"{prefix}{quoted(column)}" for column in columns)


def _long(contract: Contract, column: Column, view: str) -> str:
    """Return the SQL of a list's long view: the row's identity, the position from 1, the item."""
    items = quoted(column.name)
    plain = not column.item[0].path
    item = VALUE if plain else "_item"  # no field begins with `_`
    exploded = (
        f"select {_listed(_identity(contract))}, generate_subscripts({items}, 1) as {POSITION}, "
        f"unnest({items}) as {item} from {quoted(view)}"
    )
    if plain:
        return exploded
    fields = ", ".join(f"{item}.{quoted(one.name)}" for one in column.item)
    return f"select * exclude ({item}), {fields} from ({exploded})"
