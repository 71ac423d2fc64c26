"""An expression over columns never says yes where the one over rows says no or cannot say."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from benchdata.contracts.fields import Count, Label, Number, Row, Timestamp
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.contracts.rules import Expression
from benchdata.rows import frames
from benchdata.rows.expressions import Parted, column
from tests.support.trials import bare

SAFE = 2**53 - 1


class Inner(Row):
    x: Count | None
    y: Label | None


class Part(Row):
    name: Label | None
    size: int | None
    good: bool


class Wide(Row):
    a: int | None
    b: int | None
    r: Number | None
    s: Label | None
    t: Label
    f: bool | None
    start: Timestamp | None
    end: Timestamp
    items: list[int] | None
    parts: list[Number]
    objects: list[Part] | None
    inner: Inner | None


WIDE = bare(Wide)


def wide_row(draw: random.Random) -> dict[str, Any]:
    """Return a random row, with nulls and the largest integers among its values."""

    def maybe(value: Any) -> Any:
        return None if draw.random() < 0.25 else value

    def whole() -> int:
        return draw.choice([0, 1, -1, 2, 3, SAFE, -SAFE, draw.randrange(-5, 5)])

    def real() -> float:
        return draw.choice([0.0, -0.5, 0.5, 1.0, 3.0, float(SAFE), draw.randrange(-8, 8) / 4])

    def text() -> str:
        return draw.choice(["x", "y", "synthetic-1", "Z"])

    def instant() -> str:
        return f"2026-03-0{draw.randrange(1, 4)}T08:00:00.{draw.randrange(3):03d}Z"

    def part() -> dict[str, Any]:
        return {"name": maybe(text()), "size": maybe(whole()), "good": draw.random() < 0.5}

    return {
        "a": maybe(whole()),
        "b": maybe(whole()),
        "r": maybe(real()),
        "s": maybe(text()),
        "t": text(),
        "f": maybe(draw.random() < 0.5),
        "start": maybe(instant()),
        "end": instant(),
        "items": maybe([whole() for _ in range(draw.randrange(4))]),
        "parts": [real() for _ in range(draw.randrange(3))],
        "objects": maybe([part() for _ in range(draw.randrange(4))]),
        "inner": maybe({"x": maybe(abs(whole())), "y": maybe(text())}),
    }


def number(draw: random.Random, depth: int) -> str:
    """Return the text of a random expression that is a number."""
    leaves = ["a", "b", "r", "inner.x", "0", "1", "2.5", str(SAFE)]
    leaves += ["sum(items)", "len(items)", "sum(parts)", "len(parts)", "ms_between(start, end)"]
    leaves += ["count(objects, 'name', 'x')", "count(objects, 'size', 1)", "len(objects)"]
    leaves += ["count(objects, 'good', True)", "distinct(objects, 'name')"]
    leaves += ["distinct(objects, 'size')", "distinct(objects, 'good')"]
    if depth == 0 or draw.random() < 0.4:
        return draw.choice(leaves)
    left, right = number(draw, depth - 1), number(draw, depth - 1)
    return draw.choice(
        [f"({left} + {right})", f"({left} - {right})", f"({left} * {right})", f"abs(a - {left})"]
    )


def condition(draw: random.Random, depth: int) -> str:
    """Return the text of a random expression that is true or false."""
    if depth and draw.random() < 0.6:
        left, right = condition(draw, depth - 1), condition(draw, depth - 1)
        return draw.choice(
            [
                *(f"({left} and {right})", f"({left} or {right})", f"(not {left})"),
                *(f"({left} == {right})", f"({left} != {right})"),
            ]
        )
    compare = draw.choice(["==", "!=", "<", "<=", ">", ">="])
    return draw.choice(
        [
            f"({number(draw, 1)} {compare} {number(draw, 1)})",
            f"({number(draw, 0)} <= {number(draw, 0)} < {number(draw, 0)})",
            f"({draw.choice(['s', 't', 'inner.y'])} {compare} 'x')",
            f"({draw.choice(['s', 't', 'inner.y'])} in ('x', 'Z'))",
            f"({draw.choice(['s', 'inner.y'])} not in ('x', 'y'))",
            f"({draw.choice(['a', 'inner.x', 's', 'items', 'start'])} is None)",
            f"({draw.choice(['b', 'inner.y', 'r', 'f'])} is not None)",
            f"starts_with({draw.choice(['s', 't', 'inner.y'])}, 'synthetic-')",
            "(start <= end)",
            "f",
            "True",
        ]
    )


def by_row(expression: Expression, row: dict[str, Any]) -> Any:
    """Return the row's answer, the exception where it cannot say."""
    try:
        return expression.of(row)
    except TypeError as error:
        return error


def whole(frame: pl.DataFrame, expressions: list[Expression]) -> pl.DataFrame:
    """Return the answers of the columns, each expression as a whole."""
    return frame.select(column(one).alias(str(index)) for index, one in enumerate(expressions))


def in_parts(frame: pl.DataFrame, expressions: list[Expression]) -> pl.DataFrame:
    """Return the same with parts of the expressions found beforehand."""
    parted = Parted([{"s", "inner_y"}, {"t", "a", "start", "items"}])
    columns = [parted.column(one).alias(str(index)) for index, one in enumerate(expressions)]
    assert all(parted.flags)
    return frame.with_columns(**parted.flags[0], **parted.flags[1]).select(columns)


@pytest.mark.parametrize("answered", [whole, in_parts])
def test_a_random_column_is_never_a_wrong_yes(
    answered: Callable[[pl.DataFrame, list[Expression]], pl.DataFrame],
) -> None:
    draw = random.Random(20260302)
    rows = [wide_row(draw) for _ in range(150)]
    assert [WIDE.validate(row) for row in rows] == rows
    frame = frames.from_rows(range(len(rows)), rows, WIDE)
    texts = {condition(draw, 2) for _ in range(400)}
    expressions = [Expression(text) for text in sorted(texts)]
    answers = answered(frame, expressions)
    yes = unknown = 0
    for index, expression in enumerate(expressions):
        for row, answer in zip(rows, answers[str(index)], strict=True):
            expected = by_row(expression, row)
            if answer is not None:
                assert not isinstance(expected, TypeError), (expression.text, row)
                assert answer is bool(expected), (expression.text, row)
            yes += answer is True
            unknown += answer is None and not isinstance(expected, TypeError)
    assert yes > 10_000
    assert unknown < 1_000


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("a * b < 0", {"a": 2**40, "b": 2**40}),
        ("sum(items) < 0", {"items": [SAFE] * 2000}),
        ("sum(parts) < 1", {"parts": [0.5, 0.75]}),
    ],
)
def test_no_sum_or_product_wraps_around_or_is_cut(text: str, changes: dict[str, Any]) -> None:
    row = wide_row(random.Random(1)) | changes
    frame = frames.from_rows([1], [row], WIDE)
    assert frame.select(column(Expression(text))).item() is False
    assert Expression(text).of(row) is False


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("not f", True),
        ("f or t == 'x'", True),
        ("f and t == 'x'", False),
        ("s == 'x'", False),
        ("s != 'x'", True),
        ("s == inner.y", True),
        ("s in ('x', 'y')", False),
        ("s not in ('x', 'y')", True),
        ("a is None or a > 0", True),
        ("inner.x is None and t == 'x'", True),
        ("t == 'x' or a > 0", True),
        ("t == 'y' and a > 0", False),
        ("a > 0 or t == 'x'", None),
        ("a > 0 and t == 'y'", None),
        ("not (a > 0)", None),
        ("a + 1 != 2", None),
        ("a + 1 in (1, 2)", None),
        ("a + 1 not in (1, 2)", None),
        ("a + 1 not in (1, 2) or t == 'x'", None),
        ("t == 'x' or a + 1 not in (1, 2)", True),
        ("len(items) == 0", None),
        ("count(objects, 'name', 'x') == 0", None),
        ("objects is None or distinct(objects, 'name') == 0", True),
        ("starts_with(s, 'x')", None),
        ("0 < 1 < a", None),
    ],
)
def test_null_means_to_columns_what_it_means_to_rows(text: str, answer: bool | None) -> None:
    nothing = dict.fromkeys(Wide.model_fields) | {"t": "x", "parts": []}
    nothing["end"] = "2026-03-02T08:00:00.000Z"
    expression = Expression(text)
    found = frames.from_rows([1], [nothing], WIDE).select(column(expression)).item()
    assert found is answer
    expected = by_row(expression, nothing)
    assert isinstance(expected, TypeError) if answer is None else expected is answer


def test_every_rule_of_jev_social_is_a_column_too() -> None:
    frame = frames.empty(JEV_SOCIAL)
    for version in JEV_SOCIAL.models:
        for check in JEV_SOCIAL.checks_of(version):
            if hasattr(check, "expression"):
                assert frame.select(column(check.expression)).dtypes == [pl.Boolean()]
