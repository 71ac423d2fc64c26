"""A document of another tool, read field by field: what nobody asked for is told in the end."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from benchdata.contracts.fields import SAFE_INTEGER, instant_text
from benchdata.errors import RowError
from benchdata.rows.importing.names import shown
from benchdata.rows.strict_json import DOCUMENT

NOTHING: tuple[Any, ...] = (None, "", [], {})
INDEX = re.compile(r"\[\d+\]")


class Node:
    """A value in a document and the path to it; a value of another kind than asked is RowError.

    A name that no row might hold is hidden in the path, which remarks and errors show.

    Null, and what is not there, is None and never zero. Each value that is asked for counts as
    read: `unread` names the others.
    """

    __slots__ = ("_children", "_read", "_why", "path", "value")

    def __init__(self, value: Any, path: str = "") -> None:
        """Start unread."""
        self.value = value
        self.path = path
        self._children: dict[str | int, Node] = {}
        self._read = False
        self._why = ""

    def __getitem__(self, name: str) -> Node:
        """Return what an object has under `name`, null where it has nothing."""
        inner = self._of(dict, "an object") or {}
        if name not in self._children:
            path = f"{self.path}.{shown(name)}" if self.path else shown(name)
            self._children[name] = Node(inner.get(name), path)
        return self._children[name]

    def members(self) -> dict[str, Node]:
        """Return what an object has by name, nothing of null."""
        return {name: self[name] for name in self._of(dict, "an object") or {}}

    def items(self) -> list[Node]:
        """Return the items of a list, none of null."""
        inner = self._of(list, "a list") or []
        for at, each in enumerate(inner):
            if at not in self._children:
                self._children[at] = Node(each, f"{self.path}[{at}]")
        return [self._children[at] for at in range(len(inner))]

    def text(self) -> str | None:
        """Return a text that can be written down again."""
        self._read = True
        found: str | None = self._of(str, "a text")
        try:
            (found or "").encode()
        except UnicodeEncodeError:
            raise self.fault("holds half of a surrogate pair") from None
        return found

    def name(self) -> str | None:
        """Return a text, or a whole number as one: tools name things by either."""
        return str(self.whole()) if type(self.value) is int else self.text()

    def flag(self) -> bool | None:
        """Return a truth value."""
        self._read = True
        found: bool | None = self._of(bool, "true or false")
        return found

    def whole(self) -> int | None:
        """Return a count: a whole number of at least 0 that every reader keeps exact."""
        self._read = True
        found = self.value
        if found is not None and (type(found) is not int or not 0 <= found <= SAFE_INTEGER):
            raise self.fault("must be a whole number from 0 to 2^53 - 1")
        return found

    def number(self) -> float | None:
        """Return a finite number."""
        self._read = True
        return None if self.value is None else _finite(self, self.value)

    def numbers(self) -> list[float]:
        """Return the finite numbers of a list, none of null."""
        self._read = True
        return [_finite(self, each) for each in self._of(list, "a list of numbers") or []]

    def time(self) -> datetime | None:
        """Return a time, in UTC where the text has a zone."""
        text = self.text()
        if text is None:
            return None
        try:
            found = datetime.fromisoformat(text)
            return found if found.tzinfo is None else found.astimezone(UTC)
        except (ValueError, OverflowError):
            raise self.fault("must be a time as ISO 8601 has it") from None

    def instant(self) -> str | None:
        """Return a time as rows write it; one without a zone is left out: nobody can place it."""
        found = self.time()
        if found is not None and found.tzinfo is None:
            self.leave("a time without a zone")
            return None
        return None if found is None else instant_text(found)

    def leave(self, why: str) -> None:
        """Leave the value out after all, and say why."""
        self._why = why

    def fault(self, message: str) -> RowError:
        """Return the error of this value; it never repeats the value."""
        return RowError(self.path or DOCUMENT, message)

    def seconds(self, start: str, end: str) -> float | None:
        """Return the seconds between two times of an object; both have a zone, or neither."""
        began, ended = self[start].time(), self[end].time()
        if began is None or ended is None or (began.tzinfo is None) != (ended.tzinfo is None):
            return None
        return (ended - began).total_seconds()

    def unread(self) -> Iterator[str]:
        """Yield the path of every value that was not asked for, or was left out with a reason.

        Empty values are nothing that could be lost. All items of a list have one path.
        """
        if self._why:
            yield ": ".join(filter(None, (INDEX.sub("[]", self.path), self._why)))
        elif not self._read and self.value not in NOTHING:
            if self._children:
                for child in self._all():
                    yield from child.unread()
            else:
                yield INDEX.sub("[]", self.path)

    def _all(self) -> Iterator[Node]:
        """Yield everything inside, also what nobody asked for."""
        yield from (self.members().values() if isinstance(self.value, dict) else self.items())

    def _of(self, kind: type[Any], words: str) -> Any:
        if self.value is not None and not isinstance(self.value, kind):
            raise self.fault(f"must be {words}")
        return self.value


def _finite(node: Node, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise node.fault("must be a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise node.fault("must be a finite number")
    return number
