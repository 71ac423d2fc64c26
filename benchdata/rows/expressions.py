"""A contract's expressions, read by columns: the twin of `benchdata.contracts.rules` for rows.

The column answers as the row does, nulls included, and null where the row would raise: never a
wrong yes. What is not proven here goes to the row.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence, Set
from copy import deepcopy
from typing import Any

import polars as pl

from benchdata.contracts.columns import column_name
from benchdata.contracts.rules import Expression, dotted, field_paths

OPERATORS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: lambda left, right: _wide(left) * right,
    ast.Is: lambda left, _: left.is_null(),
    ast.IsNot: lambda left, _: left.is_not_null(),
    ast.In: lambda left, right: left.is_in(right),
    ast.NotIn: lambda left, right: ~left.is_in(right),
}
"""What a comparison or an arithmetic operator does to columns."""

BETWEEN_VALUES: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Eq: lambda left, right: left.eq_missing(right),
    ast.NotEq: lambda left, right: left.ne_missing(right),
    ast.In: lambda left, right: left.is_in(right).fill_null(value=False),
    ast.NotIn: lambda left, right: ~left.is_in(right).fill_null(value=False),
}
"""The same between fields and constants, where null is a value like another."""

FUNCTIONS: Mapping[str, Callable[..., pl.Expr]] = {
    "sum": lambda items: items.list.eval(_wide(pl.element())).list.sum(),
    "len": lambda items: items.list.len().cast(pl.Int64),
    "count": lambda items, name, value: items.list.eval(
        _inside(name).eq_missing(value).cast(pl.Int64)
    ).list.sum(),
    "distinct": lambda items, name: items.list.eval(_inside(name)).list.n_unique().cast(pl.Int64),
    "abs": lambda number: number.abs(),
    "ms_between": lambda start, end: (end - start).dt.total_milliseconds(),
    "starts_with": lambda text, prefix: text.str.starts_with(prefix),
}


def _wide(number: Any) -> Any:
    """Return a number, integers with 128 bits: they must not wrap around into a wrong yes."""
    return number * pl.lit(1, dtype=pl.Int128)


def _inside(name: str) -> pl.Expr:
    """Return a field of each object of a list."""
    return pl.element().struct.field(name)


def column(expression: Expression) -> pl.Expr:
    """Return the expression over the flat columns of a contract."""
    result = _visit(expression.tree)
    return result if isinstance(result, pl.Expr) else pl.lit(result)


class Parted(ast.NodeTransformer):
    """Expressions of which a part is found once for all rows with the same values.

    A part that reads one of `groups` of columns alone, and is surely true or false, is replaced by
    a column of its own; `flags` say for each group how these are called and what they are.
    """

    def __init__(self, groups: Sequence[Set[str]]) -> None:
        """Have no flags yet."""
        self._groups, self._names = groups, dict[str, str]()
        self.flags = [dict[str, pl.Expr]() for _ in groups]

    def column(self, expression: Expression) -> pl.Expr:
        """Return the expression over the flat columns of a contract and the flags."""
        return _expression(self.visit(deepcopy(expression.tree)))

    def visit(self, node: ast.AST) -> Any:
        """Return a node with its parts replaced."""
        if isinstance(node, ast.BoolOp | ast.Compare) and _known(node):
            columns = set(map(column_name, field_paths(node)))
            for group, flags in zip(self._groups, self.flags, strict=True):
                if columns and columns <= group:
                    name = self._names.setdefault(ast.unparse(node), f"_{len(self._names)}")
                    flags[name] = _expression(node)
                    return ast.Name(name)
        return super().visit(node)


def _visit(node: ast.expr) -> Any:
    """Return a polars expression, or the plain value of a constant."""
    if path := dotted(node):
        return pl.col(column_name(path))
    match node:
        case ast.Constant():
            return node.value
        case ast.Tuple():
            return [_visit(item) for item in node.elts]
        case ast.BoolOp():
            truths = [_truth(value) for value in node.values]
            known = all(map(_known, node.values[:-1]))
            return (_any if isinstance(node.op, ast.Or) else _all)(truths, known=known)
        case ast.UnaryOp(op=ast.Not()):
            return ~_truth(node.operand)
        case ast.UnaryOp():
            return -_visit(node.operand)
        case ast.BinOp():
            return OPERATORS[type(node.op)](_visit(node.left), _visit(node.right))
        case ast.Call(func=ast.Name(id=name)):
            return FUNCTIONS[name](*(_visit(argument) for argument in node.args))
        case ast.Compare():
            return _compared(node)
    raise AssertionError(f"rules.py let {ast.dump(node)} through")


def _truth(node: ast.expr) -> pl.Expr:
    """Return an operand of `and`, `or` or `not`; a flag that is null counts as no."""
    value = _expression(node)
    return value.fill_null(value=False) if dotted(node) else value


def _expression(node: ast.expr) -> pl.Expr:
    """Return a polars expression, a constant's included."""
    value = _visit(node)
    return value if isinstance(value, pl.Expr) else pl.lit(value)


def _known(node: ast.expr) -> bool:
    """Tell whether an operand of `and`, `or` or `not` is surely true or false, never null."""
    match node:
        case ast.BoolOp():
            return all(map(_known, node.values))
        case ast.UnaryOp(op=ast.Not()):
            return _known(node.operand)
        case ast.Compare():
            safe = (
                ast.Is,
                ast.IsNot,
                *(BETWEEN_VALUES if _values(node.left, *node.comparators) else ()),
            )
            return len(node.ops) == 1 and isinstance(node.ops[0], safe)
        case _:
            return bool(dotted(node)) or isinstance(node, ast.Constant)


def _values(*sides: ast.expr) -> bool:
    """Tell whether all are fields or constants, and none is made of them."""
    return all(dotted(side) or isinstance(side, ast.Constant | ast.Tuple) for side in sides)


def _all(values: list[pl.Expr], *, known: bool = False) -> pl.Expr:
    """Return whether all are true, from left to right: null when none is false before a null."""
    if known:
        return pl.all_horizontal(values)
    return ~_any([~value for value in values])


def _any(values: list[pl.Expr], *, known: bool = False) -> pl.Expr:
    """Return whether one is true, from left to right: null when none is true before a null.

    When all but the last are `known` not to be null, that is what polars itself means by it.
    """
    if known:
        return pl.any_horizontal(values)
    found = pl.coalesce(
        *(pl.when(value).then(1).when(value.is_null()).then(-1) for value in values), 0
    )
    return pl.when(found >= 0).then(found == 1)


def _compared(node: ast.Compare) -> pl.Expr:
    """Return a chain of comparisons, each with its neighbour."""
    nodes = [node.left, *node.comparators]
    answers: list[pl.Expr] = []
    for left, how, right in zip(nodes, node.ops, nodes[1:], strict=False):
        between = BETWEEN_VALUES if _values(left, right) else {}
        compare = between.get(type(how)) or OPERATORS[type(how)]
        answers.append(compare(_expression(left), _visit(right)))
    return _all(answers) if len(answers) > 1 else answers[0]
