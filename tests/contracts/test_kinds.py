"""What a contract's expressions may ask of which kind of field."""

from __future__ import annotations

import pytest

from benchdata.contracts.fields import Count, Label, Number, Row, Timestamp, flat_row
from benchdata.contracts.meaning import Outcome
from benchdata.errors import ContractError
from benchdata.rows import frames
from tests.support.trials import bare


class Part(Row):
    name: Label | None
    ms: Count
    share: Number
    good: bool


MODEL = flat_row(
    {
        "a b": Count,
        "r": Number | None,
        "s t": Label,
        "f": bool,
        "start end": Timestamp,
        "items": list[int],
        "reals": list[Number],
        "names": list[Label],
        "parts": list[Part] | None,
    }
)

SUM = "a"
for _ in range(11):
    SUM = f"({SUM} + {SUM})"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "True",
            "f",
            "not f",
            "f == (a > 1)",
            "f and a < r * 2",
            "0 < a <= 3.5",
            "a in (1, 2)",
            "r in (1.0, 2.5)",
        ),
        *("s == 'x' and s < t", "s not in ('x', 'y')", "starts_with(s, 'x') or r is None"),
        *("start < end", "abs(ms_between(start, end)) - a <= 5", "-a + -r * 2 == 0"),
        *("sum(items) * len(names) == a", "sum(reals) > 0.5", "names is not None", "a * b > 0"),
        *(
            "count(parts, 'name', 'x') * a == count(parts, 'ms', 5)",
            "count(parts, 'good', True) > r",
        ),
        *("distinct(parts, 'name') + distinct(parts, 'good') <= len(parts)", "parts is None"),
    ],
)
def test_what_a_column_answers_is_taken(text: str) -> None:
    contract = bare(MODEL, outcome=Outcome(success=text))
    assert frames.from_rows([], [], contract).height == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a", "`a` is of kind integer, not flag"),
        ("s", "`s` is of kind text, not flag"),
        ("not a", "`a` is of kind integer, not flag"),
        ("f and s", "`s` is of kind text, not flag"),
        ("None", "None stands after"),
        ("f or None", "None stands after"),
        ("s > 5", "`5` is of kind integer, not text"),
        ("f == 1", "`1` is of kind integer, not flag"),
        ("start == '2026-03-02T08:00:00.000Z'", "of kind text, not time"),
        ("a in (1, 'x')", "`'x'` is of kind text, not integer"),
        ("r in (1, 2.5)", "`1` is of kind integer, not number"),
        ("a * b in (1, 2)", "`a * b` is computed"),
        ("0 < a < s", "`s` is of kind text, not integer"),
        ("items == items", "`items` is a list"),
        ("s - 1 == 0", "`s` is of kind text, not integer"),
        ("len(s * 1000000) > 0", "`s` is of kind text, not integer"),
        ("f + f == 2", "`f` is of kind flag, not integer"),
        ("-s == s", "`s` is of kind text, not integer"),
        ("end - start > 0", "`end` is of kind time, not integer"),
        ("ms_between(s, t) == 0", "`s` is of kind text, not time"),
        ("starts_with(a, 'x')", "`a` is of kind integer, not text"),
        ("len(s) > 1", "`s` is of kind text, not list"),
        ("abs(items) > 1", "`items` is of kind list, not integer"),
        ("sum(names) > 1", "`names` is no list of numbers"),
        ("count(s, 'name', 'x') > 1", "`s` is of kind text, not list"),
        ("count(names, 'name', 'x') > 1", "`'name'` is no field of whole numbers, texts or flags"),
        ("count(parts, 'no', 'x') > 1", "`'no'` is no field of whole numbers, texts or flags"),
        ("count(parts, 'share', 0.5) > 1", "`0.5` is of kind number, not integer"),
        ("count(parts, 'share', 1) > 1", "`'share'` is no field of whole numbers"),
        ("distinct(parts, 'share') > 1", "in the objects of `parts`"),
        ("distinct(parts, s) > 1", "`s` is no field of whole numbers"),
        ("distinct(parts, 5) > 1", "`5` is of kind integer, not text"),
        ("count(parts, 'name', s) > 1", "`s` must be a constant"),
        ("count(parts, 'name', 5) > 1", "`5` is of kind integer, not text"),
        ("count(parts, 'ms', True) > 1", "`True` is of kind flag, not integer"),
        ("a * a * a > 0", "`a * a * a` can become too large"),
        ("sum(items) * a * a > 0", "can become too large"),
        (f"{SUM} > 0", "can become too large"),
    ],
)
def test_what_no_column_answers_is_refused_with_the_contract(text: str, words: str) -> None:
    with pytest.raises(ContractError, match="contract bare: rule `") as raised:
        bare(MODEL, outcome=Outcome(success=text))
    assert words in str(raised.value)
