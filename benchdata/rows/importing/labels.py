"""The names that other tools give to tasks, arms and studies, as rows may have them."""

from __future__ import annotations

import hashlib
import re

from benchdata.contracts import privacy
from benchdata.contracts.grammar import SLUG
from benchdata.rows.importing.nodes import Node

LONGEST = 64
BETWEEN = re.compile("[^a-z0-9]+")


def label(node: Node) -> str | None:
    """Return a name as a slug: small letters and digits, one - for whatever stands between them.

    None where the source names nothing, or nothing of letters and digits.

    Raises:
        RowError: It looks like a path or a secret, which no spelling makes fit for a row.
    """
    return slug(node, node.text())


def slug(node: Node, text: str | None) -> str | None:
    """Return a part of what `node` holds as `label` does."""
    if text is None:
        return None
    if privacy.family(text):
        raise node.fault("looks like a path or a secret, which no row may hold; name it with --set")
    return BETWEEN.sub("-", text.lower()).strip("-")[:LONGEST].strip("-") or None


def last_part(text: str) -> str:
    """Return the name at the end of a path: how a skill is called that was given as its folder."""
    return re.split(r"[\\/]", text.rstrip("\\/"))[-1]


def task_id(name: str) -> str:
    """Return the id of a task: its name where that is a slug, else the SHA-256 of it.

    So no two tasks become one, and neither a path nor a sentence gets into a row.
    """
    if re.fullmatch(SLUG, name):
        return name
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
