"""What the views of a dataset need and engines have no common words for, as templates of SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from benchdata.contracts.columns import Kind
from benchdata.engine.connection import literal, quoted


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one engine writes it; `{}` is where the parts go.

    `time` is the type of an instant, `lists` a list of values, `structs` one object of `fields`,
    `lines` a line for each object of a list, `refusal` what fails with a message. `totals` give the
    total of something about each item of a list, of whole numbers and of others; it is unknown as
    `known_total` says. Of the `texts` kinds every engine writes a value as the same text.
    """

    texts: tuple[Kind, ...]
    time: str
    lists: str
    structs: str
    fields: str
    lines: str
    refusal: str
    totals: Mapping[bool, str]

    def list_of(self, values: Iterable[str]) -> str:
        """Return the list of some values."""
        return self.lists.format(", ".join(values))

    def struct_of(self, values: Mapping[str, str]) -> str:
        """Return the object that has these values by name."""
        return self.structs.format(
            ", ".join(
                self.fields.format(value, name=quoted(name), text=literal(name))
                for name, value in values.items()
            )
        )

    def total(self, items: str, value: str, *, whole: bool) -> str:
        """Return the total of `value`, which speaks of an `item`, over a list of `items`."""
        return self.totals[whole].format(items=items, value=value)


DUCKDB = Dialect(
    texts=get_args(Kind),
    time="timestamptz",
    lists="[{}]",
    structs="struct_pack({})",
    fields="{name} := {}",
    lines="unnest({}, recursive := true)",
    refusal="error({})",
    totals=dict.fromkeys((True, False), "known_total([{value} for item in {items}])"),
)
# No macro of Spark takes a list that is made on the spot, so this is `known_total` written out.
KNOWN = (
    "case when array_size({{items}}) > 0 then reduce({{items}}, cast(0 as {0}), "
    "(total, item) -> cast(total + ({{value}}) as {0})) end"
)
SPARK = Dialect(
    texts=("integer", "text", "flag"),
    time="timestamp",
    lists="array({})",
    structs="named_struct({})",
    fields="{text}, {}",
    lines="inline({})",
    refusal="raise_error({})",
    totals={True: KNOWN.format("decimal(38, 0)"), False: KNOWN.format("double")},
)
