"""What a contract says of a value, as far as columns can prove it; else a value has no shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

import annotated_types as bounds
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic.types import Strict

from benchdata.contracts.columns import unwrap
from benchdata.contracts.fields import Instant, Real, Row, Text, declared

FEW = 1_000
"""An integer of at most so many values is best checked once a distinct text."""

Limit = tuple[Literal["ge", "gt", "le", "lt"], float]


@dataclass(frozen=True, slots=True)
class Plain:
    """A number, time or text; a natural number is an integer that has no sign."""

    kind: Literal["natural", "integer", "number", "time", "text"]
    nullable: bool = False
    limits: tuple[Limit, ...] = ()
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class Nested:
    """An object that is nothing but its fields."""

    model: type[BaseModel]


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of plain values, or of objects of plain values; `limits` are those of its length."""

    item: Plain | Nested | None
    limits: tuple[Limit, ...]


Shape = Plain | Nested | Listed


@cache
def shapes(model: type[BaseModel]) -> dict[str, Shape | None]:
    """Return the shape of each field of `model`, None where only its own check can tell."""
    return {name: shape(declared(info)) for name, info in model.model_fields.items()}


def shape(annotation: Any) -> Shape | None:
    """Return the shape of an annotation, None for all that is not surely understood."""
    base, metadata, nullable = unwrap(annotation)
    if nullable and get_origin(annotation) is Annotated:
        return None  # what is said of a value or null together may refuse the null
    facts = list(_facts(metadata))
    limits = tuple(_limits(facts))
    limited = len(limits) == len(facts) and all(
        isinstance(bound, int | float) for _, bound in limits
    )
    if isinstance(base, type) and issubclass(base, BaseModel):
        return Nested(base) if not facts and _only_fields(base) else None
    if get_origin(base) is list:
        item = shape(get_args(base)[0])
        return Listed(None if isinstance(item, Listed) else item, limits) if limited else None
    if base is int and limited:
        if _span(limits) <= FEW:
            return None
        unsigned = any(name in {"ge", "gt"} and bound >= 0 for name, bound in limits)
        return Plain("natural" if unsigned else "integer", nullable, limits)
    if base is float and (limited or isinstance(facts[0], Real)):
        return Plain("number", nullable, limits) if limited else _real(facts, nullable)
    if base is str and facts == [Instant()]:
        return Plain("time", nullable)
    if base is str and len(facts) == 1 and isinstance(facts[0], Text):
        return Plain("text", nullable, text=facts[0])
    return None


def _facts(metadata: tuple[Any, ...]) -> Iterator[Any]:
    """Yield what is said of a value, `Field(...)` taken apart; strict is what all values are."""
    for data in metadata:
        if isinstance(data, FieldInfo):
            yield from _facts(tuple(data.metadata))
        elif not isinstance(data, Strict):
            yield data


def _limits(facts: list[Any]) -> Iterator[Limit]:
    for fact in facts:
        match fact:
            case bounds.Ge(ge=bound) | bounds.MinLen(min_length=bound):
                yield "ge", bound  # type: ignore[misc]
            case bounds.Le(le=bound) | bounds.MaxLen(max_length=bound):
                yield "le", bound  # type: ignore[misc]
            case bounds.Gt(gt=bound):
                yield "gt", bound  # type: ignore[misc]
            case bounds.Lt(lt=bound):
                yield "lt", bound  # type: ignore[misc]


def _real(facts: list[Any], nullable: bool) -> Plain | None:
    """Return the shape of a number with bounds of its own."""
    if len(facts) > 1:
        return None
    low, high = facts[0].low, facts[0].high
    pairs: tuple[tuple[Literal["ge", "le"], float | None], ...] = (("ge", low), ("le", high))
    limits = tuple((name, bound) for name, bound in pairs if bound is not None)
    return Plain("number", nullable, limits)


def _span(limits: tuple[Limit, ...]) -> float:
    """Return how many integers lie within the limits."""
    low = max((bound for name, bound in limits if name in {"ge", "gt"}), default=float("-inf"))
    high = min((bound for name, bound in limits if name in {"le", "lt"}), default=float("inf"))
    return high - low


def _only_fields(model: type[BaseModel]) -> bool:
    """Tell whether a model checks its fields and nothing more."""
    more = model.__pydantic_decorators__
    own = (more.validators, more.field_validators, more.root_validators, more.model_validators)
    return (
        model.model_config == Row.model_config
        and not any(own)
        and not model.__pydantic_custom_init__
        and model.__pydantic_post_init__ is None
        and not any(info.validation_alias for info in model.model_fields.values())
        and model.__get_pydantic_core_schema__.__func__  # type: ignore[attr-defined]
        is BaseModel.__get_pydantic_core_schema__.__func__  # type: ignore[attr-defined]
    )
