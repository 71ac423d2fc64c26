"""What the fields of a contract mean: metrics, outcomes, the plan, sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from benchdata.contracts.columns import column_name
from benchdata.contracts.rules import Expression
from benchdata.numbers import MISSING


@dataclass(frozen=True, slots=True)
class Metric:
    """A number that groups are compared by: `path` in the row, its unit, which way is better.

    A flag counts as 0 or 1. Of a list of objects, the value is the total of the fields `items`,
    null when one of them is, or when the list is empty. `bounds` are the ends of a score, compared
    by differences; what has none is an amount, compared by ratios. `min_effect` is M, in the unit
    of a score and as a share of an amount. In a comparison, null counts as `null_ranks` says, and
    the value of a row that is no success as `failure_ranks` says.
    """

    name: str
    path: str
    unit: str
    better: Literal["lower", "higher", "neither"] = "lower"
    null_ranks: Literal["worst", "absent"] = "absent"
    failure_ranks: Literal["worst", "measured"] = "measured"
    min_effect: float = 0.0
    bounds: tuple[float, float] | None = None
    items: tuple[str, ...] = ()
    title: str = ""

    @property
    def column(self) -> str:
        """Return the name of the flat column that it is read from."""
        return column_name(self.path)

    @property
    def label(self) -> str:
        """Return its name for people, without the unit."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def heading(self) -> str:
        """Return its name with the unit, as columns are headed; a unit in the name stands once."""
        named = self.unit.lower() in self.label.lower().split()
        return self.label if named or not self.unit else f"{self.label} {self.unit}"


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

    Where a field is null, or the group's schema version lacks it, `absent` is printed instead.
    """

    title: str
    text: str
    absent: str = MISSING
    right: bool = False

    def of(self, group: Mapping[str, object]) -> str:
        """Return the text for one group's fields."""
        try:
            return self.text.format_map({k: v for k, v in group.items() if v is not None})
        except KeyError:
            return self.absent


@dataclass(frozen=True, slots=True)
class Design:
    """How the rows were planned: the fields that say what was compared, on what, how often.

    `compared` are the fields that tell the arms of one group apart, `baselines` the values of the
    first of them that the others are judged against: in each context the one that is there. `task`
    and `repeat` name one cell of the plan inside an arm, `planned_tasks` and `planned_repeats` its
    size as each row carries it, `batch` the invocation that a row belongs to. `sequence` is a
    number that grows from row to row, for rows whose start time is that of a whole series.
    """

    compared: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    task: str | None = None
    repeat: str | None = None
    planned_tasks: str | None = None
    planned_repeats: str | None = None
    batch: str | None = None
    sequence: str | None = None

    def fields(self) -> tuple[str, ...]:
        """Return every field that is named."""
        single = (self.task, self.repeat, self.planned_tasks, self.planned_repeats, self.batch)
        return (*self.compared, *(name for name in single if name))


@dataclass(frozen=True)
class Cell:
    """Fields that no two rows of a dataset share, but for the one logged retry of a lost run.

    The field `retry` of the retry holds the identity of the row that it repeats, for which the
    expression `retried` holds; in every other row it is null.
    """

    fields: tuple[str, ...]
    retry: str
    retried: str


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
