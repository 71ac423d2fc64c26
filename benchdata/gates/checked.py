"""Comparisons of what a judge says: none has a verdict without a passing check of its judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from benchdata.comparisons.arms import Arm
from benchdata.comparisons.tables import Table
from benchdata.contracts.gate import Judging
from benchdata.dataset import Dataset
from benchdata.gates.checks import check
from benchdata.gates.instruments import by_instrument

Passed = Mapping[tuple[Any, ...], bool]


def checked(table: Table, *inputs: Dataset) -> Table:
    """Return a table of the rows of `inputs`, each arm told whether its instrument was checked.

    A check may lie in any of the inputs. Rows that no judge made stay as they are.
    """
    tell = telling(*inputs)
    findings = (
        replace(finding, baseline=tell(finding.baseline), treatment=tell(finding.treatment))
        for finding in table.findings
    )
    return replace(table, findings=tuple(findings))


def telling(*inputs: Dataset) -> Callable[[Arm], Arm]:
    """Return how an arm of the rows of `inputs` is told whether its instrument was checked.

    A check may lie in any of the inputs. Arms of rows that no judge made stay as they are.
    """
    gate = inputs[0].contract.gate
    judging = gate.judging if gate else None
    if judging is None:
        return lambda arm: arm
    passed = _passed(inputs, judging)
    return lambda arm: _told(arm, passed, judging)


def _passed(inputs: tuple[Dataset, ...], judging: Judging) -> Passed:
    found: dict[tuple[Any, ...], list[Mapping[str, Any]]] = defaultdict(list)
    for rows in inputs:
        for pins, lines in by_instrument(rows, judging).by_pins.items():
            found[pins[:-1]].extend(lines)
    return {pins: not check(lines, judging) for pins, lines in found.items()}


def _told(arm: Arm, passed: Passed, judging: Judging) -> Arm:
    pins = tuple(arm.fields[path] for path in judging.pins)
    return replace(arm, checked=passed[pins])
