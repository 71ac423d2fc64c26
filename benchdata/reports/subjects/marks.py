"""What a judge gave each run beside its score: the marks of the dimensions, critical failures."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.errors import counted
from benchdata.gates import instruments
from benchdata.leaderboards.judged import Judge, is_of_a_run, scores_of
from benchdata.numbers import display

FAILURES = "critical_failures"


@dataclass(frozen=True, slots=True)
class Marked:
    """The mean mark of each dimension by its label, and each critical failure of any verdict."""

    dimensions: Mapping[str, float]
    failures: tuple[str, ...]

    def __str__(self) -> str:
        """Return `Craft 2, Usability 3 · no critical failure`."""
        marks = ", ".join(f"{label} {display(mark)}" for label, mark in self.dimensions.items())
        failed = f"critical: {', '.join(self.failures)}" if self.failures else "no critical failure"
        return f"{marks} · {failed}"


def by_run(given: Dataset, judge: Judge) -> Mapping[str, Marked]:
    """Return what a judge gave each run that it saw; nothing of what it gave no verdict on."""
    source = next(each for each in given.contracts if each.name == judge.contract)
    if source.gate is None or source.gate.judging is None or FAILURES not in source.kinds:
        return {}
    how = source.gate.judging
    names = [name for name in scores_of(source) if name != source.primary]
    paths = [source.metric(name).path for name in names]
    pins = (*judge.pins.values(), judge.synthetic)
    said: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in instruments.by_instrument(given.of(source), how, (*paths, FAILURES)).by_pins[pins]:
        if is_of_a_run(line, how) and line[how.score] is not None:
            said[line[how.run]].append(line)
    return {run: _marked(lines, source, names) for run, lines in said.items()}


def failures_line(found: Mapping[str, Marked]) -> str:
    """Return how many critical failures the judge named, none as well."""
    failed = [one for one in found.values() if one.failures]
    total = sum(len(one.failures) for one in failed)
    where = f" in {len(failed):,}" if failed else ""
    return f"{counted(total, 'critical failure')}{where} of {counted(len(found), 'judged run')}."


def _marked(lines: Sequence[Mapping[str, Any]], source: Contract, names: Sequence[str]) -> Marked:
    metrics = map(source.metric, names)
    return Marked(
        {one.label: math.fsum(line[one.path] for line in lines) / len(lines) for one in metrics},
        tuple(dict.fromkeys(failure for line in lines for failure in line[FAILURES])),
    )
