"""The judge as an instrument: it passed its check, in both orders of a pair, no artefact lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdata.contracts import Contract
from benchdata.contracts.columns import column_name
from benchdata.contracts.gate import Judged, Judging
from benchdata.contracts.rules import Expression
from benchdata.dataset import Dataset
from benchdata.engine.connection import quoted
from benchdata.errors import counted
from benchdata.gates.checks import check
from benchdata.gates.states import Answers, Said
from benchdata.rows.expressions import column

SHOWS = (
    "READY says that this judge agrees with itself on its check, not that it is right:"
    " judge bias is in no interval"
)

Line = Mapping[str, Any]
Pins = tuple[Any, ...]
"""What names an instrument, and whether its rows are synthetic."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """All rows of a judge, and those of each instrument."""

    judging: Judging
    by_pins: Mapping[Pins, Sequence[Line]]

    def faults(self, pins: Pins) -> tuple[str, ...]:
        """Return why the checks of an instrument do not pass, or that there is none."""
        return check(self.by_pins[pins], self.judging)


def of_judge(rows: Dataset, given: Dataset) -> Answers:
    """Say of each group of a judge's rows what keeps its verdicts from publication."""
    gate = rows.contract.gate
    if gate is None or gate.judging is None:
        return {}
    judging = gate.judging
    verdicts = by_instrument(rows, judging)
    members: dict[str, list[Line]] = defaultdict(list)
    for line in (line for lines in verdicts.by_pins.values() for line in lines):
        members[line["group_id"]].append(line)
    runs = _judged_runs(given, judging)
    return {
        group: Said(
            reasons=(
                *verdicts.faults(_pins(lines[0], judging)),
                *_one_sided(lines, judging),
                *_unjudged(verdicts.by_pins[_pins(lines[0], judging)], lines, runs, judging),
            ),
            shows=(SHOWS,),
        )
        for group, lines in members.items()
    }


def of_judged(rows: Dataset, given: Dataset) -> Answers:
    """Say of each group with rows that a judge scores whether its instrument was checked."""
    gate = rows.contract.gate
    if gate is None or gate.judged is None:
        return {}
    runs: dict[str, list[str]] = defaultdict(list)
    for group, run in _scored_by_judge(rows, gate.judged):
        runs[group].append(run)
    judges = [each for each in given.contracts if each.name == gate.judged.by]
    verdicts = _read_verdicts(given, judges[0]) if judges and runs else None
    return {
        group: Said(reasons=tuple(_unchecked(members, verdicts, gate.judged.by)))
        for group, members in runs.items()
    }


def _unchecked(runs: Sequence[str], verdicts: Verdicts | None, by: str) -> Iterator[str]:
    if verdicts is None:
        yield f"{counted(len(runs), 'row')} scored by a judge: give the {by} rows too"
        return
    judging, wanted = verdicts.judging, set(runs)
    seen: set[str] = set()
    for pins, lines in verdicts.by_pins.items():
        about = {
            line[judging.run]
            for line in lines
            if line[judging.kind] in (judging.single, judging.pair) and not of_check(line, judging)
        } & wanted
        if about:
            seen |= about
            if pins[-1]:
                yield f"the {by} rows are synthetic: no measurement"
            yield from verdicts.faults(pins)
    if missing := sorted(wanted - seen):
        yield f"{counted(len(missing), 'artefact')} without a {by} row (such as {missing[0]})"


def _one_sided(lines: Sequence[Line], judging: Judging) -> Iterator[str]:
    """Yield the pairs that were judged, or only tried, in one order."""
    tried: dict[frozenset[str], set[str]] = defaultdict(set)
    judged: dict[frozenset[str], set[str]] = defaultdict(set)
    for line in lines:
        if line[judging.kind] != judging.pair:
            continue
        pair = (line[judging.run], line[judging.other_run])
        first = pair[0] if line[judging.order] == judging.first else pair[1]
        tried[frozenset(pair)].add(first)
        if line["row_result"] == "success":
            judged[frozenset(pair)].add(first)
    single = [pair for pair in tried if len(judged.get(pair) or tried[pair]) == 1]
    if single:
        example = " and ".join(min(sorted(pair) for pair in single))
        yield f"{counted(len(single), 'pair')} judged in one order only (such as {example})"


def _unjudged(
    instrument: Sequence[Line],
    group: Sequence[Line],
    runs: Mapping[str, str] | None,
    judging: Judging,
) -> Iterator[str]:
    """Yield the artefacts of a group's stage that have no row, and runs of several artefacts."""
    if group[0][judging.kind] not in (judging.single, judging.pair) or of_check(group[0], judging):
        return
    left: dict[str, set[str]] = defaultdict(set)
    for line in instrument:
        if of_check(line, judging):
            continue
        if line[judging.kind] in (judging.single, judging.pair):
            left[line[judging.run]].add(line[judging.artefact])
        if line[judging.kind] == judging.pair:
            left[line[judging.other_run]].add(line[judging.other_artefact])
    if several := sorted(run for run, digests in left.items() if len(digests) > 1):
        yield f"{counted(len(several), 'run')} with several artefacts (such as {several[0]})"
    if runs is None:
        yield f"whether every artefact has a row cannot be told: give the {judging.of} rows too"
        return
    about = {runs[run] for run in left if run in runs}
    missing = sorted(run for run, place in runs.items() if place in about and run not in left)
    if missing:
        yield f"{counted(len(missing), 'artefact')} without a row (such as {missing[0]})"
    if strange := sorted(run for run in left if run not in runs):
        count = counted(len(strange), "judged run")
        yield f"{count} without a {judging.of} row (such as {strange[0]})"


def _judged_runs(given: Dataset, judging: Judging) -> Mapping[str, str] | None:
    """Return the group of every run whose artefact a judge scores; None where none are given."""
    found = [each for each in given.contracts if each.name == judging.of]
    if not found or found[0].gate is None or found[0].gate.judged is None:
        return None
    runs = given.of(found[0])
    return {run: group for group, run in _scored_by_judge(runs, found[0].gate.judged)}


def _scored_by_judge(rows: Dataset, judged: Judged) -> Iterator[tuple[str, str]]:
    """Yield the group and the identity of each row that was given its task and is judged."""
    needed = Expression(judged.rows)
    columns = ["group_id", "row_id", *sorted(map(column_name, needed.paths))]
    lines = rows.sql(
        f"select {', '.join(map(quoted, columns))} from grouped"
        " where row_result <> 'unscored' order by group_order, row_id"
    )
    yield from lines.filter(column(needed)).select("group_id", "row_id").iter_rows()


def _read_verdicts(given: Dataset, contract: Contract) -> Verdicts | None:
    gate = contract.gate
    if gate is None or gate.judging is None:
        return None
    return by_instrument(given.of(contract), gate.judging)


def of_check(line: Line, judging: Judging) -> bool:
    """Tell whether a row belongs to an instrument check: what it says is of the judge alone."""
    return line[judging.check] is not None


def by_instrument(rows: Dataset, judging: Judging, also: Sequence[str] = ()) -> Verdicts:
    """Return a judge's rows by instrument, in order of time; fields go by their path.

    `also` are fields that the judging does not name.
    """
    fields = list(dict.fromkeys([*judging.fields(), *also]))
    named = ", ".join(f"{quoted(column_name(path))} as {quoted(path)}" for path in fields)
    found: dict[Pins, list[Line]] = defaultdict(list)
    for line in rows.sql(
        f"select group_id, row_id, row_task, row_result, row_synthetic, {named} from grouped"
        " order by row_start nulls last, row_id"
    ).iter_rows(named=True):
        found[_pins(line, judging)].append(line)
    return Verdicts(judging, found)


def _pins(line: Line, judging: Judging) -> Pins:
    return (*(line[path] for path in judging.pins), line["row_synthetic"])
