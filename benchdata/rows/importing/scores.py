"""Scores as rows have them: from 0 to 1, or none."""

from __future__ import annotations

import math
from collections.abc import Mapping

from benchdata.errors import InputError
from benchdata.rows.importing.mapping import Reading
from benchdata.rows.importing.names import shown
from benchdata.rows.importing.nodes import Node


def chosen(scores: Mapping[str, Node], reading: Reading, usual: str = "") -> Node | None:
    """Return the score that counts: the one the user chose, the usual one, or the only one.

    Raises:
        InputError: There are several, and nobody says which one counts.
    """
    reading.seen_scores.update(scores)
    if reading.chosen_score is not None:
        return scores.get(reading.chosen_score)
    if len(scores) > 1 and usual not in scores:
        names = ", ".join(map(shown, sorted(scores)))
        raise InputError(f"there are several scores ({names}): say which counts with --score NAME")
    return scores.get(usual) or next(iter(scores.values()), None)


def unit_score(node: Node | None) -> float | None:
    """Return a score from 0 to 1; another number is left out, since nobody knows its scale."""
    if node is None or node.value is None:
        return None
    if isinstance(node.value, float) and math.isnan(node.value):
        node.leave("not a number")
        return None
    found = node.number()
    if found is not None and not 0 <= found <= 1:
        node.leave("no score from 0 to 1")
        return None
    return found


def pass_rate(passed: int | None, total: int | None) -> float | None:
    """Return the share of checks that passed; of none there is no score."""
    return passed / total if total and passed is not None else None
