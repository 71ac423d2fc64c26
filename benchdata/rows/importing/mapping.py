"""What a format of another tool is: where its records lie, and which field of a row each fills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from benchdata.errors import BenchdataError, InputError, printable
from benchdata.rows.importing.nodes import Node
from benchdata.rows.strict_json import decode_document

MOST_TOLD = 50
"""Failures that are explained; the others are counted."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Record(Generic[T]):
    """What one row is made of: `place` is how an error names it, `told` what the fields read."""

    place: str
    told: T


@dataclass(frozen=True, slots=True)
class Told(Generic[T]):
    """How a field of a row is filled: in words for people, and from a record."""

    words: str
    value: Callable[[T], Any]


@dataclass
class Reading:
    """One import under way: what the user said, and what could not be read or has no field.

    `given` holds the fields that the user set, `chosen_score` which of several scores counts.
    `left_out` counts what no row holds: by its path in a document or by its kind, with the reason
    where there is one. `task_names` are those of tasks by the digest in the row, `seen_scores` the
    names of all scores that were seen.
    """

    given: Mapping[str, Any] = field(default_factory=dict)
    chosen_score: str | None = None
    rows: int = 0
    failed: int = 0
    failures: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    task_names: dict[str, str] = field(default_factory=dict)
    seen_scores: set[str] = field(default_factory=set)

    def fail(self, place: str, error: BenchdataError) -> None:
        """Keep that a record could not be imported."""
        self.failed += 1
        if len(self.failures) < MOST_TOLD:
            self.failures.append(printable(f"{place}: {error}"))

    def records(
        self,
        place: str,
        data: Callable[[], bytes],
        made: Callable[[Node], Iterator[Record[T]]],
        noun: str = "",
    ) -> Iterator[Record[T]]:
        """Yield the records made of a document, and then keep what nobody asked for in it.

        A document that cannot be read fails, and so does what comes after a fault of its shape.
        With a `noun`, of which every document must hold one, so does a document without any.
        """
        holds = False
        try:
            document = Node(decode_document(data()))
            for record in made(document):
                holds = True
                yield record
        except BenchdataError as error:
            self.fail(place, error)
        else:
            self.left_out.update(document.unread())
            if noun and not holds:
                self.fail(place, InputError(f"holds no {noun}"))


@dataclass(frozen=True, slots=True)
class Format(Generic[T]):
    """One format: `noun` is what a row is made of, `name` what the source calls that, uniquely.

    `fields` fills the fields of a row; the source does not tell what is not in it. An `outcome` of
    what has no score becomes `unscored`, and `infrastructure` has no score whatever the source
    says. `hint` says what a source must hold.
    """

    key: str
    noun: str
    records: Callable[[Path, Reading], Iterator[Record[T]]]
    name: Callable[[T], str]
    fields: Mapping[str, Told[T]]
    hint: str
