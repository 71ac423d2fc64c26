"""The store: collections of documents in one SQLite file, which outlives the process."""

import os
import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

Document = TypeVar("Document", bound=BaseModel)

# Every handler is a coroutine, so all of them share one thread and this one connection. What a
# handler does between two awaits happens at once for all others.
_database = sqlite3.connect(Path(os.environ["DATA_DIR"], "storefront.sqlite"))
_database.execute("PRAGMA journal_mode = WAL")
_database.execute("PRAGMA synchronous = NORMAL")


def transaction() -> AbstractContextManager[sqlite3.Connection]:
    """Return a context: all changes made in it are stored, or none."""
    return _database


class Collection(Generic[Document]):
    """Documents of one model by their ids."""

    def __init__(self, name: str, model: type[Document]) -> None:
        self._name = name
        self._model = model
        _database.execute(
            f"CREATE TABLE IF NOT EXISTS {name} (id TEXT PRIMARY KEY, document TEXT NOT NULL)"
        )

    def get(self, key: str) -> Document | None:
        """Return a document, or None."""
        query = f"SELECT document FROM {self._name} WHERE id = ?"
        row = _database.execute(query, (key,)).fetchone()
        return row and self._model.model_validate_json(row[0])

    def all(self) -> list[Document]:
        """Return all documents, oldest first."""
        query = f"SELECT document FROM {self._name} ORDER BY rowid"
        return [self._model.model_validate_json(row[0]) for row in _database.execute(query)]

    def put(self, key: str, document: Document) -> None:
        """Add a document or replace it; stored when the transaction ends."""
        _database.execute(
            f"INSERT INTO {self._name} VALUES (?, ?)"
            " ON CONFLICT (id) DO UPDATE SET document = excluded.document",
            (key, document.model_dump_json()),
        )

    def delete(self, key: str) -> bool:
        """Remove a document and return whether it was there."""
        query = f"DELETE FROM {self._name} WHERE id = ?"
        return _database.execute(query, (key,)).rowcount == 1
