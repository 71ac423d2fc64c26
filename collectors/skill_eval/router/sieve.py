"""Takes excluded skills out of an answer of unknown form: JSON, a list in Markdown, lines."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collectors.skill_eval.router.exclusion import JOINED, Exclusion

LABELS = (
    *("ref", "reference", "name", "fullname", "skillname", "displayname", "skill", "slug", "title"),
    *("label", "source", "url", "uri", "link", "href", "path", "package", "install", "command"),
)
"""The keys, without their - and _, whose value says which skill is meant; first what names best."""
IDS = ("id", "skillid", "identifier", "key", "handle")
"""The keys of what says so too, and may be a number that means nothing but to its server."""
HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*)")
MARKER = re.compile(r"(\s*)(?:[-*+•]|\d{1,3}[.)]|\|)\s+\S")
CONTINUED = re.compile(r"\s|[└├│>]")
DRESS = re.compile(r"^[\s>#|*+•└├─\d.)-]*")
AFTER_LABEL = re.compile(r"\s+[—–|:-]+\s+|:\s|\s\(|\s\|")
STATED = re.compile(r"\W*([A-Za-z][\w -]{0,15}?)\W*[:=]\s*(\S.*)")
OPENING = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
DECODER = json.JSONDecoder()
MOST_JSON = 200
"""Values that are looked for in one text."""
HEAD_LINES = 12
LONGEST_LABEL = 500
GONE = object()


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value in a text."""

    text: str
    value: Any


@dataclass(slots=True)
class Sieve:
    """Takes out of answers what is excluded, and remembers the opaque ids of that.

    `withheld` names what was taken out of the last answer, `shown` what stayed in it.
    """

    exclusion: Exclusion
    ids: set[str] = field(default_factory=set)
    withheld: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Forget the last answer."""
        self.withheld, self.shown = [], []

    def names_one(self, value: Any) -> bool:
        """Tell whether something in an argument stands for an excluded skill."""
        return any(self._is_one(each) for each in leaves(value))

    def structure(self, value: Any) -> Any:
        """Return what is left of a JSON value; None when nothing is.

        An object of a single text is what servers make of a text.
        """
        match value:
            case {**rest} if len(rest) == 1 and isinstance(text := next(iter(rest.values())), str):
                return {key: self.text(text) for key in rest}
        left = self._sifted(value)
        return None if left is GONE else left

    def text(self, text: str) -> str:
        """Return what is left of a text, also of JSON in it; the same when nothing is excluded."""
        return "".join(
            self._written(part)
            if isinstance(part, Json)
            else "\n".join(self._kept(part.split("\n")))
            for part in _parts(text)
        )

    def is_of_one(self, text: str) -> bool:
        """Tell whether a text is that of an excluded skill: by its first heading or what it states.

        The text of a skill that only mentions an excluded one is not.
        """
        parts = [part for part in _parts(text) if isinstance(part, Json) or part.strip()]
        if len(parts) == 1 and isinstance(parts[0], Json):
            return self.is_one(parts[0].value)
        lines = [line for line in text.split("\n") if line.strip()]
        heading = next((line for line in lines if HEADING.match(line)), "")
        stated = (match[2] for line in lines[:HEAD_LINES] if (match := _stated(line)))
        return any(map(self._is_one, (_label(heading), *stated)))

    def is_one(self, value: Any) -> bool:
        """Tell whether a JSON object is an excluded skill: it says so, or a text or object in it.

        What it lists are other skills.
        """
        if not isinstance(value, dict):
            return isinstance(value, str) and self.is_of_one(value)
        said = (*_valued(value, LABELS), *_valued(value, IDS))
        return any(map(self._is_one, said)) or any(map(self.is_one, value.values()))

    def _written(self, part: Json) -> str:
        """Return what is left of JSON in a text."""
        before = len(self.withheld)
        left = self._sifted(part.value)
        if len(self.withheld) == before:
            return part.text
        return "" if left is GONE else json.dumps(left, ensure_ascii=False)

    def _is_one(self, value: Any) -> bool:
        return str(value) in self.ids or self.exclusion.names_one(str(value))

    def _sifted(self, value: Any) -> Any:
        """Return what is left of a value: an item that stands for an excluded skill goes whole."""
        if isinstance(value, dict):
            return self._object(value)
        if not isinstance(value, list):
            return value
        left = []
        for each in value:
            if isinstance(each, str) and self._is_one(each):
                self.withheld.append(each)
            elif (kept := self._sifted(each)) is not GONE:
                left.append(kept)
        return left

    def _object(self, value: Mapping[str, Any]) -> Any:
        told = {key: each for key, each in value.items() if _is_leaf(each)}
        labels, ids = (_valued(told, keys) for keys in (LABELS, IDS))
        texts = [each for each in told.values() if isinstance(each, str)]
        if (
            any(map(self._is_one, (*labels, *ids)))
            or any(map(self.exclusion.mentions_one, texts))
            or any(self.is_of_one(text) for text in texts if "\n" in text)
        ):
            self.withheld += (*labels, *ids, "?")[:1]
            self.ids.update(ids)
            return GONE
        self.shown += (*labels, *ids)[:1]
        left = {}
        for key, each in value.items():
            if isinstance(each, str | dict | list) and self._is_one(key):  # and no `{"pdf": true}`
                self.withheld.append(key)
            elif (kept := self._sifted(each)) is not GONE:
                left[key] = kept
        return left

    def _kept(self, lines: Sequence[str]) -> Iterator[str]:
        """Give the lines that are left: sections by their headings, and in them items."""
        dropped = 0  # the level of the heading whose section goes
        body: list[str] = []
        for line in lines:
            heading = HEADING.match(line)
            if heading is None:
                body += [] if dropped else [line]
                continue
            yield from self._left(body)
            body = []
            if dropped and len(heading[1]) > dropped:
                continue
            dropped = len(heading[1]) if self._told_of_one([line]) else 0
            if dropped:
                self.withheld.append(_label(line))
            else:
                self.shown.append(_label(line))
                yield line
        yield from self._left(body)

    def _left(self, lines: Sequence[str]) -> Iterator[str]:
        for item in _items(lines):
            label = _label(item[0])
            if self._told_of_one(item):
                self.withheld.append(label)
            else:
                self.shown += [label] if MARKER.match(item[0]) or JOINED.search(label) else []
                yield from item

    def _told_of_one(self, lines: Sequence[str]) -> bool:
        stated = (match[2] for line in lines if (match := _stated(line)))
        labels = map(_label, lines)
        return any(map(self._is_one, filter(None, (*labels, *stated)))) or any(
            map(self.exclusion.mentions_one, lines)
        )


def _items(lines: Sequence[str]) -> Iterator[list[str]]:
    """Give the items of a text: what begins with a mark, or where none does each line of its own.

    A line that is indented, or leads on like a branch of a tree, belongs to the one before.
    """
    marks = (match for line in lines if (match := MARKER.match(line)))
    least = min((len(match[1]) for match in marks), default=None)

    def begins(line: str) -> bool:
        if least is None:
            return not line.strip() or not CONTINUED.match(line)
        match = MARKER.match(line)
        return match is not None and len(match[1]) <= least

    item: list[str] = []
    for line in lines:
        if item and begins(line):
            yield item
            item = []
        item.append(line)
    if item:
        yield item


def _label(line: str) -> str:
    """Return what a line is about: its beginning without bullets, up to a dash or a colon."""
    return AFTER_LABEL.split(DRESS.sub("", line)[:LONGEST_LABEL], maxsplit=1)[0].strip(" `*_\t\"'")


def _stated(line: str) -> re.Match[str] | None:
    """Return the key and the value of a line such as `name: pelican`."""
    match = STATED.fullmatch(line)
    return match if match and _squeezed(match[1]) in {*LABELS, *IDS} else None


def _valued(told: Mapping[str, Any], keys: Sequence[str]) -> list[str]:
    """Return the values of some keys, in the order of the keys."""
    said = ((key, value) for key, value in told.items() if value and _is_leaf(value))
    squeezed = {_squeezed(key): str(value) for key, value in said}
    return [squeezed[key] for key in keys if key in squeezed]


def _squeezed(key: str) -> str:
    return "".join(filter(str.isalnum, key)).casefold()


def _is_leaf(value: Any) -> bool:
    return not isinstance(value, dict | list)


def leaves(value: Any) -> Iterator[Any]:
    """Give the strings and numbers of a JSON value."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for each in value:
            yield from leaves(each)
    elif value is not None:
        yield value


def _parts(text: str) -> Iterator[str | Json]:
    """Give the parts of a text in order: JSON that begins a line, and what is between."""
    done = 0
    for start in itertools.islice(OPENING.finditer(text), MOST_JSON):
        begin = start.end() - 1
        if begin < done:
            continue
        try:
            value, end = DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            continue
        if begin > done:
            yield text[done:begin]
        yield Json(text[begin:end], value)
        done = end
    if done < len(text):
        yield text[done:]
