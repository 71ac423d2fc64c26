"""Boards: the arms of one context with means, rank ranges, and lifts over the baseline arm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchdata import verdicts
from benchdata.comparisons import axes, claims, details, sides
from benchdata.comparisons.arms import Arm
from benchdata.comparisons.axes import Axis
from benchdata.comparisons.claims import Cells, Claim, cells, mean
from benchdata.comparisons.entities import Entity, entities, is_result
from benchdata.comparisons.findings import Finding, compare
from benchdata.comparisons.scores import numbers
from benchdata.comparisons.sides import Side
from benchdata.comparisons.summaries import Summary, summarize
from benchdata.comparisons.tables import told_apart
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.leaderboards.accounts import Account, TaskCell, accounts, place
from benchdata.leaderboards.judged import Judge, judges
from benchdata.leaderboards.preferences import Preference, preferences
from benchdata.rankings import ranking
from benchdata.stats.families import RankRange
from benchdata.stats.results import CannotTell, Interval
from benchdata.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Lift:
    """An arm against the baseline arm, task by task; the lifts of one board are one family.

    `descriptive` is the bootstrap interval over tasks, which decides nothing.
    """

    finding: Finding
    verdict: Verdict
    descriptive: Interval | CannotTell | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One arm on a board. `ranks` comes from all pairs, a family of its own.

    `lift` is None for the baseline, and where `refused` says why none may be shown.
    """

    arm: Arm
    summary: Summary
    ranks: RankRange
    lift: Lift | None
    refused: str
    account: Account

    @property
    def label(self) -> str:
        """Return the name of the arm."""
        return self.arm.label

    @property
    def excluded(self) -> int:
        """Return the number of rows that are counted and not scored."""
        return self.summary.runs - self.summary.scored


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task: its cell for each entry of the board in order, None where an arm has no row."""

    task: str
    cells: tuple[TaskCell | None, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The arms of one context, the best mean first; `fields` are what all their rows share.

    `place` tells that context from others, `judge` names the instrument that gave the scores, or
    nothing. `refused` says why the board has no lifts, or nothing. `preferences` are what the judge
    said of pairs of runs, in both orders.
    """

    contract: Contract
    claim: Claim
    place: str
    fields: Mapping[str, Any]
    baseline: Entry | None
    entries: tuple[Entry, ...]
    refused: str
    judge: str = ""
    preferences: tuple[Preference, ...] = ()

    @property
    def context(self) -> str:
        """Return what tells the board from others: its place, and who judged."""
        return ", ".join(filter(None, (self.place, self.judge)))

    @property
    def tasks(self) -> tuple[TaskRow, ...]:
        """Return the tasks of all entries, sorted by id."""
        names = sorted({task for entry in self.entries for task in entry.account.tasks})
        return tuple(
            TaskRow(name, tuple(entry.account.tasks.get(name) for entry in self.entries))
            for name in names
        )

    @property
    def lifts(self) -> tuple[Entry, ...]:
        """Return the entries that have a lift, the best mean first."""
        return tuple(entry for entry in self.entries if entry.lift)

    @property
    def synthetic(self) -> bool:
        """Return whether an arm is a pipeline proof."""
        return any(entry.arm.synthetic for entry in self.entries)


def leaderboards(dataset: Dataset, given: Dataset | None = None) -> tuple[Board, ...]:
    """Return a board for each context in which arms were compared, by the primary metric.

    None when the contract compares nothing, or has no better direction in its primary metric.
    `given` are all rows that were opened: where a judge's are among them, each context that it
    scored has a board for each instrument, instead of one without a value.
    """
    contract = dataset.contract
    if not contract.design.compared or contract.metric(contract.primary).better == "neither":
        return ()
    own = tuple(_boards(dataset, claims.of_contract(contract)))
    scored = judged_boards(dataset, given or dataset)
    kept = [sides.key(board.fields) for board in scored]
    shown = [board for board in own if _has_value(board) or sides.key(board.fields) not in kept]
    return (*shown, *scored)


def judged_boards(dataset: Dataset, given: Dataset) -> list[Board]:
    """Return a board for each context and each instrument of `given` that scored its runs."""
    return [
        board
        for judge in judges(given, dataset.contract)
        for board in _boards(dataset, judge.claim, judge)
        if _has_value(board) or board.preferences
    ]


def _has_value(board: Board) -> bool:
    return any(not isinstance(entry.summary.estimate, CannotTell) for entry in board.entries)


def _boards(dataset: Dataset, claim: Claim, judge: Judge | None = None) -> Iterator[Board]:
    contract = dataset.contract
    axis = axes.by_field(contract, contract.design.compared[0])
    members = [
        each
        for each in entities(dataset, claim, judge.scores if judge else None)
        if is_result(contract, each.fields)
    ]
    arms = sides.of(members, axis, lambda each: axis.value(each.fields))
    if judge:
        arms = [replace(side, arm=judge.scored(side.arm)) for side in arms]
    owner = {side.name: side for side in arms}
    places = {place(each.fields): sides.owner(each, axis) for each in members}
    told = {id(owner[name]): account for name, account in accounts(dataset, places).items()}
    labels = _labels(members, arms, owner, axis) if judge else {}
    boards: dict[str, list[Side]] = {}
    for side in arms:
        boards.setdefault(sides.key(side.context), []).append(side)
    firsts = [board[0] for board in boards.values()]
    words = told_apart(firsts, arms, contract.shown)
    for board, context in zip(boards.values(), words, strict=True):
        made = _board(board, arms, context, contract, claim, axis, told)
        yield _judged(made, judge, labels) if judge else made


def _labels(
    members: Sequence[Entity], arms: Sequence[Side], owner: Mapping[str, Side], axis: Axis
) -> dict[str, tuple[str, str]]:
    """Return the context and the arm of every run, by its identity."""
    found: dict[str, tuple[str, str]] = {}
    for each in members:
        side = owner[sides.owner(each, axis)]
        found |= dict.fromkeys(each.rows, (sides.key(side.context), sides.told(side, arms).label))
    return found


def _judged(board: Board, judge: Judge, labels: Mapping[str, tuple[str, str]]) -> Board:
    """Return a board of an instrument's scores with what it said of pairs of the board's runs."""
    here = sides.key(board.fields)
    arm_of = {run: arm for run, (context, arm) in labels.items() if context == here}
    order = sorted(entry.label for entry in board.entries)
    if board.baseline:
        order.sort(key=board.baseline.label.__ne__)
    return replace(board, judge=judge.name, preferences=preferences(judge.pairs, arm_of, order))


def _board(
    board: Sequence[Side],
    arms: Sequence[Side],
    place: str,
    contract: Contract,
    claim: Claim,
    axis: Axis,
    told: Mapping[int, Account],
) -> Board:
    base = next((side for side in board if _is_baseline(side, contract)), None)
    labelled = [sides.told(side, arms) for side in board]
    lifts = _lifts(board, labelled, base, claim, axis)
    refused = {side: why for side, lift in lifts.items() if (why := _other_tasks(lift))}
    ranges = ranking(labelled, claim).ranges
    entries = {
        id(side): Entry(
            arm=arm,
            summary=summarize(arm, claim),
            ranks=ranks,
            lift=None if id(side) in refused else lifts.get(id(side)),
            refused=refused.get(id(side), ""),
            account=_with_means(told[id(side)], arm, claim),
        )
        for side, arm, ranks in zip(board, labelled, ranges, strict=True)
    }
    return Board(
        contract=contract,
        claim=claim,
        place=place,
        fields=board[0].context,
        baseline=entries[id(base)] if base else None,
        entries=tuple(sorted(entries.values(), key=lambda entry: _order(entry, claim))),
        refused="" if base else _refusal(board[0], arms, contract),
    )


def _with_means(account: Account, arm: Arm, claim: Claim) -> Account:
    """Return the account with the mean of each task as the board's own mean counts it."""
    found = cells(arm, claim)
    values: Cells = found if claim.kind == "amount" else numbers(found, claim)
    tasks = {
        task: replace(cell, mean=mean(values.get(task, ()))) for task, cell in account.tasks.items()
    }
    return replace(account, tasks=tasks)


def _lifts(
    board: Sequence[Side],
    labelled: Sequence[Arm],
    base: Side | None,
    claim: Claim,
    axis: Axis,
) -> dict[int, Lift]:
    """Return the lift of every arm but the baseline, all of them one family."""
    if base is None:
        return {}
    first = next(arm for side, arm in zip(board, labelled, strict=True) if side is base)
    others = [(s, arm) for s, arm in zip(board, labelled, strict=True) if s is not base]
    findings = [
        compare(
            first,
            arm,
            claim,
            hidden=tuple(sides.hidden(base, side, axis)),
            pins=tuple(sides.pins(base, side, axis)),
        )
        for side, arm in others
    ]
    return {
        id(side): Lift(finding, verdict, details.descriptive(finding))
        for (side, _), (finding, verdict) in zip(others, verdicts.decided(findings), strict=True)
    }


def _other_tasks(lift: Lift) -> str:
    apart = lift.finding.result.shape == "other tasks"
    return "ran other tasks than the baseline" if apart else ""


def _is_baseline(side: Side, contract: Contract) -> bool:
    return side.arm.label in contract.design.baselines


def _refusal(side: Side, arms: Sequence[Side], contract: Contract) -> str:
    """Return why no lift may be shown on a board without the baseline arm."""
    if not contract.design.baselines:
        return "the contract names no baseline arm"
    elsewhere = [other for other in arms if _is_baseline(other, contract)]
    if not elsewhere:
        return f"no rows of {' or '.join(contract.design.baselines)}"
    apart = {other.arm.label: sides.differ(side.context, other.context) for other in elsewhere}
    nearest = min(apart, key=lambda label: len(apart[label]))
    return f"{nearest} ran under another {', '.join(apart[nearest])}"


def _order(entry: Entry, claim: Claim) -> tuple[bool, float, str]:
    found = entry.summary.estimate
    if isinstance(found, CannotTell):
        return True, 0.0, entry.label
    return False, -found if claim.upwards else found, entry.label
