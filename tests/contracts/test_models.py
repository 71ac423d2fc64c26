"""The models of a contract: which are refused, and how exact numbers are whatever their types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel

from benchdata.contracts.checks import Rule, fields
from benchdata.contracts.fields import Count, Row, Text, Timestamp
from benchdata.errors import ContractError
from tests.support.faults import error_of
from tests.support.trials import bare


class Span(Row):
    start: int
    end: int | None


class Open(BaseModel):
    name: str


class HoldsOpen(Row):
    inner: Open


class Optional(Row):
    name: str = "x"


class HoldsOptional(Row):
    inner: list[Optional]


class Twice(Row):
    span_start: int
    span: Span


class Cased(Row):
    name: str
    Name: str


class Reserved(Row):
    row_id: str


class Either(Row):
    name: int | str


class Mixed(Row):
    name: Literal["a", 1]


class Nothing(Row):
    name: Literal[None]


class Loose(Row):
    name: dict[str, int]


class Deep(Row):
    inner: Span


class Nested(Row):
    many: list[Deep]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Open, "Open must be a benchdata.contracts.fields.Row"),
        (HoldsOpen, "Open must be"),
        (Optional, "name: it has a default"),
        (HoldsOptional, "it has a default"),
        (Twice, "span_start is taken"),
        (Cased, "Name is taken"),
        (Reserved, "row_id is taken or reserved"),
        (Either, "one type or null"),
        (Mixed, "of one plain type"),
        (Nothing, "of one plain type"),
        (Loose, "use the types of fields.py"),
        (Nested, "the objects of a list hold plain values"),
    ],
)
def test_a_model_that_would_lose_or_change_data_is_refused(
    model: type[BaseModel], words: str
) -> None:
    with pytest.raises(ContractError) as raised:
        bare(model)
    assert words in str(raised.value)


class Plain(Row):
    """Plain Python types, which pydantic alone would take more for."""

    whole: int
    real: float
    one_or_two: Literal[1, 2]
    flag: bool
    many: list[int] | None
    inner: list[Span]


PLAIN = bare(Plain)
SAFE = 2**53 - 1


def plain(**changes: Any) -> dict[str, Any]:
    """Return a valid row of `PLAIN`."""
    inner = [{"start": 1, "end": None}, {"start": -SAFE, "end": SAFE}]
    row = {"whole": 0, "real": 0.5, "one_or_two": 1, "flag": True, "many": [1], "inner": inner}
    return row | changes


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"whole": True}, "whole"),
        ({"whole": 4.0}, "whole"),
        ({"whole": 2**53}, "whole"),
        ({"whole": -(2**53)}, "whole"),
        ({"whole": 10**400}, "whole"),
        ({"whole": "4"}, "whole"),
        ({"real": 2**53}, "real"),
        ({"real": 10**400}, "real"),
        ({"real": True}, "real"),
        ({"real": "0.5"}, "real"),
        ({"real": float("nan")}, "real"),
        ({"real": float("inf")}, "real"),
        ({"one_or_two": True}, "one_or_two"),
        ({"one_or_two": 1.0}, "one_or_two"),
        ({"one_or_two": 3}, "one_or_two"),
        ({"flag": 1}, "flag"),
        ({"flag": 1.0}, "flag"),
        ({"many": [1, True]}, "many[1]"),
        ({"many": [2**53]}, "many[0]"),
        ({"many": (1, 2)}, "many"),
        ({"inner": [{"start": 1, "end": 1.0}]}, "inner[0].end"),
        ({"inner": [{"start": 1, "end": 2**53}]}, "inner[0].end"),
        ({"inner": [{"start": 1}]}, "inner[0].end"),
        ({"inner": [{"start": 1, "end": 1, "x": 1}]}, "inner[0].x"),
        ({"inner": {}}, "inner"),
    ],
)
def test_numbers_are_exact_whatever_types_a_model_uses(changes: dict[str, Any], path: str) -> None:
    error = error_of(PLAIN, plain(**changes))
    assert error is not None
    assert error.path == path


@pytest.mark.parametrize(
    "changes", [{}, {"whole": SAFE}, {"whole": -SAFE}, {"real": 4}, {"many": None}, {"many": []}]
)
def test_exact_numbers_are_kept(changes: dict[str, Any]) -> None:
    assert PLAIN.validate(plain(**changes)) == plain(**changes)


class Lower(Row):
    word: Annotated[str, Text("small letters", "[a-z]+", longest=5, lower=True, stem="v(.*)")]
    count: int


@pytest.mark.parametrize(
    ("given", "normal"),
    [("ABC", "abc"), (" VAbc ", "abc"), ("\u212a", None), ("\u0130", None), ("abcdef", None)],
)
def test_a_text_is_lowered_in_ascii_alone(given: str, normal: str | None) -> None:
    error = error_of(bare(Lower), {"word": given, "count": 1})
    assert (error is None) == (normal is not None)
    if normal:
        assert bare(Lower).validate({"word": given, "count": 1})["word"] == normal


class Nullable(Row):
    span: Span | None


def test_a_field_of_a_null_object_is_null() -> None:
    rule = Rule("span", "span.end is None or span.end > 0", "no")
    contract = bare(Nullable, checks=(*fields("span"), rule))
    assert contract.validate({"span": None}) == {"span": None}
    assert [(column.name, column.nullable) for column in contract.columns] == [
        ("span_start", True),
        ("span_end", True),
    ]


class Timed(Row):
    at: Timestamp
    counts: list[Count]
    flag: bool | None
    rate: float


def test_the_columns_follow_from_the_types_alone() -> None:
    columns = bare(Timed).columns
    assert [(column.name, column.kind, column.nullable) for column in columns] == [
        ("at", "time", False),
        ("counts", "list", False),
        ("flag", "flag", True),
        ("rate", "number", False),
    ]
