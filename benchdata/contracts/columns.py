"""The flat, typed, snake_case columns of a contract, derived from its models alone."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from benchdata.contracts.fields import Instant, Row, declared
from benchdata.errors import ContractError

Kind = Literal["integer", "number", "text", "flag", "time", "list"]
RESERVED = frozenset(
    {
        *("_line", "row_id", "row_result", "row_synthetic", "row_start", "row_end", "row_reason"),
        *("row_span_start", "row_span_end", "row_likeness", "row_content"),
        *("row_task", "row_repeat", "row_batch", "row_planned_tasks", "row_planned_repeats"),
        *("row_arm", "row_control", "row_followed", "row_place"),
        *("group_id", "group_order", "group_label"),
    }
)
"""Columns that every dataset has beside its fields; no field may be called so."""
RESERVED_IN_GROUPS = frozenset(
    {
        *("runs", "success", "partial", "failed", "unscored", "synthetic"),
        *("first_start", "last_end"),
    }
)
"""What is told of every group beside its fields; no field of a group may be called so."""
RESERVED_VIEWS = frozenset(
    {
        *("rows", "grouped", "measurements", "group_list"),
        *("alike", "evidence", "groups", "outcomes", "percentiles", "stop_reasons", "throughput"),
        *("cells", "paired", "task_means", "timeline", "composite", "exclusions", "history"),
        *("leaderboard", "per_task", "tokens_time", "variance"),
    }
)
"""Views of every dataset and the named queries; no contract and no list's view may be called so."""
POSITION, VALUE = "position", "value"
"""The columns of a list's long view beside the identity; objects have their fields for a value."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")

KINDS: dict[type, Kind] = {int: "integer", float: "number", str: "text", bool: "flag"}


def column_name(path: str) -> str:
    """Return the name of a field's flat column, `timing_ms_total` for `timing_ms.total`."""
    return path.replace(".", "_")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `path` in the row, its kind, and for a list what one item holds."""

    path: str
    kind: Kind
    nullable: bool
    item: tuple[Column, ...] = ()
    """Of a list: one column with an empty path for plain values, else the fields of its objects."""

    @property
    def name(self) -> str:
        """Return the column's name."""
        return column_name(self.path)


def of_model(model: type[BaseModel], prefix: str = "") -> Iterator[Column]:
    """Yield the columns of `model` in the order of its fields, nested objects flattened."""
    if not issubclass(model, Row):
        raise ContractError(
            f"{model.__name__} must be a benchdata.contracts.fields.Row, which is closed and strict"
        )
    for name, info in model.model_fields.items():
        if not NAME.fullmatch(name):
            raise ContractError(
                f"field {prefix}{name}: a name is up to 64 letters, digits and _, a letter first;"
                " where a file has another, `Source.rename` maps it"
            )
        if not info.is_required():
            raise ContractError(
                f"field {prefix}{name}: it has a default, and no field may be missing"
            )
        yield from of_annotation(f"{prefix}{name}", declared(info))


def of_annotation(path: str, annotation: Any) -> Iterator[Column]:
    """Yield the column of one annotation, or the columns of the object it holds."""
    base, metadata, nullable = unwrap(annotation)
    if isinstance(base, type) and issubclass(base, BaseModel):
        for column in of_model(base, f"{path}." if path else ""):
            yield replace(column, nullable=True) if nullable else column
    elif get_origin(base) is list:
        items = tuple(of_annotation("", get_args(base)[0]))
        if any("." in item.path or (item.path and item.kind == "time") for item in items):
            raise ContractError(f"field {path}: the objects of a list hold plain values, no times")
        yield Column(path, "list", nullable, items)
    elif any(isinstance(data, Instant) for data in metadata):
        yield Column(path, "time", nullable)
    elif get_origin(base) is Literal:
        values = {type(value) for value in get_args(base)}
        if len(values) > 1 or not values <= KINDS.keys():
            raise ContractError(f"field {path}: the values of a Literal must be of one plain type")
        yield Column(path, KINDS[values.pop()], nullable)
    elif base in KINDS:
        yield Column(path, KINDS[base], nullable)
    else:
        raise ContractError(f"field {path}: {base!r} has no column; use the types of fields.py")


def unwrap(annotation: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """Return (bare type, metadata, may be null) of an annotation."""
    metadata: tuple[Any, ...] = ()
    nullable = False
    while True:
        if get_origin(annotation) is Annotated:
            annotation, *data = get_args(annotation)
            metadata += tuple(data)
        elif get_origin(annotation) in (Union, types.UnionType):
            members = [arg for arg in get_args(annotation) if arg is not type(None)]
            if len(members) != 1:
                raise ContractError("a field may be one type or null, not several types")
            annotation, nullable = members[0], True
        else:
            return annotation, metadata, nullable
