"""A contract's expressions, read by columns: the twin of `benchdata.contracts.rules` for rows.

Where a row would raise or a null is met the column answers null, never a wrong yes: what is not
proven here goes to the row.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import polars as pl

from benchdata.contracts.rules import Expression, dotted

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
    ast.And: operator.and_,
    ast.Or: operator.or_,
    ast.Is: lambda left, _: left.is_null(),
    ast.IsNot: lambda left, _: left.is_not_null(),
    ast.In: lambda left, right: left.is_in(right),
    ast.NotIn: lambda left, right: ~left.is_in(right),
}

FUNCTIONS: Mapping[str, Callable[..., pl.Expr]] = {
    "sum": lambda items: items.list.eval(_wide(pl.element())).list.sum(),
    "len": lambda items: items.list.len().cast(pl.Int64),
    "abs": lambda number: number.abs(),
    "ms_between": lambda start, end: (end - start).dt.total_milliseconds(),
    "starts_with": lambda text, prefix: text.str.starts_with(prefix),
}


def _wide(number: Any) -> Any:
    """Return a number, integers with 128 bits: they must not wrap around into a wrong yes."""
    return number * pl.lit(1, dtype=pl.Int128)


def column(expression: Expression) -> pl.Expr:
    """Return the expression over the flat columns of a contract."""
    result = _visit(expression.tree)
    return result if isinstance(result, pl.Expr) else pl.lit(result)


def _visit(node: ast.expr) -> Any:
    """Return a polars expression, or the plain value of a constant."""
    if path := dotted(node):
        return pl.col(path.replace(".", "_"))
    match node:
        case ast.Constant():
            return node.value
        case ast.Tuple():
            return [_visit(item) for item in node.elts]
        case ast.BoolOp():
            return reduce(OPERATORS[type(node.op)], (_visit(value) for value in node.values))
        case ast.UnaryOp(op=ast.Not()):
            operand = _visit(node.operand)
            return ~operand if isinstance(operand, pl.Expr) else not operand
        case ast.UnaryOp():
            return -_visit(node.operand)
        case ast.BinOp():
            return OPERATORS[type(node.op)](_visit(node.left), _visit(node.right))
        case ast.Call(func=ast.Name(id=name)):
            return FUNCTIONS[name](*(_visit(argument) for argument in node.args))
        case ast.Compare():
            return _compared(node)
    raise AssertionError(f"rules.py let {ast.dump(node)} through")


def _compared(node: ast.Compare) -> pl.Expr:
    """Return a chain of comparisons, each with its neighbour."""
    first, *others = (_visit(operand) for operand in (node.left, *node.comparators))
    lefts = [first if isinstance(first, pl.Expr) else pl.lit(first), *others]
    pairs = zip(lefts, node.ops, others, strict=False)
    answers = [OPERATORS[type(op)](left, right) for left, op, right in pairs]
    return pl.all_horizontal(answers) if len(answers) > 1 else answers[0]
