"""Sides: the arms along an axis as they are matched, and the fields in which two of them differ."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchdata.comparisons import axes
from benchdata.comparisons.arms import Arm, Plan
from benchdata.comparisons.axes import Axis
from benchdata.comparisons.entities import Entity
from benchdata.errors import counted

DIGEST, DIGITS = re.compile(r"[0-9a-f]{40,64}"), 12
MOST_TASKS = 3  # whose changes are told one by one


@dataclass(frozen=True, slots=True)
class Side:
    """An arm as it is matched: `value` on the axis, `kin` its companions, `tasks` their fields."""

    arm: Arm
    value: Any
    kin: tuple[Hashable, ...]
    context: Mapping[str, Any]
    tasks: Mapping[str, Mapping[str, Any]]
    mixed: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return what tells it from all others as one text; `owner` gives it of an entity."""
        return _name(self.value, self.kin, self.context)


def owner(each: Entity, axis: Axis) -> str:
    """Return the name of the side that an entity belongs to."""
    return _name(axis.value(each.fields), axis.kin(each.fields), axis.context(each.fields))


def _name(value: Any, kin: Sequence[Any], context: Mapping[str, Any]) -> str:
    return key({"value": value, "kin": list(kin), "context": dict(context)})


def of(members: Iterable[Entity], axis: Axis, value_of: Callable[[Entity], Any]) -> list[Side]:
    """Return the arms: entities of one value, context and companions; tasks that are fixed join."""
    found: dict[tuple[Hashable, ...], list[Entity]] = defaultdict(list)
    for each in members:
        value, context = value_of(each), axis.context(each.fields)
        found[key(context), json.dumps(value), axis.kin(each.fields)].append(each)
    made = [_side(group, value_of(group[0]), axis) for group in found.values()]
    order = {value: place for place, value in enumerate(axes.in_order({s.value for s in made}))}
    return sorted(made, key=lambda s: (key(s.context), order[s.value], json.dumps(s.kin)))


def _side(group: Sequence[Entity], value: Any, axis: Axis) -> Side:
    first = group[0].fields
    fields = {path: v for path, v in first.items() if path not in axis.inside}
    tasks: dict[str, Mapping[str, Any]] = {}
    mixed: set[str] = set()
    for each in group if axis.fixed_task else ():
        inside = {path: each.fields.get(path) for path in axis.inside}
        task = str(inside[axis.fixed_task or ""])
        known = tasks.setdefault(task, inside)
        mixed |= {path for path in axis.inside if known[path] != inside[path]}
    arm = Arm(
        label=axes.text(value),
        runs=[run for each in group for run in each.runs],
        plan=_plan(group),
        fields=fields,
        synthetic=any(each.synthetic for each in group),
    )
    return Side(arm, value, axis.kin(first), axis.context(first), tasks, tuple(sorted(mixed)))


def _plan(group: Sequence[Entity]) -> Plan:
    tasks = {each.plan.tasks for each in group if each.plan.tasks is not None}
    repeats = {each.plan.repeats for each in group if each.plan.repeats is not None}
    changed = any(each.plan.changed for each in group) or len(tasks) > 1 or len(repeats) > 1
    return Plan(max(tasks, default=None), max(repeats, default=None), changed)


def hidden(base: Side, side: Side, axis: Axis) -> Iterator[str]:
    """Yield the fields that differ between two arms and must not."""
    yield from differ(base.context, side.context)
    yield from (f"{path} inside one arm" for path in {*base.mixed, *side.mixed})
    if axis.fixed_task and base.tasks.keys() != side.tasks.keys():
        yield axis.fixed_task
    yield from (path for path in _inside(base, side, axis) if path not in axis.companions)


def pins(base: Side, side: Side, axis: Axis) -> Iterator[str]:
    """Yield the companions that differ: `framework_version 1.0 → 2.0`, of a task with its name."""
    kin = [path for path in axis.companions if path not in axis.inside]
    for path, before, after in zip(kin, base.kin, side.kin, strict=True):
        if before != after:
            yield f"{path} {short(before)} → {short(after)}"
    for path in _inside(base, side, axis):
        if path in axis.companions:
            yield f"{path} {'; '.join(_by_task(base, side, path))}"


def _inside(base: Side, side: Side, axis: Axis) -> list[str]:
    """Return the fields of a task that differ between the arms."""
    shared = base.tasks.keys() & side.tasks.keys()
    return [p for p in axis.inside if any(base.tasks[t][p] != side.tasks[t][p] for t in shared)]


def _by_task(base: Side, side: Side, path: str) -> Iterator[str]:
    """Yield how a field of a task changed, `of t1 1.0 → 2.0`, for the first tasks of many."""
    shared = sorted(base.tasks.keys() & side.tasks.keys())
    pairs = [(task, base.tasks[task][path], side.tasks[task][path]) for task in shared]
    changed = [(task, before, after) for task, before, after in pairs if before != after]
    for task, before, after in changed[:MOST_TASKS]:
        yield f"of {task} {short(before)} → {short(after)}"
    if (rest := len(changed) - MOST_TASKS) > 0:
        yield f"of {counted(rest, 'more task')}"


def told(side: Side, sides: Sequence[Side]) -> Arm:
    """Return an arm, its companions in its label where its value alone does not tell it apart."""
    twins = [s for s in sides if (s.value, s.context) == (side.value, side.context)]
    if len(twins) == 1:
        return side.arm
    columns = zip(*(twin.kin for twin in twins), strict=True)
    apart = [place for place, values in enumerate(columns) if len(set(values)) > 1]
    more = ", ".join(short(side.kin[place]) for place in apart)
    return replace(side.arm, label=f"{side.arm.label} ({more})")


def telling(
    known: Sequence[Mapping[str, Any]], paths: Iterable[str], first: Iterable[str] = ()
) -> list[str]:
    """Return `first`, and of `paths` each that tells fields apart which those before it do not."""
    chosen = list(first)
    for path in paths:
        if _distinct(known, [*chosen, path]) > _distinct(known, chosen):
            chosen.append(path)
    return chosen


def _distinct(known: Sequence[Mapping[str, Any]], paths: Sequence[str]) -> int:
    return len({json.dumps([each.get(p) for p in paths], default=str) for each in known})


def short(value: Any) -> str:
    """Return a field's value for people, a digest by its first digits."""
    text = axes.text(value)
    return text[:DIGITS] if DIGEST.fullmatch(text) else text


def differ(one: Mapping[str, Any], two: Mapping[str, Any]) -> list[str]:
    """Return the fields that two contexts do not share."""
    return [path for path in {**one, **two} if one.get(path) != two.get(path)]


def key(fields: Mapping[str, Any]) -> str:
    """Return fields as one text."""
    return json.dumps(fields, default=str)
