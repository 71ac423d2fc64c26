"""What all bodies have in common: camel-case names, and values of exactly the right JSON type."""

from typing import Annotated
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

LARGEST = 2**53 - 1
"""The largest whole number that every JSON reader keeps exact."""

Text = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)]
Cents = Annotated[int, Field(strict=True, ge=0, le=LARGEST)]
Count = Annotated[int, Field(strict=True, ge=1, le=LARGEST)]


class Shape(BaseModel):
    """A body; keys that it does not name are ignored."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)


def new_id() -> str:
    """Return an id that nothing else has."""
    return str(uuid4())
