"""What kind of value an expression gives: one that has no answer in columns is refused.

Rows would answer some of these in Python's own way, as `text * 3` or `not 0`; columns would not, or
would answer otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import NamedTuple, get_args

from benchdata.contracts.columns import KINDS, Column, Kind
from benchdata.contracts.fields import SAFE_INTEGER
from benchdata.contracts.meaning import Metric
from benchdata.contracts.rules import Expression, dotted
from benchdata.errors import ContractError

NUMBERS: tuple[Kind, ...] = ("integer", "number")
MOST_ITEMS = 2**24
"""No list of one line has more items."""
NARROW, WIDE = 2**63, 2**127
"""Whole numbers of columns stay below these: all of them, and those of products and sums."""

FUNCTIONS: Mapping[str, tuple[tuple[Kind, ...], ...]] = {
    "sum": (("list",),),
    "len": (("list",),),
    "count": (("list",), ("text",), ("integer", "text", "flag")),
    "distinct": (("list",), ("text",)),
    "abs": (NUMBERS,),
    "ms_between": (("time",), ("time",)),
    "starts_with": (("text",), ("text",)),
}
"""The kinds that each argument of a function may be of."""


PARTS: Mapping[str, tuple[Kind, ...]] = {
    "identity": get_args(Kind)[:-1],
    "group": get_args(Kind)[:-1],
    "throughput": NUMBERS,
    "order": (*NUMBERS, "text", "time"),
    "until": (*NUMBERS, "text", "time"),
    "outcome": get_args(Kind)[:-1],
    "design": get_args(Kind)[:-1],
    "sequence": NUMBERS,
    "cell": get_args(Kind)[:-1],
    "gate": get_args(Kind)[:-1],
    "views": ("list",),
}
"""The kinds that the fields of a contract's part may be of."""


class Value(NamedTuple):
    """What is known of an operand; the magnitude of a whole number is at most `most`."""

    kind: Kind
    most: int = SAFE_INTEGER
    wide: bool = False


def refuse_parts(named: Mapping[str, Iterable[str]], kinds: Mapping[str, Kind]) -> None:
    """Raise ContractError when a part of a contract names a field of a kind it cannot use."""
    for part, fits in PARTS.items():
        for path in named[part]:
            if kinds[path] not in fits:
                raise ContractError(
                    f"{part} name `{path}`, which is of kind {kinds[path]}, not {' or '.join(fits)}"
                )


def refuse_metrics(metrics: Iterable[Metric], columns: Mapping[str, Column]) -> None:
    """Raise ContractError when a metric gives no number, or totals what is no list of objects."""
    for metric in metrics:
        column = columns[metric.path]
        found = {item.path: item.kind for item in column.item}
        if not metric.items and column.kind not in (*NUMBERS, "flag"):
            raise ContractError(
                f"metrics name `{metric.path}`, which is of kind {column.kind}, not"
                f" {' or '.join((*NUMBERS, 'flag'))}; of a list of objects, `items` are totalled"
            )
        for item in metric.items:
            if not item or found.get(item) not in NUMBERS:
                raise ContractError(
                    f"metric {metric.name} totals `{item}`, no number in objects of `{metric.path}`"
                )


def refuse_untyped(expression: Expression, columns: Mapping[str, Column]) -> None:
    """Raise ContractError unless an expression over `columns` is true or false for every row."""
    try:
        _one_of(("flag",), expression.tree, columns)
    except ContractError as error:
        raise ContractError(f"rule `{expression.text}`: {error}") from None


def _one_of(kinds: tuple[Kind, ...], node: ast.expr, columns: Mapping[str, Column]) -> Value:
    """Return what an operand gives, which must be of one of `kinds`."""
    value = _value(node, columns)
    if value.kind not in kinds:
        raise ContractError(f"`{ast.unparse(node)}` is of kind {value.kind}, not {kinds[0]}")
    return value


def _value(node: ast.expr, columns: Mapping[str, Column]) -> Value:
    """Return what an expression gives, or raise ContractError."""
    if path := dotted(node):
        return Value(columns[path].kind)
    match node:
        case ast.Constant():
            return _constant(node)
        case ast.BoolOp():
            for operand in node.values:
                _one_of(("flag",), operand, columns)
        case ast.UnaryOp(op=ast.Not()):
            _one_of(("flag",), node.operand, columns)
        case ast.UnaryOp():
            return _one_of(NUMBERS, node.operand, columns)
        case ast.BinOp():
            return _computed(node, columns)
        case ast.Call(func=ast.Name(id=name)):
            return _called(name, node.args, columns)
        case ast.Compare():
            _compared(node, columns)
    return Value("flag")


def _constant(node: ast.Constant) -> Value:
    """Return what a constant is."""
    if node.value is None:
        raise ContractError("None stands after `is` and `is not` only")
    return Value(KINDS[type(node.value)])


def _computed(node: ast.BinOp, columns: Mapping[str, Column]) -> Value:
    """Return what `+`, `-` or `*` gives; a whole number must not outgrow its column."""
    left, right = _one_of(NUMBERS, node.left, columns), _one_of(NUMBERS, node.right, columns)
    if "number" in (left.kind, right.kind):
        return Value("number")
    times = isinstance(node.op, ast.Mult)
    most = left.most * right.most if times else left.most + right.most
    wide = times or left.wide or right.wide
    if most >= (WIDE if wide else NARROW):
        raise ContractError(f"`{ast.unparse(node)}` can become too large a number")
    return Value("integer", most, wide)


def _called(name: str, arguments: list[ast.expr], columns: Mapping[str, Column]) -> Value:
    """Return what a function gives, or raise ContractError."""
    first, *_ = (
        _one_of(kinds, argument, columns)
        for kinds, argument in zip(FUNCTIONS[name], arguments, strict=True)
    )
    match name:
        case "sum":
            (item, *others) = columns[dotted(arguments[0]) or ""].item
            if others or item.path or item.kind not in NUMBERS:
                raise ContractError(f"`{ast.unparse(arguments[0])}` is no list of numbers")
            return Value(item.kind, SAFE_INTEGER * MOST_ITEMS, wide=True)
        case "count" | "distinct":
            _counted(arguments, columns)
            return Value("integer", MOST_ITEMS)
        case "abs":
            return first
        case "len":
            return Value("integer", MOST_ITEMS)
        case "starts_with":
            return Value("flag")
    return Value("integer")


def _counted(arguments: list[ast.expr], columns: Mapping[str, Column]) -> None:
    """Refuse to count what is no field of a list's objects, or a value of another kind."""
    items, name, *values = arguments
    found = [
        item.kind
        for item in columns[dotted(items) or ""].item
        if isinstance(name, ast.Constant) and item.path == name.value
    ]
    if not found or found[0] == "number":
        raise ContractError(
            f"`{ast.unparse(name)}` is no field of whole numbers, texts or flags in the objects"
            f" of `{ast.unparse(items)}`"
        )
    for value in values:
        if not isinstance(value, ast.Constant):
            raise ContractError(f"`{ast.unparse(value)}` must be a constant")
        _one_of((found[0],), value, columns)


def _compared(node: ast.Compare, columns: Mapping[str, Column]) -> None:
    """Refuse a comparison of neighbours that are not of one kind, numbers all alike."""
    sides = [node.left, *node.comparators]
    for left, how, right in zip(sides, node.ops, node.comparators, strict=False):
        kind, _, wide = _value(left, columns)
        if isinstance(how, ast.Is | ast.IsNot):
            continue
        if kind == "list":
            raise ContractError(f"`{ast.unparse(left)}` is a list: only `is None` asks about it")
        if not isinstance(right, ast.Tuple):
            _one_of(NUMBERS if kind in NUMBERS else (kind,), right, columns)
            continue
        if wide:
            raise ContractError(f"`{ast.unparse(left)}` is computed: compare it with `==`")
        for constant in right.elts:  # and not all numbers alike: `in` looks for the very kind
            _one_of((kind,), constant, columns)
