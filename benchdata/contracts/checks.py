"""The kinds of check in a contract's ordered list; the first that fails is the row's error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from benchdata.contracts.fields import SAFE_INTEGER, declared
from benchdata.contracts.rules import Expression
from benchdata.errors import ContractError, RowError

WORDS = {
    "extra_forbidden": "is not a field of this contract",
    "missing": "is missing",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
    "list_type": "must be an array",
}
URGENCY = {"model_type": 0, "extra_forbidden": 1, "missing": 2}


@dataclass(frozen=True, slots=True)
class Field:
    """The declared type, bounds and format of one top-level field, at every depth."""

    name: str

    @property
    def path(self) -> str:
        """Return the path it reports when the value itself is at fault."""
        return self.name

    def apply(self, model: type[BaseModel], raw: Mapping[str, Any], row: dict[str, Any]) -> None:
        """Put the normal form of the field into `row`, or raise RowError."""
        adapter = adapters(model)[self.name]
        try:
            value = adapter.validate_python(raw[self.name], strict=True)
        except ValidationError as error:
            raise self.first(error) from None
        row[self.name] = exact(value, raw[self.name], self.name)

    def first(self, error: ValidationError) -> RowError:
        """Return the first fault: shape, unknown keys, missing keys, then values in order."""
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        fault = min(faults, key=lambda one: URGENCY.get(one["type"], 3))
        path = self.name
        for step in fault["loc"]:
            path += f"[{step}]" if isinstance(step, int) else f".{step}"
        message = fault["msg"].removeprefix("Input should be ")
        if message != fault["msg"]:
            message = f"must be {message}"
        return RowError(path, WORDS.get(fault["type"], message))


@dataclass(frozen=True, slots=True)
class IsList:
    """Only that a field is an array: for contracts that look at another field before its items."""

    name: str

    @property
    def path(self) -> str:
        """Return the path it reports."""
        return self.name

    def apply(self, _: type[BaseModel], raw: Mapping[str, Any], __: dict[str, Any]) -> None:
        """Raise RowError when the field is no array."""
        if not isinstance(raw[self.name], list):
            raise RowError(self.name, WORDS["list_type"])


@dataclass(frozen=True)
class Rule:
    """A relation between fields that come earlier in the list; `holds` is an expression."""

    path: str
    holds: str
    message: str
    expression: Expression = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Parse the expression once."""
        object.__setattr__(self, "expression", Expression(self.holds))

    def apply(self, _: type[BaseModel], __: Mapping[str, Any], row: dict[str, Any]) -> None:
        """Raise RowError when the relation does not hold."""
        try:
            holds = self.expression.of(row)
        except TypeError:
            raise ContractError(
                f"rule `{self.holds}` has no answer when a field is null: say `x is None or ...`"
            ) from None
        if not holds:
            raise RowError(self.path, self.message)


Check = Field | IsList | Rule


def fields(names: str) -> tuple[Field, ...]:
    """Return the checks of the space-separated `names`."""
    return tuple(Field(name) for name in names.split())


@cache
def adapters(model: type[BaseModel]) -> dict[str, TypeAdapter[Any]]:
    """Return the validator of each top-level field of `model`."""
    return {name: TypeAdapter(declared(info)) for name, info in model.model_fields.items()}


def exact(value: Any, raw: Any, path: str) -> Any:
    """Return a validated value as plain dicts and lists; refuse a number that is not what it was.

    Whatever types a model uses, `true` and `1.0` are no integers and none is beyond 2^53 - 1.
    """
    if isinstance(value, BaseModel):
        return {
            name: exact(getattr(value, name), raw[name], f"{path}.{name}")
            for name in type(value).model_fields
        }
    if isinstance(value, list):
        return [
            exact(*pair, f"{path}[{index}]")
            for index, pair in enumerate(zip(value, raw, strict=True))
        ]
    if isinstance(value, int) and type(raw) is not type(value):
        raise RowError(path, "must be true or false" if value is True else "must be an integer")
    if isinstance(raw, int) and abs(raw) > SAFE_INTEGER:
        raise RowError(path, "must be an integer within 2^53 - 1 either way")
    if isinstance(value, float) and not math.isfinite(value):
        raise RowError(path, "must be a finite number")
    return value
