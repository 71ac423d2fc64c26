"""The named queries: one question a .sql file, loaded by name."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from string import Template
from typing import TYPE_CHECKING

from benchdata.engine.connection import View, quoted
from benchdata.errors import QueryRefused, did_you_mean

if TYPE_CHECKING:
    from benchdata.dataset import Dataset

FOLDER = resources.files(__name__)


def names() -> tuple[str, ...]:
    """Return the names of the queries, sorted."""
    files = (file.name for file in FOLDER.iterdir())
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


def views_of(dataset: Dataset) -> tuple[View, ...]:
    """Return the views of a dataset, and of one contract's also a view for each named query."""
    if len(dataset.contracts) > 1:
        return dataset.views
    plain = (name for name in names() if not Template(_template(name)).get_identifiers())
    return (*dataset.views, *(View(name, sql=_template(name)) for name in plain))


def _identifiers(value: str | Sequence[str]) -> str:
    return ", ".join(map(quoted, [value] if isinstance(value, str) else value))


def _template(name: str) -> str:
    known = names()
    if name not in known:
        hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise QueryRefused(f"no query is named `{name}`{hint}")
    return FOLDER.joinpath(f"{name}.sql").read_text("utf-8")
