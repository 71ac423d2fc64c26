"""The shipped contracts with one version: valid rows of each, and a break of every check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchdata import contracts
from benchdata.contracts import Contract
from tests.support import build_run, judgment, shared_result, skill_run, trial_rows
from tests.support.breaks import Break
from tests.support.trees import Changes


@dataclass(frozen=True)
class Shipped:
    """A contract, how to make its valid rows, changes that leave one valid, and breaks."""

    name: str
    valid_row: Callable[[Changes], dict[str, Any]]
    numbered_row: Callable[[int], dict[str, Any]]
    variants: tuple[Changes, ...]
    breaks: tuple[Break, ...]

    @property
    def contract(self) -> Contract:
        """Return the contract."""
        return contracts.get(self.name)

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """Return a valid row of every kind."""
        return tuple(self.valid_row(changes) for changes in self.variants)


SHIPPED = tuple(
    Shipped(name, made.valid_row, made.numbered_row, made.VARIANTS, made.BREAKS)
    for name, made in (
        ("skill-run", skill_run),
        ("judgment", judgment),
        ("shared-result", shared_result),
        ("build-run", build_run),
        ("trial", trial_rows),
    )
)
