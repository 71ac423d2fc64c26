"""The skills that no search may find: told by name, however that is spelt."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from urllib.parse import unquote

from benchdata.contracts.grammar import REFERENCE, SOURCED
from benchdata.errors import InputError, shorten

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _.-]{0,62}[A-Za-z0-9])?")
ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]*://[^/]*")
VERSION = re.compile(
    r"[\^~]?v?\d+(?:\.\d+)*(?:[-+.][0-9a-z.]+)?|latest|next|stable|main|master|head"
)
ENDING = re.compile(
    r"(?:[-_.]v?\d+(?:\.\d+)+|[-_.]v\d+|[-_](?:latest|main|master)"
    r"|\.(?:git|md|skill|zip|tar|gz|tgz))+$"
)
WORD = re.compile(r"[^\s,;()\[\]{}<>\"'`*|]+")
MARKED = re.compile(r"`([^`\n]{1,80})`|\*\*([^*\n]{1,80})\*\*")
JOINED = re.compile(r"[^\W_][-_/@#:.][^\W_]")
MOST_DECODED = 3
LONGEST = 2_000
"""Of what can be a name or an address; of longer texts the beginning and the end are looked at."""


@dataclass(frozen=True)
class Exclusion:
    """The excluded skills, by names in small letters with hyphens.

    A skill is known by its name alone: a copy of it in another repository is excluded too.
    """

    names: tuple[str, ...] = ()

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(map(_key, self.names))

    def names_one(self, text: str) -> bool:
        """Tell whether an id, a reference, an address or a title is that of an excluded skill."""
        return bool(self._keys) and any(_key(each) in self._keys for each in _readings(text))

    def mentions_one(self, text: str) -> bool:
        """Tell whether a text holds such an id: a word of several parts, or one that is marked.

        A name of one word that stands unmarked in a sentence is no mention: `pdf` is a word too.
        """
        if not self._keys:
            return False
        marked = (found for pair in MARKED.findall(text) for found in pair if found)
        words = (word.strip(".:!?") for word in WORD.findall(text))
        joined = (word for word in words if JOINED.search(word))
        return any(map(self.names_one, (*marked, *joined)))


def excluding(names: Iterable[str]) -> Exclusion:
    """Return the skills of these names; a reference `owner/repo@skill` stands for its skill.

    Raises:
        InputError: One of them is no skill's name.
    """
    return Exclusion(tuple(sorted({_named(each) for each in names})))


def _named(text: str) -> str:
    """Return the name of a skill that was given by it or by a reference."""
    sourced = re.fullmatch(SOURCED, text)
    reference = sourced[1] if sourced else text
    name = reference.rpartition("@")[2] if re.fullmatch(REFERENCE, reference) else text
    if not NAME.fullmatch(name):
        raise InputError(
            f"exclude: {shorten(text, 80) or 'an empty name'}: must be a skill's name, or"
            " owner/repo@skill"
        )
    return re.sub(r"[ _.]+", "-", name.casefold())


def _readings(text: str) -> Iterator[str]:
    """Give the parts of a text that may be the name of the skill it stands for.

    That is the text itself; what follows `@` or `#` and is no version; of a path the folders below
    `owner/repo`, or its end.
    """
    plain = _plain(text)
    yield plain
    for part in re.split(r"[?&=:]+", ADDRESS.sub("", plain)):
        place, *named = re.split("[@#]", part)
        told = [each for name in named if not VERSION.fullmatch(name) for each in name.split("/")]
        steps = [step for step in place.split("/") if step not in {"", "skill.md"}]
        if not told:
            told = steps[2:] or steps[-1:]
        for each in told:
            yield each
            yield ENDING.sub("", each)


def _plain(text: str) -> str:
    """Return a text without what two spellings of one name may differ in."""
    text = text.strip()
    if len(text) > LONGEST:
        text = text[: LONGEST // 2] + text[-LONGEST // 2 :]
    for _ in range(MOST_DECODED):
        text = unescape(unquote(text))
    shown = (char for char in text if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKD", "".join(shown)).casefold().strip(" \t\r\n\"'`*<>()[]")


def _key(name: str) -> str:
    """Return the letters and digits of a name."""
    return "".join(filter(str.isalnum, name))
