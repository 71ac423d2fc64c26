"""Values read from bytes in columns: what Python and the contract's own types make of them."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal, get_args

import numpy as np
import pyarrow as pa
import pytest
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError, field_validator

from benchdata.contracts import privacy
from benchdata.contracts.fields import (
    Commit,
    Count,
    Instant,
    Label,
    ModelId,
    Number,
    Real,
    Row,
    Semver,
    Text,
    Timestamp,
    Uuid4,
)
from benchdata.rows.proof.blocks import line_block
from benchdata.rows.proof.columns import READERS
from benchdata.rows.proof.patterns import pattern
from benchdata.rows.proof.shapes import Listed, Nested, Plain, shape
from tests.support.mutations import NUMBERS, TIMES, WORDS


def read(kind: str, texts: list[str]) -> list[Any]:
    """Return what the bytes of each text are as a value of `kind`, None where they are none."""
    data = [text.encode() for text in texts]
    block = line_block(b"\t".join(data))
    size = np.array([len(one) for one in data])
    start = np.cumsum(size + 1) - size - 1
    values, ok = READERS[kind](block, start, start + size, block.windows("<u8")[start])
    return [value if good else None for value, good in zip(values.tolist(), ok, strict=True)]


def test_integers_are_what_python_reads() -> None:
    draw = random.Random(3)
    texts = [str(draw.randrange(10**size)) for size in range(1, 18) for _ in range(300)]
    texts += [str(10**size + step) for size in range(17) for step in (-1, 0, 1)]
    texts += [text for text in NUMBERS if text.isascii() and "\t" not in text]
    texts += [f"-{text}" for text in texts]
    for kind, least in (("natural", 0), ("integer", -(2**53) + 1)):
        for text, value in zip(texts, read(kind, texts), strict=True):
            written = re.fullmatch(r"0|-?[1-9][0-9]*", text)
            taken = written and least <= int(text) < 2**53
            assert value == (int(text) if taken else None), (kind, text)


def test_numbers_are_what_python_reads() -> None:
    draw = random.Random(4)
    texts = [repr(draw.uniform(-1, 1) * 10 ** draw.randrange(-320, 308)) for _ in range(5_000)]
    texts += [repr(draw.randrange(10 ** draw.randrange(1, 20)) / 7) for _ in range(2_000)]
    texts += [
        f"{draw.randrange(10**17)}.{draw.randrange(10**9)}e{draw.randrange(-30, 30)}"
        for _ in range(3_000)
    ]
    texts += [text for text in NUMBERS if text and text.isascii()]
    json_number = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
    for text, value in zip(texts, read("number", texts), strict=True):
        number = float(text) if re.fullmatch(json_number, text) else float("inf")
        whole = re.fullmatch(r"-?[0-9]+", text)
        left = abs(number) == float("inf") or (whole and (abs(int(text)) >= 2**53 or text == "-0"))
        assert value == (None if left else number), text
        assert value is None or str(value) == str(number), text


def test_times_are_what_the_calendar_has() -> None:
    first = datetime(1, 1, 1, tzinfo=UTC)
    days = [first + timedelta(days=day, milliseconds=day * 977) for day in range(0, 3_652_059, 397)]
    texts = [
        f"{day:%Y}".zfill(4) + f"{day:-%m-%dT%H:%M:%S}.{day.microsecond // 1000:03}Z"
        for day in days
    ]
    texts += [f"{text[:19]}Z" for text in texts] + [text for text in TIMES if "\t" not in text]
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    for text, value in zip(texts, read("time", [f'"{text}"' for text in texts]), strict=True):
        try:
            normal = Instant().normal(text)
        except ValueError:
            assert value is None, text
            continue
        ms = (datetime.fromisoformat(normal) - epoch) // timedelta(milliseconds=1)
        assert value == ms or (value is None and normal[:19] != text[:19]), text
    assert (
        read("time", ["2026-03-02T08:00:00.000Z", '"2026-03-02T08:00:00.000Z', "null"])
        == [None] * 3
    )


TEXTS: dict[str, Any] = {
    "uuid": Uuid4,
    "semver": Semver,
    "commit": Commit,
    "model": ModelId,
    "label": Label,
    "free": Annotated[str, Text("anything", longest=12)],
    "spaces": Annotated[str, Text("words", "[a-z ]*", longest=9, lower=True)],
    "refusing": Annotated[str, Text("no x", r"\w{1,5}(?:-\d+)?", refuse=(("^x|x$", "no x"),))],
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_proven_by_pattern_is_valid_normal_and_no_secret(name: str) -> None:
    text = get_args(TEXTS[name])[1]
    holds = pattern(text)
    assert holds
    draw = random.Random(name)
    seeds = [
        "0b7f0d3e-51c6-4c1a-9f52-3d9e4a6b8c10",
        "1.2.3-rc.1+b",
        "3149e534fba",
        "a/b-1:c",
        "x1-9",
    ]
    letters = [*"abcxyzABF019 ._-/:~+", '"', "\\", "é", "\x7f", "\t", "sk-", "latest", "v"]
    samples = [*seeds, *WORDS]
    for _ in range(4_000):
        base = draw.choice(seeds)
        at = draw.randrange(len(base) + 1)
        samples.append(base[:at] + draw.choice(letters) + base[at + draw.randrange(3) :])
        samples.append("".join(draw.choices(letters, k=draw.randrange(14))))
    samples = [sample for sample in samples if "\\u" not in sample]
    proven = holds(pa.array(samples, pa.large_string()))
    for sample, yes in zip(samples, proven, strict=True):
        try:
            normal = text.normal(sample)
        except ValueError:
            normal = None
        plain = sample.isascii() and sample.isprintable() and not set('"\\') & set(sample)
        wanted = normal == sample and plain and privacy.family(sample) is None
        assert bool(yes) == wanted, sample
    assert 20 < proven.sum() < len(samples) - 20


@pytest.mark.parametrize(
    "source",
    [
        *(
            "a(?=b)",
            r"(a)\1",
            "a*+",
            "a++",
            r"\bword",
            r"[[a]b]",
            "[a--b]",
            "[a&&b]",
            r"\<a",
            "(?i)a",
        ),
        *(r"\Aab\Z", "a{,3}", "é", "(?P<n>a)", r"\x41", "a{1001}", r"\s", "[^-a]"),
    ],
)
def test_a_pattern_that_two_engines_may_read_differently_is_left_alone(source: str) -> None:
    assert pattern(Text("text", source)) is None
    assert pattern(Text("text", "[a-z]+", refuse=((source, "no"),))) is None


class Inner(Row):
    x: Count


class Checked(Row):
    x: Count

    @field_validator("x")
    @classmethod
    def even(cls, value: int) -> int:
        assert value % 2 == 0
        return value


class Loose(Row, str_strip_whitespace=True):
    x: Label


SHAPES: list[tuple[Any, Any]] = [
    (Count, Plain("natural", limits=(("ge", 0), ("le", 2**53 - 1)))),
    (Count | None, Plain("natural", nullable=True, limits=(("ge", 0), ("le", 2**53 - 1)))),
    (int, Plain("integer")),
    (Annotated[int, Field(gt=-3)], Plain("integer", limits=(("gt", -3),))),
    (Annotated[int, Field(ge=1, le=100)], None),
    (Annotated[int, Field(multiple_of=2)], None),
    (Annotated[int, AfterValidator(abs)], None),
    (Annotated[int | None, Field(ge=0)], None),
    (Number, Plain("number")),
    (float, Plain("number")),
    (Annotated[float, Real(0, 1)], Plain("number", limits=(("ge", 0), ("le", 1)))),
    (Annotated[float, Field(lt=1)] | None, Plain("number", nullable=True, limits=(("lt", 1),))),
    (Annotated[float, Field(allow_inf_nan=True)], None),
    (Timestamp, Plain("time")),
    (Timestamp | None, Plain("time", nullable=True)),
    (Annotated[str, Instant("[0-9]+")], None),
    (Label, Plain("text", text=get_args(Label)[1])),
    (Annotated[str, Text("a"), Field(max_length=3)], None),
    (str, None),
    (bool, None),
    (Literal["a", "b"], None),
    (Inner, Nested(Inner)),
    (Inner | None, Nested(Inner)),
    (Checked, None),
    (Loose, None),
    (list[int], Listed(Plain("integer"), ())),
    (list[bool], Listed(None, ())),
    (list[Inner], Listed(Nested(Inner), ())),
    (list[list[int]], Listed(None, ())),
    (
        Annotated[list[int], Field(min_length=1, max_length=3)],
        Listed(Plain("integer"), (("ge", 1), ("le", 3))),
    ),
    (Annotated[list[int], AfterValidator(sorted)], None),
]


@pytest.mark.parametrize(("annotation", "expected"), SHAPES)
def test_only_what_is_surely_understood_has_a_shape(annotation: Any, expected: Any) -> None:
    assert shape(annotation) == expected


def test_the_types_themselves_take_what_the_shapes_stand_for() -> None:
    for annotation, value in ((Count, 5), (Number, 1.5), (Timestamp, "2026-03-02T08:00:00Z")):
        TypeAdapter(annotation).validate_python(value, strict=True)
    with pytest.raises(ValidationError):
        TypeAdapter(Annotated[int, Field(gt=-3)]).validate_python(-3, strict=True)
