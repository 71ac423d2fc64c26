"""Names of another tool as a remark may show them: a key of a document may hold anything."""

from __future__ import annotations

from benchdata.contracts import privacy

HIDDEN = "(a name that looks like a path or a secret)"


def shown(name: str) -> str:
    """Return a name, or `HIDDEN` where no row might hold it either."""
    return HIDDEN if privacy.family(name) else name
