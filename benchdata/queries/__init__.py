"""The named queries: one question a .sql file, loaded by name."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from importlib import resources
from string import Template

from benchdata.errors import QueryRefused

FOLDER = resources.files(__name__)
MACROS = FOLDER / "macros.sql"


def names() -> tuple[str, ...]:
    """Return the names of the queries, sorted."""
    files = {file.name for file in FOLDER.iterdir()} - {MACROS.name}
    return tuple(sorted(file.removesuffix(".sql") for file in files if file.endswith(".sql")))


def question(name: str) -> str:
    """Return the question that a query answers, the first line of its file.

    Raises:
        QueryRefused: There is no such query.
    """
    return _template(name).partition("\n")[0].removeprefix("--").strip()


def text(name: str, **parts: str | Sequence[str]) -> str:
    """Return the SQL of a query, each `$part` replaced by identifiers, quoted, comma between.

    Raises:
        QueryRefused: There is no such query, or a part is missing or unknown.
    """
    template = Template(_template(name))
    wanted = set(template.get_identifiers())
    if wrong := sorted(wanted.symmetric_difference(parts)):
        takes = ", ".join(sorted(wanted)) or "none"
        raise QueryRefused(f"query {name}: parts {', '.join(wrong)} do not fit; it takes {takes}")
    return template.substitute({part: _identifiers(value) for part, value in parts.items()})


def quoted(identifier: str) -> str:
    """Return an SQL identifier that means exactly this name, whatever it holds."""
    return '"' + identifier.replace('"', '""') + '"'


def did_you_mean(word: str, choices: Sequence[str]) -> str:
    """Return `; did you mean X?` for the choice closest to a misspelt word, or nothing."""
    folded = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.75)
    return f"; did you mean `{folded[close[0]]}`?" if close else ""


def _identifiers(value: str | Sequence[str]) -> str:
    return ", ".join(map(quoted, [value] if isinstance(value, str) else value))


def _template(name: str) -> str:
    known = names()
    if name not in known:
        hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise QueryRefused(f"no query is named `{name}`{hint}")
    return FOLDER.joinpath(f"{name}.sql").read_text("utf-8")
