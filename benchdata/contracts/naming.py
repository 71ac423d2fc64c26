"""What a contract, its metrics and the views of its lists may be called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from benchdata.contracts.columns import (
    NAME,
    POSITION,
    RESERVED,
    RESERVED_IN_GROUPS,
    RESERVED_VIEWS,
    VALUE,
    Column,
    column_name,
)
from benchdata.errors import ContractError

WORDS = """
all analyse analyze and anti any array as asc asof asymmetric at authorization
binary both by case cast check collate collation column concurrently constraint
create cross default deferrable desc describe distinct do else end except false
fetch for foreign freeze from full glob group having ilike in initially inner
intersect into is isnull join lambda lateral leading left like limit natural not
notnull null offset on only or order outer overlaps pivot pivot_longer pivot_wider
placing positional primary qualify references returning right select semi show
similar some summarize symmetric table tablesample then to trailing true union
unique unpack unpivot using variadic verbose when where window with
"""
SQL_WORDS = frozenset(WORDS.split())
"""No contract is called so: its view could not be asked without quotes, as may that of a list."""
SLUG = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def refuse_columns(columns: Iterable[Column], group: Iterable[str]) -> None:
    """Refuse two columns of one name, and one that every dataset or group has beside its fields."""
    _refuse_twice("column", (column.name for column in columns), RESERVED)
    _refuse_twice("column", map(column_name, group), RESERVED_IN_GROUPS)


def refuse_metrics(names: Sequence[str]) -> None:
    """Refuse two metrics of one name, and one without."""
    if not all(names):
        raise ContractError("a metric has no name")
    _refuse_twice("metric", names)


def refuse_views(
    name: str, columns: Iterable[Column], identity: Iterable[str], views: Mapping[str, str]
) -> None:
    """Refuse a contract or a list whose view has no name, or that of another, or a column twice."""
    if not SLUG.fullmatch(name):
        raise ContractError("its name must be up to 64 letters, digits, _ and -, a letter first")
    if name.lower() in SQL_WORDS:
        raise ContractError(f"its name {name} is a word of SQL, so its view could not be asked")
    lists = [column for column in columns if column.kind == "list"]
    called = {column: views.get(column.path, column.name) for column in lists}
    _refuse_twice("view", [name.replace("-", "_"), *called.values()], RESERVED_VIEWS)
    for column, view in called.items():
        if not NAME.fullmatch(view):
            raise ContractError(f"the view of {column.path} needs a name of letters, digits and _")
        values = [item.name or VALUE for item in column.item]
        _refuse_twice(f"column of view {view}", [*map(column_name, identity), POSITION, *values])


def _refuse_twice(what: str, names: Iterable[str], reserved: Iterable[str] = ()) -> None:
    """Refuse a name that is taken or reserved: in SQL, large and small letters are alike."""
    taken = set(reserved)
    for name in names:
        if name.lower() in taken:
            raise ContractError(f"the {what} name {name} is taken or reserved: rename it")
        taken.add(name.lower())
