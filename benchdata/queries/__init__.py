"""The named queries: one question a .sql file, loaded by name."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from benchdata.engine.connection import View
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
    return text(name).partition("\n")[0].removeprefix("--").strip()


def text(name: str) -> str:
    """Return the SQL of a query.

    Raises:
        QueryRefused: There is no such query.
    """
    known = names()
    if name not in known:
        hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise QueryRefused(f"no query is named `{name}`{hint}")
    return FOLDER.joinpath(f"{name}.sql").read_text("utf-8")


def views_of(dataset: Dataset) -> tuple[View, ...]:
    """Return the views of a dataset, and of one contract's also a view for each named query."""
    if len(dataset.contracts) > 1:
        return dataset.views
    return (*dataset.views, *(View(name, sql=text(name)) for name in names()))
