"""The expressions of a contract: what may be written, what they read, what they answer."""

from __future__ import annotations

from typing import Any

import pytest

from benchdata.contracts.rules import Expression
from benchdata.errors import ContractError

ROW: dict[str, Any] = {
    "a": 3,
    "b": -2,
    "text": "synthetic-lab",
    "null": None,
    "items": [1, 2, 3],
    "parts": [{"name": "x", "ms": 5}, {"name": None, "ms": 5}, None, {"name": "x", "ms": 0}],
    "flag": False,
    "inner": {"x": 7, "deep": {"y": "why"}},
    "nothing": None,
    "start": "2026-03-02T08:00:00.000Z",
    "end": "2026-03-03T08:00:00.001Z",
}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("True", True),
        ("flag", False),
        ("not flag", True),
        ("a", 3),
        ("a + b * 2 - 1", -2),
        ("-a", -3),
        ("inner.x", 7),
        ("inner.deep.y == 'why'", True),
        ("nothing.x", None),
        ("nothing.deep.y is None", True),
        ("null is None and a is not None", True),
        ("flag or null", False),
        ("a and b", True),
        ("null == 3", False),
        ("null != 3", True),
        ("0 < a <= 3", True),
        ("0 < a < 3 or b >= -2", True),
        ("text in ('x', 'synthetic-lab')", True),
        ("a not in (1, 2)", True),
        ("null in (1, 2)", False),
        ("sum(items) == 6 and len(items) == a", True),
        ("abs(b) == 2", True),
        ("count(parts, 'name', 'x') == 2 and count(parts, 'ms', 5) == 2", True),
        ("count(parts, 'name', 'y')", 0),
        ("distinct(parts, 'name')", 2),
        ("distinct(parts, 'ms') < len(parts)", True),
        ("starts_with(text, 'synthetic-')", True),
        ("ms_between(start, end) == 86400001", True),
        ("ms_between(end, start)", -86400001),
        ("(a > 0) == (b > 0)", False),
    ],
)
def test_an_expression_answers_for_a_row(text: str, answer: Any) -> None:
    assert Expression(text).of(ROW) == answer


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("True", set()),
        ("a == 'a.b'", {"a"}),
        ("inner.deep.y is None or a in (1, 2)", {"inner.deep.y", "a"}),
        ("sum(items) + abs(a) == inner.x", {"items", "a", "inner.x"}),
        ("not (a < b < inner.x)", {"a", "b", "inner.x"}),
        ("count(inner.parts, 'name', 'x') == distinct(items, 'a')", {"inner.parts", "items"}),
        ("sum == 1", {"sum"}),
    ],
)
def test_the_fields_that_it_reads_are_known(text: str, paths: set[str]) -> None:
    assert Expression(text).paths == paths


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no expression"),
        ("a ==", "is no expression"),
        ("a = 1", "is no expression"),
        ("import os", "is no expression"),
        ("a; b", "is no expression"),
        ("a\x00", "is no expression"),
        ("a / 2", "uses Div"),
        ("a // 2", "uses FloorDiv"),
        ("a % 2", "uses Mod"),
        ("a ** 2", "uses Pow"),
        ("a | b", "uses BitOr"),
        ("~a", "uses Invert"),
        ("+a", "uses UAdd"),
        ("a[0]", "uses Subscript"),
        ("[a]", "uses List"),
        ("{a}", "uses Set"),
        ("{}", "uses Dict"),
        ("lambda: a", "uses Lambda"),
        ("a if b else 1", "uses IfExp"),
        ("[x for x in items]", "uses ListComp"),
        ("(a := 1)", "uses NamedExpr"),
        ("f'{a}'", "uses JoinedStr"),
        ("sum(*items)", "uses Starred"),
        ("abs(x=1)", "abs takes 1 argument"),
        ("open('x')", "may call only abs, count, distinct, len, ms_between"),
        ("text.lower()", "may call only"),
        ("sum(items)(1)", "may call only"),
        ("sum(items, 1)", "sum takes 1 argument"),
        ("sum()", "sum takes 1 argument"),
        ("count(items, 'x')", "count takes 3 argument"),
        ("distinct(items)", "distinct takes 2 argument"),
        ("starts_with(text)", "starts_with takes 2 argument"),
        ("'x'.real == 1", "a dot stands between names only"),
        ("(a + b).real", "a dot stands between names only"),
        ("sum(items).real", "a dot stands between names only"),
        ("a is b", "None goes with `is`"),
        ("a is 1", "None goes with `is`"),
        ("a == None", "None goes with `is`"),
        ("a in None", "None goes with `is`"),
        ("a in items", "`in` goes with a tuple of constants"),
        ("a in 'text'", "`in` goes with a tuple of constants"),
        ("a in (1, b)", "`in` goes with a tuple of constants"),
        ("a in (1, None)", "`in` goes with a tuple of constants"),
        ("a == (1, 2)", "`in` goes with a tuple of constants"),
        ("a == b'x'", "a constant is text, a number"),
        ("a == 1j", "a constant is text, a number"),
        ("a == ...", "a constant is text, a number"),
        ("a < 9007199254740992", "an integer within 2^53 - 1"),
        ("a < 1e999", "a constant is a finite number"),
    ],
)
def test_what_columns_could_not_answer_is_refused(text: str, words: str) -> None:
    with pytest.raises(ContractError) as raised:
        Expression(text)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "__builtins__", "row", "_inside(a, 'x')", "a.__class__"]
)
def test_nothing_but_fields_can_be_reached(text: str) -> None:
    try:
        expression = Expression(text)
    except ContractError:
        return
    with pytest.raises((KeyError, TypeError)):
        expression.of(ROW)


def test_expressions_are_equal_by_their_text() -> None:
    assert Expression("a == 1") == Expression("a == 1") != Expression("a == 2")
