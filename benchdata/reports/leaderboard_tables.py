"""A leaderboard in words and tables: first line, standings, tasks, exclusions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from benchdata.comparisons import details, wording
from benchdata.comparisons.claims import UNIT_RANGE
from benchdata.comparisons.findings import Finding
from benchdata.contracts.meaning import Metric
from benchdata.leaderboards.accounts import TaskCell
from benchdata.leaderboards.boards import Board, Entry
from benchdata.leaderboards.preferences import Preference
from benchdata.numbers import MISSING, display, p_text, span
from benchdata.reports.comparison_formats import adjusted_p, interval_cell, p_after_holm, range_text
from benchdata.reports.tables import Align, Column, Table, of_columns
from benchdata.stats.results import CannotTell, Interval

Cell = Callable[[Entry], str]

POINTS = 100
"""A point is a hundredth of a score from 0 to 1."""
BOOTSTRAP = "Bootstrap (descriptive)"
COVERED = {"sampled": "tasks like these", "fixed": "more runs of these tasks"}


def first_lines(board: Board) -> list[str]:
    """Return a line a lift, or one that says why there is none."""
    if lines := [_first_line(board, entry) for entry in board.lifts]:
        return lines
    where = f"{board.context}: " if board.context else ""
    entry = board.entries[0]
    reason = board.refused or entry.refused or "the baseline stands alone"
    return [f"{where}{entry.label} has {own(entry)}; no lift is shown: {reason}."]


def _first_line(board: Board, entry: Entry) -> str:
    """Return `With X, agent A on model M scored L points more (interval, p) over T tasks, …`."""
    lift = entry.lift
    if lift is None:
        raise ValueError("an entry without a lift has no such line")
    finding, result = lift.finding, lift.finding.result
    if isinstance(result.estimate, CannotTell):
        return f"With {entry.label}, {_subject(board)}: no lift is shown: {result.estimate.reason}."
    moved = None if result.shape == "one task" else result.moved
    count = f", {moved.better + moved.worse} of which moved" if moved else ""
    units = f"over {wording.units(result)}{count}"
    reason = f" ({lift.verdict.reason})" if lift.verdict.kind == "cannot tell" else ""
    # the word of a table's cell, "none", would be read as how many tasks moved
    none = lift.verdict.kind == "none"
    ending = "; no verdict: pipeline proof" if none else f": {lift.verdict.word}{reason}"
    return (
        f"With {entry.label}, {_subject(board)} {_scored(finding, result.estimate)}"
        f" ({_means(finding)}{_range(finding, result.interval)}, {p_after_holm(finding)}) {units}"
        f"{ending}."
    )


def _means(finding: Finding) -> str:
    """Return `2.5 with, 1.25 without, of 3; ` where points alone do not tell the scale."""
    claim = finding.claim
    if claim.kind == "amount" or claim.bounds == UNIT_RANGE:
        return ""
    known = [
        (pair.treatment, pair.baseline)
        for pair in details.task_pairs(finding)
        if pair.treatment is not None and pair.baseline is not None
    ]
    if not known:
        return ""
    after, before = (math.fsum(each) / len(known) for each in zip(*known, strict=True))
    return f"{display(after)} with, {display(before)} without, of {display(claim.bounds[1])}; "


def _subject(board: Board) -> str:
    """Return `agent A on model M (context)`, as much of it as the rows say."""
    agent, version, model = (board.fields.get(n) for n in ("agent", "agent_version", "model"))
    named = " ".join(str(word) for word in (agent, version) if word is not None)
    who = f"agent {named}" if named else "the rows"
    where = f" ({board.context})" if board.context else ""
    return f"{who} on model {model}{where}" if model is not None else f"{who}{where}"


def _scored(finding: Finding, lift: float) -> str:
    """Return `scored 24 points more`."""
    claim = finding.claim
    if claim.kind == "amount":
        return f"had {wording.estimate(finding)} in {claim.metric.name}"
    way = "more" if lift >= 0 else "fewer"
    points = abs(lift) * (POINTS if claim.bounds == UNIT_RANGE else 1)
    return f"scored {display(points)} points {way} in {claim.metric.name}"


def _range(finding: Finding, found: Interval | CannotTell) -> str:
    """Return the interval of a lift in the points that its line speaks of."""
    claim = finding.claim
    if claim.kind == "amount" or claim.bounds != UNIT_RANGE or isinstance(found, CannotTell):
        return range_text(finding, found)
    low, high = (None if end is None else POINTS * end for end in (found.low, found.high))
    return f"{range_text(finding, replace(found, low=low, high=high))} points"


def board_tables(board: Board) -> tuple[Table, ...]:
    """Return the tables of a board in order."""
    tasks = (per_task(board),) if board.tasks else ()
    return *ranked(board), *tasks, exclusions(board)


def ranked(board: Board) -> tuple[Table, ...]:
    """Return the standings of the arms, and where a judge saw pairs of them, what it prefers."""
    pairs = (preferred(board),) if board.preferences else ()
    return standings(board), *pairs


def standings(board: Board) -> Table:
    """Return a line an arm, the best mean first, each rank a range."""
    columns: list[Column[Entry]] = [
        ("Rank", "left", lambda entry: str(entry.ranks)),
        ("Arm", "left", lambda entry: entry.label),
        (board.claim.metric.label, "right", lambda entry: estimate(entry.summary.estimate)),
        ("Interval", "right", lambda entry: ends(entry.summary.interval)),
    ]
    if any(entry.summary.descriptive for entry in board.entries):
        columns.append((BOOTSTRAP, "right", lambda entry: ends(entry.summary.descriptive)))
    if board.lifts:
        columns += [
            ("Lift", "right", _lift(wording.estimate)),
            ("Lift interval", "right", _lift(interval_cell)),
            ("p after Holm", "right", _lift(_p)),
        ]
    columns.append(("Verdict", "left", lambda entry: verdict(board, entry)))
    if board.tasks:
        columns.append(("Tasks", "right", lambda entry: f"{len(entry.account.tasks):,}"))
    columns += [
        ("Runs", "right", lambda entry: f"{entry.summary.runs:,}"),
        ("Not scored", "right", lambda entry: f"{entry.excluded:,}"),
    ]
    if any(entry.account.skill_read for entry in board.entries):
        columns.append(("Skill read", "right", _read))
    columns += [(f"{metric.heading} (mean)", "right", _mean(metric)) for metric in others(board)]
    return of_columns(about("Leaderboard", board), columns, board.entries)


def per_task(board: Board) -> Table:
    """Return a line a task: successes of scored runs, and the mean, in every arm."""
    heads = ("Task", *(entry.label for entry in board.entries))
    rows = tuple((row.task, *map(_cell, row.cells)) for row in board.tasks)
    caption = about(f"Succeeded of scored runs, and mean {board.claim.metric.name}", board)
    right: tuple[Align, ...] = ("right",)
    return Table(caption, heads, rows, ("left", *right * len(board.entries)))


def preferred(board: Board) -> Table:
    """Return a line for every two arms that a judge saw side by side in both orders."""
    rows = tuple(
        (
            *(each.treatment, each.baseline),
            *(f"{count:,}" for count in (each.better, each.worse, each.tied)),
            sign_test(each),
            *(f"{count:,}" for count in (each.conflicts, each.single)),
        )
        for each in board.preferences
    )
    return Table(
        about("Preferred in both orders", board),
        (
            *("Arm", "Against", "Tasks won", "Tasks lost", "Tasks tied", "Sign test p"),
            *("Pairs in conflict", "Pairs in one order"),
        ),
        rows,
        ("left", "left", "right", "right", "right", "right", "right", "right"),
    )


def sign_test(found: Preference) -> str:
    """Return the p of the test over the tasks with a winner, a dash where there is none."""
    return f"{p_text(found.test.exact_p)}, raw" if found.test else MISSING


def exclusions(board: Board) -> Table:
    """Return a line an arm, outcome and reason of the rows that are no success."""
    rows = tuple(
        (entry.label, ending.outcome, ending.reason, f"{ending.n:,}")
        for entry in board.entries
        for ending in entry.account.endings
    )
    return Table(
        about("Not scored, and no success", board),
        ("Arm", "Outcome", "Reason", "Rows"),
        rows or ((MISSING, "none", MISSING, "0"),),
        ("left", "left", "left", "right"),
    )


def others(board: Board) -> tuple[Metric, ...]:
    """Return the metrics beside the primary one that any arm has a value of."""
    known = {name for entry in board.entries for name in entry.account.means}
    primary = board.claim.metric.name
    return tuple(m for m in board.contract.metrics if m.name in known and m.name != primary)


def own(entry: Entry) -> str:
    """Return an arm's mean with its interval and n."""
    found = entry.summary
    bounds = f" ({ends(found.interval)})"
    return f"{estimate(found.estimate)}{bounds}, n {found.n}"


def verdict(board: Board, entry: Entry) -> str:
    """Return the verdict on an arm's lift, or why there is none."""
    if entry.lift:
        return str(entry.lift.verdict)
    if entry is board.baseline:
        return "baseline"
    # of a whole board it stands once, in the words above
    return "no lift" if board.refused else f"no lift: {entry.refused}"


def estimate(value: float | CannotTell) -> str:
    """Return a number, or why there is none."""
    return value.reason if isinstance(value, CannotTell) else display(value)


def ends(found: Interval | CannotTell | None) -> str:
    """Return `0.18 to 0.46`, or why there is no interval."""
    if found is None:
        return MISSING
    if isinstance(found, CannotTell):
        return found.reason
    return span(found.low, found.high)


def _lift(text: Callable[[Finding], str]) -> Cell:
    return lambda entry: text(entry.lift.finding) if entry.lift else MISSING


def _p(finding: Finding) -> str:
    return MISSING if finding.result.empty else adjusted_p(finding)


def _read(entry: Entry) -> str:
    read = entry.account.skill_read
    return f"{read[0]:,} of {read[1]:,}" if read else MISSING


def _mean(metric: Metric) -> Cell:
    def text(entry: Entry) -> str:
        found = entry.account.means.get(metric.name)
        if found is None:
            return MISSING
        # a run without a value, such as one that never got there, is in no mean
        count = "" if found.n == entry.summary.scored else f" (n {found.n:,})"
        return f"{display(found.value)}{count}"

    return text


def _cell(cell: TaskCell | None) -> str:
    if cell is None:
        return MISSING
    lost = f", {cell.runs - cell.scored:,} not scored" if cell.runs > cell.scored else ""
    return f"{cell.succeeded:,}/{cell.scored:,}, {display(cell.mean)}{lost}"


def about(words: str, board: Board) -> str:
    """Return what a table or chart of a board is about, and of which context."""
    return f"{words}: {board.context}" if board.context else words


def explanations(boards: Sequence[Board]) -> tuple[str, ...]:
    """Return what a reader must know of the numbers of boards, once for each metric."""
    return tuple(dict.fromkeys(map(explained, boards)))


def explained(board: Board) -> str:
    """Return what a reader must know of the numbers of a board."""
    claim = board.claim
    refused = f" No lift: {board.refused}." if board.refused else ""
    return (
        f"Metric: {claim.metric.name}, {claim.metric.better} is better. Smallest effect that"
        f" counts, M: {wording.effect(claim, claim.min_effect)}. Level .05, two-sided; the lifts of"
        " a board are one Holm family, the pairs behind its ranks another. Intervals cover"
        f" {COVERED[claim.tasks]}; that of the bootstrap decides nothing. Other metrics are means"
        f" of task means, exploratory: no verdict.{refused}"
    )
