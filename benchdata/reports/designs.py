"""Designs as they are reported: what the plan finds, and how much more an effect would take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdata.comparisons import designs
from benchdata.comparisons.claims import Claim, refuse_effect
from benchdata.comparisons.designs import Count, Design
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError, counted
from benchdata.numbers import display
from benchdata.reports.data import json_text, number_data
from benchdata.reports.tables import Align, markdown_table, markdown_text
from benchdata.stats.results import CannotTell

REPEATS = (1, 2, 3, 5, 10)
FAMILY = 3
"""Up to how many comparisons are listed at least, however few the rows hold."""
METHOD = (
    "Found 8 times in 10 means: by the very test that a comparison uses, at level .05 divided by"
    " the comparisons of the table, on a new set of tasks or runs that spread as these do. The"
    " spread is an estimate from these rows, and with few of them a rough one."
)


@dataclass(frozen=True, slots=True)
class Step:
    """One size of the family: the units that could reach .05, what is found, what is needed."""

    comparisons: int
    suffices: Count
    finds: float | CannotTell
    needed: Count


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One comparison: the need of units by repeats, and by comparisons of the family."""

    design: Design
    by_repeats: tuple[tuple[int, Count], ...]
    family: tuple[Step, ...]

    @property
    def step(self) -> Step:
        """Return the step of the family that the rows have."""
        return self.family[self.design.comparisons - 1]


@dataclass(frozen=True, slots=True)
class Plans:
    """How the comparisons of a dataset could find `effect` of a metric."""

    contract: str
    claim: Claim
    effect: float
    lines: tuple[PlanLine, ...]


def plans(dataset: Dataset, claim: Claim, effect: float) -> Plans:
    """Return what it takes to find `effect` in every comparison of a dataset.

    Raises:
        ContractError: The effect is no number, or beyond the metric's range.
        BenchdataError: The effect is 0, or there is no comparison.
    """
    refuse_effect(claim, effect)
    if not effect:
        raise BenchdataError("no number of runs finds an effect of 0: give --detect more than that")
    found = designs.designs(dataset, claim)
    if not found:
        raise BenchdataError("no rows to plan by: none is the result of a run")
    return Plans(dataset.contract.name, claim, effect, tuple(_line(each, effect) for each in found))


def _line(design: Design, effect: float) -> PlanLine:
    repeats: Sequence[int] = ()
    if design.noise is not None and design.repeats is not None:
        repeats = sorted({*REPEATS, design.repeats})
    return PlanLine(
        design,
        tuple((each, design.needs(effect, design.comparisons, each)) for each in repeats),
        tuple(
            Step(size, design.suffices(size), design.finds(size), design.needs(effect, size))
            for size in range(1, max(design.comparisons, FAMILY) + 1)
        ),
    )


def as_json(found: Plans) -> str:
    """Return everything as indented JSON, in a fixed order."""
    document = {
        "schemaVersion": 1,
        "contract": found.contract,
        "metric": found.claim.metric.name,
        "unit": found.claim.metric.unit,
        "tasks": found.claim.tasks,
        "detect": found.effect,
        "effectIsShare": found.claim.kind == "amount",
        "comparisons": [_line_data(line) for line in found.lines],
        "remark": METHOD,
    }
    return json_text(document)


def _line_data(line: PlanLine) -> dict[str, Any]:
    design = line.design
    return {
        "label": design.label,
        "replicate": design.unit,
        "n": design.n,
        "repeats": design.repeats,
        "spread": number_data(design.spread),
        "varianceBetweenTasks": design.between,
        "varianceOfTrials": design.noise,
        "withoutSecondArm": design.alone,
        "runsThatRankWorst": design.worst,
        "family": design.comparisons,
        "finds": number_data(line.step.finds),
        "needed": number_data(line.step.needed),
        "neededByRepeats": [{"repeats": r, "needed": number_data(n)} for r, n in line.by_repeats],
        "byComparisons": [
            {
                "comparisons": step.comparisons,
                "couldReach": number_data(step.suffices),
                "finds": number_data(step.finds),
                "needed": number_data(step.needed),
            }
            for step in line.family
        ],
    }


def as_markdown(found: Plans) -> str:
    """Return the plans as a Markdown document with a final newline."""
    return "\n\n".join(_blocks(found)) + "\n"


def _blocks(found: Plans) -> Iterator[str]:
    size = _effect(found, found.effect)
    yield f"# {found.contract}: what finds {size} of {found.claim.metric.name}"
    yield "\n".join(f"- {markdown_text(_sentence(found, line))}" for line in found.lines)
    if repeated := [line for line in found.lines if line.by_repeats]:
        yield f"## Tasks that find {size}, by repeats of each task and arm"
        yield _table("Repeats", repeated, [_needs(line) for line in repeated])
    known = [line for line in found.lines if not isinstance(line.design.spread, CannotTell)]
    if known:
        yield f"## By comparisons of the table (Holm), {size}"
        yield _by_family(found, known)
    yield METHOD


def _by_family(found: Plans, lines: Sequence[PlanLine]) -> str:
    return markdown_table(
        ["Comparison", "In a table of", "Could reach .05", "The plan finds", "Needed"],
        (
            [line.design.label, f"{step.comparisons}", *_cells(found, step, line.design)]
            for line in lines
            for step in line.family
        ),
        _sides(4),
    )


def _sentence(found: Plans, line: PlanLine) -> str:
    design, step = line.design, line.step
    size = _effect(found, found.effect)
    plan = f"{_units(design, design.n)}"
    if design.repeats is not None:
        plan += f" of {counted(design.repeats, 'repeat')}"
    family = f" in a table of {design.comparisons}" if design.comparisons > 1 else ""
    if isinstance(step.needed, CannotTell):
        return f"{design.label}: cannot tell: {step.needed.reason} ({plan})"
    finds = step.finds.reason if isinstance(step.finds, CannotTell) else _effect(found, step.finds)
    at_least = "at least " if design.alone else ""
    said = (
        f"{design.label}: {at_least}{_units(design, step.needed)} find {size} 8 times in 10"
        f"{family}; the plan of {plan} finds {finds}"
    )
    if design.worst:
        said += f"; {counted(design.worst, 'run')} ranked worst, left out of the spread"
    if design.alone:
        said += "; there is no second arm, so how lifts differ between tasks is not in it"
    return said


def _needs(line: PlanLine) -> Mapping[int, Count]:
    return dict(line.by_repeats)


def _table(head: str, lines: Sequence[PlanLine], needs: Sequence[Mapping[int, Count]]) -> str:
    columns = sorted({repeats for each in needs for repeats in each})
    return markdown_table(
        [f"Comparison, {head.lower()}:", *map(str, columns)],
        (
            [line.design.label, *(_count(each[r]) if r in each else "" for r in columns)]
            for line, each in zip(lines, needs, strict=True)
        ),
        _sides(len(columns)),
    )


def _sides(count: int) -> list[Align]:
    right: list[Align] = ["right"]
    return ["left", *right * count]


def _cells(found: Plans, step: Step, design: Design) -> list[str]:
    finds = step.finds
    return [
        _units(design, step.suffices),
        finds.reason if isinstance(finds, CannotTell) else _effect(found, finds),
        _units(design, step.needed),
    ]


def _units(design: Design, count: Count) -> str:
    if isinstance(count, CannotTell):
        return count.reason
    return counted(count, "task") if design.unit == "task" else f"{counted(count, 'run')} a side"


def _count(count: Count) -> str:
    return count.reason if isinstance(count, CannotTell) else f"{count:,}"


def _effect(found: Plans, size: float) -> str:
    if found.claim.kind == "amount":
        return f"{display(100 * size)}%"
    unit = f" {found.claim.metric.unit}" if found.claim.metric.unit else ""
    return f"{display(size)}{unit}"


FORMATS: Mapping[str, Callable[[Plans], str]] = {"md": as_markdown, "json": as_json}
