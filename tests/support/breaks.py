"""What breaks one check of a contract: changes to a valid row, and the path they report."""

from __future__ import annotations

from typing import NamedTuple

from tests.support.trees import Changes


class Break(NamedTuple):
    """Changes to a valid row, each of which breaks one check first, with `path` reported."""

    name: str
    path: str
    ways: tuple[Changes, ...]


def broken(name: str, path: str, *ways: Changes) -> Break:
    """Return a break of the check `name`."""
    return Break(name, path, ways)
