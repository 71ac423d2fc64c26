"""What the fields of a contract mean: metrics, outcomes, sources, the gate of a group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from benchdata.contracts.columns import column_name
from benchdata.contracts.rules import Expression


@dataclass(frozen=True, slots=True)
class Metric:
    """A number that groups are compared by: `path` in the row, its unit, which way is better."""

    name: str
    path: str
    unit: str
    better: Literal["lower", "higher", "neither"] = "lower"
    null_ranks: Literal["worst", "absent"] = "absent"
    min_effect: float = 0.0
    title: str = ""

    @property
    def column(self) -> str:
        """Return the name of its flat column."""
        return column_name(self.path)

    @property
    def label(self) -> str:
        """Return its name for people, without the unit."""
        return self.title or self.name.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Throughput:
    """Successful rows per second of the span from the first start to the last end (both ms)."""

    name: str
    start: str
    end: str


@dataclass(frozen=True)
class Outcome:
    """Which rows count as what: expressions, tried in the order unscored, success, partial.

    A row that fits none of them has failed. `reason` names the field that says why.
    """

    success: str
    partial: str = "False"
    unscored: str = "False"
    reason: str | None = None

    def classes(self) -> Mapping[str, Expression]:
        """Return the classes in the order they are tried."""
        return {
            "unscored": Expression(self.unscored),
            "success": Expression(self.success),
            "partial": Expression(self.partial),
        }


@dataclass(frozen=True, slots=True)
class Pin:
    """How a table prints what a group shares: `text` is a format string over the group's fields.

    Where the group's schema version lacks a field, `absent` is printed instead.
    """

    title: str
    text: str
    absent: str = "–"
    right: bool = False

    def of(self, group: Mapping[str, object]) -> str:
        """Return the text for one group's fields."""
        try:
            return self.text.format_map(group)
        except KeyError:
            return self.absent


@dataclass(frozen=True, slots=True)
class Gate:
    """What every group needs before it may be published: rows that differ in more than identity."""

    rows: int
    versions: frozenset[int] = frozenset({1})


@dataclass(frozen=True)
class Source:
    """How a file that this project did not write becomes rows; everything dropped is listed.

    `kind` names the field that tells kinds of line apart: lines of kind `rows` are the
    measurements, the fields of a `header` line join every one after it, `ignore` are left out.
    `drop` are fields left out; `rename` gives fields the names they have in the contract, and
    `snake_case` turns all others from `camelCase`. `meta.warmup` is a field of the header line
    `meta` alone, `warmup` one of any line.
    """

    kind: str | None = None
    rows: str = ""
    header: str | None = None
    ignore: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    rename: Mapping[str, str] = field(default_factory=dict)
    snake_case: bool = False
