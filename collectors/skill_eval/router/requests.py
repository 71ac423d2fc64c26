"""What an agent asks of the `skills` program: which command, and of `add` and `use` which skill."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from benchdata.contracts.grammar import REFERENCE

Command = Literal["find", "add", "use"]

COMMANDS: Mapping[str, Command] = {
    **dict.fromkeys(("find", "search", "f", "s"), "find"),
    **dict.fromkeys(("add", "install", "a", "i"), "add"),
    "use": "use",
}
"""By what the program calls them; it has others, which are not for a benchmark."""
SAID = frozenset({"-g", "--global", "-y", "--yes", "--copy"})
"""Options of `add` that change nothing here."""
SELECTS = ("-s", "--skill")
AGENTS = ("-a", "--agent")
PAGE = re.compile(r"https?://(?:www\.)?skills\.sh/([^/?#]+/[^/?#]+)/([^/?#]+)/?")
REPOSITORY = re.compile(r"(?:https?://(?:www\.)?github\.com/)?([^/?#:@]+/[^/?#:@]+?)(?:\.git)?/?")


def reference_of(words: Sequence[str]) -> str | None:
    """Return the one skill that the arguments of `add` or `use` name, as `owner/repo@skill`.

    That is such a reference, the address of its page in the catalog, or a repository of GitHub with
    `--skill`. Whatever else the program understands (branches, paths, other hosts, all skills of a
    repository) is None: what cannot be told from its spelling is not fetched.
    """
    sources: list[str] = []
    named: list[str] = []
    for kind, word in _sorted(words):
        if kind == "unknown":
            return None
        {"source": sources, "skill": named, "ignored": []}[kind].append(word)
    if len(sources) != 1 or len(named) > 1:
        return None
    return _reference(sources[0], *named)


def _sorted(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give each argument with what it is: an option may be followed by several values."""
    kind = "source"
    for word in words:
        option, equals, value = word.partition("=")
        if not word.startswith("-"):
            yield kind, word
        elif word in SAID:
            kind = "source"
        elif option in (*SELECTS, *AGENTS):
            kind = "skill" if option in SELECTS else "ignored"
            if equals:
                yield kind, value
                kind = "source"
        else:
            yield "unknown", word


def _reference(source: str, skill: str | None = None) -> str | None:
    repository, _, name = source.partition("@")
    if page := PAGE.fullmatch(source):
        repository, name = page.groups()
    elif found := REPOSITORY.fullmatch(source):
        repository = found[1]
    if skill is not None and name:
        return None
    reference = f"{repository}@{(skill or name).lower()}"
    return reference if re.fullmatch(REFERENCE, reference) else None
