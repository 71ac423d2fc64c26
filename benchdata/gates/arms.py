"""Arms of one group: enough tasks and repeats, the same ones, no planned cell unexplained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from benchdata.contracts.gate import ArmNeeds
from benchdata.dataset import Dataset
from benchdata.errors import counted, shorten
from benchdata.gates import reach
from benchdata.gates.cells import ArmCells, read
from benchdata.gates.states import Answers, Said
from benchdata.numbers import p_text
from benchdata.stats.rationals import SIGNIFICANT
from benchdata.stats.tables import Fisher, fisher


def unfit(rows: Dataset, _: Dataset) -> Answers:
    """Say of each group what its arms lack, what was lost, and how far their tasks reach."""
    gate = rows.contract.gate
    if gate is None or gate.arms is None:
        return {}
    needs = gate.arms
    return {
        group: Said(
            reasons=tuple(_reasons(arms, needs)),
            notes=(*map(_lost, arms), *_unplanned(arms)),
            shows=tuple(reach.of_tasks(_shared(arms), len(arms) - 1)),
        )
        for group, arms in read(rows, needs).items()
    }


def _reasons(arms: Sequence[ArmCells], needs: ArmNeeds) -> Iterator[str]:
    for arm in arms:
        yield from _small(arm, needs)
    yield from _other_tasks(arms)
    for arm in arms:
        yield from _holes(arm, needs)
    yield from _unlike_holes(arms)
    for path in needs.alike:
        yield from _unlike(arms, path)
    for path in needs.by_task:
        yield from _changed(arms, path)


def _small(arm: ArmCells, needs: ArmNeeds) -> Iterator[str]:
    tasks = len(arm.scored_tasks)
    if tasks < needs.tasks:
        yield f"{arm.label}: {tasks} of {needs.tasks} tasks with a scored row"
    few = [task for task in sorted(arm.tasks) if arm.repeats(task) < needs.repeats]
    if few:
        yield (
            f"{arm.label}: {counted(len(few), 'task')} with fewer than {needs.repeats} repeats"
            f" (such as {shorten(few[0], 80)})"
        )


def _other_tasks(arms: Sequence[ArmCells]) -> Iterator[str]:
    every = frozenset[str]().union(*(arm.tasks for arm in arms))
    for arm in arms:
        if lacks := sorted(every - arm.tasks):
            yield (
                f"{arm.label}: lacks {counted(len(lacks), 'task')} that other arms ran"
                f" (such as {shorten(lacks[0], 80)})"
            )


def _holes(arm: ArmCells, needs: ArmNeeds) -> Iterator[str]:
    if arm.unexplained:
        yield (
            f"{arm.label}: {arm.unexplained} of {counted(arm.planned, 'planned cell')} without a"
            f" scored row, and no infrastructure row says why (such as {arm.example})"
        )
    if arm.unfilled > needs.unfilled * arm.planned:
        yield (
            f"{arm.label}: {arm.unfilled} of {counted(arm.planned, 'planned cell')} unfilled, more"
            f" than {100 * needs.unfilled:.0f}%"
        )


def _unlike_holes(arms: Sequence[ArmCells]) -> Iterator[str]:
    for one, two in combinations(arms, 2):
        found = fisher(one.unfilled, one.planned, two.unfilled, two.planned)
        if isinstance(found, Fisher) and found.exact_p <= SIGNIFICANT:
            yield (
                f"unfilled cells differ between {one.label} ({one.unfilled} of {one.planned}) and"
                f" {two.label} ({two.unfilled} of {two.planned}): p {p_text(found.exact_p)}"
            )


def _unlike(arms: Sequence[ArmCells], path: str) -> Iterator[str]:
    """Yield why a field is not one value in all arms; an arm may not know what others know."""
    known = {arm.label: arm.values[path] for arm in arms}
    every = frozenset[str]().union(*known.values())
    if len(every) > 1:
        said = "; ".join(f"{label} {', '.join(sorted(v)) or 'null'}" for label, v in known.items())
        yield f"{path} is not the same in all arms: {said}"
    elif every:
        yield from (
            f"{path} is null in {label} and {min(every)} in other arms"
            for label, values in known.items()
            if not values
        )


def _changed(arms: Sequence[ArmCells], path: str) -> Iterator[str]:
    """Yield the tasks of which a field has several values."""
    every = frozenset[str]().union(*(arm.tasks for arm in arms))
    changed = [
        task
        for task in sorted(every)
        if len({v for arm in arms for v in arm.of_task.get((path, task), ())}) > 1
    ]
    if changed:
        yield (
            f"{path} is not the same in all rows of {counted(len(changed), 'task')}"
            f" (such as {shorten(changed[0], 80)})"
        )


def _lost(arm: ArmCells) -> str:
    share = Fraction(100 * arm.lost, arm.rows)
    return (
        f"{arm.label}: {arm.lost} of {counted(arm.rows, 'row')} lost to the infrastructure"
        f" ({float(share):.1f}%)"
    )


def _unplanned(arms: Sequence[ArmCells]) -> Iterator[str]:
    yield from (f"{arm.label}: {arm.unplanned}" for arm in arms if arm.unplanned)


def _shared(arms: Sequence[ArmCells]) -> int:
    return len(frozenset.intersection(*(arm.scored_tasks for arm in arms)))
