"""Expressions over the fields of a row, written once as text and read by rows and by columns.

`timing_ms.jev_total == sum(jev_step_latency_ms)` is Python's own syntax, cut down to what a row
(this module) and a column (`benchdata.rows.expressions`) can answer: field paths, constants,
comparisons, `in`, `is None`, `and` `or` `not`, `+ - *`, and the functions of the table below.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import CodeType
from typing import Any

from benchdata.contracts.fields import SAFE_INTEGER
from benchdata.errors import ContractError


def ms_between(start: str, end: str) -> int:
    """Return the milliseconds from `start` to `end`, both in the normal form of a timestamp."""
    span = datetime.fromisoformat(end) - datetime.fromisoformat(start)
    return (span.days * 86_400 + span.seconds) * 1_000 + span.microseconds // 1_000


def _inside(owner: Mapping[str, Any] | None, name: str) -> Any:
    """Return a field of an object; of an object that is null every field is."""
    return None if owner is None else owner[name]


def count(items: Sequence[Mapping[str, Any] | None], name: str, value: object) -> int:
    """Return how many objects of a list have `value` in their field `name`."""
    return sum(_inside(item, name) == value for item in items)


def distinct(items: Sequence[Mapping[str, Any] | None], name: str) -> int:
    """Return how many values the field `name` has in the objects of a list, null among them."""
    return len({_inside(item, name) for item in items})


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "sum": sum,
    "len": len,
    "count": count,
    "distinct": distinct,
    "abs": abs,
    "ms_between": ms_between,
    "starts_with": str.startswith,
}

ARGUMENTS: Mapping[str, int] = {"ms_between": 2, "starts_with": 2, "count": 3, "distinct": 2}
"""How many arguments a function takes, where it is not one."""


_GLOBALS: dict[str, Any] = {"__builtins__": {}, "_inside": _inside, **FUNCTIONS}

ALLOWED = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE),
    *(ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot, ast.Call, ast.Name, ast.Attribute),
    *(ast.Constant, ast.Tuple, ast.Load),
)


@dataclass(frozen=True)
class Expression:
    """One expression over a row; `paths` are the fields it reads."""

    text: str
    tree: ast.expr = field(init=False, repr=False, compare=False)
    paths: frozenset[str] = field(init=False, repr=False, compare=False)
    code: CodeType = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Parse the text and compile it for rows; refuse what columns could not answer."""
        try:
            tree = ast.parse(self.text, mode="eval")
        except (SyntaxError, ValueError) as error:  # of a null byte Python 3.11 says ValueError
            said = getattr(error, "msg", error)
            raise ContractError(f"rule `{self.text}` is no expression: {said}") from None
        for node in ast.walk(tree):
            if not isinstance(node, ALLOWED):
                raise ContractError(
                    f"rule `{self.text}` uses {type(node).__name__}, which rules lack"
                )
            if fault := _fault(node):
                raise ContractError(f"rule `{self.text}`: {fault}")
        paths = frozenset(field_paths(tree.body))
        lookups = ast.fix_missing_locations(ast.Expression(_Lookups().visit(tree.body)))
        object.__setattr__(self, "tree", ast.parse(self.text, mode="eval").body)
        object.__setattr__(self, "paths", paths)
        object.__setattr__(self, "code", compile(lookups, "<rule>", "eval"))

    def of(self, row: Mapping[str, Any]) -> Any:
        """Return the value of the expression for one row in normal form."""
        return eval(self.code, _GLOBALS, {"row": row})


def _fault(node: ast.AST) -> str | None:
    """Return what is wrong with one node of an allowed kind, None when nothing is."""
    match node:
        case ast.Constant(value=value) if not isinstance(value, str | int | float | None):
            return "a constant is text, a number, True, False or None"
        case ast.Constant(value=int() | float() as value) if not _kept(value):
            return "a constant is a finite number, and an integer within 2^53 - 1 either way"
        case ast.Attribute() if dotted(node) is None:
            return "a dot stands between names only"
        case ast.Call(func=ast.Name(id=name), args=arguments):
            wanted = ARGUMENTS.get(name, 1)
            return None if len(arguments) == wanted else f"{name} takes {wanted} argument(s)"
        case ast.Compare(ops=operators, comparators=rights):
            for operator, right in zip(operators, rights, strict=True):
                null = isinstance(right, ast.Constant) and right.value is None
                if null != isinstance(operator, ast.Is | ast.IsNot):
                    return "None goes with `is` and `is not`, and they with nothing else"
                constants = isinstance(right, ast.Tuple) and all(
                    isinstance(item, ast.Constant) and item.value is not None for item in right.elts
                )
                if constants != isinstance(operator, ast.In | ast.NotIn):
                    return "`in` goes with a tuple of constants, and nothing else does"
    return None


def _kept(number: float) -> bool:
    """Tell whether a constant is a number that a row could hold."""
    return math.isfinite(number) if isinstance(number, float) else abs(number) <= SAFE_INTEGER


def dotted(node: ast.expr) -> str | None:
    """Return `a.b.c` for a chain of names, None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (owner := dotted(node.value)):
        return f"{owner}.{node.attr}"
    return None


def field_paths(node: ast.AST) -> Iterator[str]:
    """Yield the path of every field that `node` reads."""
    if isinstance(node, ast.expr) and (path := dotted(node)):
        yield path
        return
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
            raise ContractError(f"a rule may call only {', '.join(sorted(FUNCTIONS))}")
        for argument in node.args:
            yield from field_paths(argument)
        return
    for child in ast.iter_child_nodes(node):
        yield from field_paths(child)


class _Lookups(ast.NodeTransformer):
    """Turn field paths into look-ups in `row`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave the function's own name alone."""
        return ast.Call(node.func, [self.visit(argument) for argument in node.args], [])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Answer with True or False, never with the operand that decided."""
        decided = ast.BoolOp(node.op, [self.visit(value) for value in node.values])
        return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), decided))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Look a top-level field up."""
        return ast.Subscript(ast.Name("row", ast.Load()), ast.Constant(node.id), ast.Load())

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Look a nested field up."""
        arguments = [self.visit(node.value), ast.Constant(node.attr)]
        return ast.Call(ast.Name("_inside", ast.Load()), arguments, [])
