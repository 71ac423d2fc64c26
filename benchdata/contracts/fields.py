"""The types a row's fields are made of: each says what a value must be and what its normal form is.

They annotate the pydantic models of contracts. Text is checked in one order everywhere: type, trim,
not empty, length, control characters, normal form, format, refusals. No message repeats the value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    create_model,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from benchdata.errors import ContractError

SAFE_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader keeps exact; beyond it a value is refused."""

# What JavaScript's trim removes: Python's strip differs at both ends of this list.
BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
UPPER_TO_LOWER = {ord(upper): upper.lower() for upper in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


class Row(BaseModel):
    """The base of every model of a contract: strict, closed and frozen."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def flat_row(types: Mapping[str, Any]) -> type[Row]:
    """Return the model of a row without objects in it, from `{"names, a space between": type}`.

    Raises:
        ContractError: A name stands twice.
    """
    fields: dict[str, Any] = {}
    for names, kind in types.items():
        for name in names.split():
            if name in fields:
                raise ContractError(f"flat_row: the field {name} stands twice")
            fields[name] = (kind, ...)
    return create_model("FlatRow", __base__=Row, **fields)


def declared(info: FieldInfo) -> Any:
    """Return what a model says of one of its fields, as one annotation."""
    return Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation


def fault(message: str) -> PydanticCustomError:
    """Return the error that a field type raises; braces would be read as placeholders."""
    return PydanticCustomError("field", "{message}", {"message": message})


@dataclass(frozen=True, slots=True)
class Text:
    """A string: `words` name it in messages, `pattern` must match the whole normal form.

    Of a text that `stem` matches whole, only the group of `stem` stays.
    """

    words: str
    pattern: str | None = None
    longest: int = 64
    lower: bool = False
    stem: str = ""
    refuse: tuple[tuple[str, str], ...] = ()

    def normal(self, value: str) -> str:
        """Return the normal form of `value`, or raise with the first thing wrong with it."""
        text = value.strip(BLANKS)
        if not text:
            raise fault("must not be empty")
        if len(text.encode("utf-16-le", "surrogatepass")) // 2 > self.longest:
            raise fault(f"must be at most {self.longest} characters")
        if CONTROLS.search(text):
            raise fault("must not hold control characters")
        if self.lower:
            text = text.translate(UPPER_TO_LOWER)
        if self.stem and (found := re.fullmatch(self.stem, text, re.ASCII)):
            text = found[1]
        if self.pattern is not None and not re.fullmatch(self.pattern, text, re.ASCII):
            raise fault(f"must be {self.words}")
        for pattern, words in self.refuse:
            if re.search(pattern, text, re.ASCII):
                raise fault(words)
        return text

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check the type first, then everything else."""
        strict = core_schema.str_schema(strict=True)
        return core_schema.no_info_after_validator_function(self.normal, strict)

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describe the normal form."""
        schema: dict[str, Any] = {"type": "string", "maxLength": self.longest, "minLength": 1}
        if self.pattern is not None:
            schema["pattern"] = f"^(?:{self.pattern})$"
        if self.refuse:
            schema["not"] = {"anyOf": [{"pattern": pattern} for pattern, _ in self.refuse]}
        return schema | {"description": self.words}


@dataclass(frozen=True, slots=True)
class Instant:
    """A UTC time to the millisecond; the normal form is always `YYYY-MM-DDTHH:MM:SS.mmmZ`."""

    pattern: str = (
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{3})?Z"
    )
    words: str = "a UTC time such as 2026-01-31T09:30:00.000Z"
    text: Text = field(init=False)

    def __post_init__(self) -> None:
        """Share the checks of text."""
        object.__setattr__(self, "text", Text(self.words, self.pattern, 30))

    def normal(self, value: str) -> str:
        """Return `value` with milliseconds, or raise when it is no instant of the calendar."""
        text = self.text.normal(value)
        try:
            datetime.fromisoformat(text[:19])
        except ValueError:
            raise fault("must be a time that exists in the calendar") from None
        return text if len(text) == len("YYYY-MM-DDTHH:MM:SS.mmmZ") else f"{text[:19]}.000Z"

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check the type first, then the instant."""
        strict = core_schema.str_schema(strict=True)
        return core_schema.no_info_after_validator_function(self.normal, strict)

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describe the normal form."""
        return {"type": "string", "format": "date-time", "pattern": f"^{self.pattern}$"}


def instant_text(time: datetime) -> str:
    """Return a UTC time in the normal form of `Instant`."""
    # and not strftime, which writes the year 900 with three digits
    return time.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


@dataclass(frozen=True, slots=True)
class Real:
    """A finite number in `low` .. `high`; an integer is taken when every reader keeps it exact."""

    low: float | None = None
    high: float | None = None

    def normal(self, value: object) -> float:
        """Return the number as a float, or raise."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise fault("must be a number")
        if isinstance(value, int) and abs(value) > SAFE_INTEGER:
            raise fault("must be an integer within 2^53 - 1 either way, or be written as a float")
        number = float(value)
        if not math.isfinite(number):
            raise fault("must be a finite number")
        if (self.low is not None and number < self.low) or (
            self.high is not None and number > self.high
        ):
            raise fault(f"must be {self.words}")
        return number

    @property
    def words(self) -> str:
        """Say the bounds."""
        if self.low is None or self.high is None:
            return f"at least {self.low:g}" if self.low is not None else f"at most {self.high:g}"
        return f"from {self.low:g} to {self.high:g}"

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check everything in one place."""
        return core_schema.no_info_plain_validator_function(
            self.normal, serialization=core_schema.to_string_ser_schema(when_used="json")
        )

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describe the bounds."""
        bounds = {"minimum": self.low, "maximum": self.high}
        return {"type": "number"} | {
            key: bound for key, bound in bounds.items() if bound is not None
        }


SEGMENT = "[A-Za-z0-9][A-Za-z0-9._-]*"
FLOATING = (
    r"^~|(?:^|[/_.:-])[Ll][Aa][Tt][Ee][Ss][Tt](?:$|[:/_.-])",
    "must name an immutable model, not a floating alias",
)
VERSION_TAIL = r"(?:-[A-Za-z0-9.-]+)?(?:\+[A-Za-z0-9.-]+)?"

Uuid4 = Annotated[
    str,
    Text(
        "a UUIDv4",
        "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        longest=36,
        lower=True,
    ),
]
Timestamp = Annotated[str, Instant()]
Semver = Annotated[
    str,
    Text(
        "a version such as 0.6.0",
        rf"[0-9]+\.[0-9]+\.[0-9]+{VERSION_TAIL}",
        longest=64,
        stem="v(.*)",
    ),
]
Commit = Annotated[
    str, Text("a commit of 7 to 40 hex digits", "[0-9a-f]{7,40}", longest=40, lower=True)
]
ModelId = Annotated[
    str,
    Text(
        "a model id such as vendor/model-1.2-20260917",
        rf"~?{SEGMENT}(?:/{SEGMENT}){{0,3}}(?::{SEGMENT})?",
        longest=128,
        refuse=(FLOATING,),
    ),
]
Label = Annotated[str, Text("letters, digits and . _ -", SEGMENT, longest=64)]
Count = Annotated[int, Field(strict=True, ge=0, le=SAFE_INTEGER)]
Number = Annotated[float, Real()]
