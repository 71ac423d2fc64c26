"""The report of a leaderboard: what each skill adds, task by task, at what price in tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import polars as pl

from benchdata import charts
from benchdata.comparisons import claims, details, tables
from benchdata.comparisons.claims import UNIT_RANGE
from benchdata.comparisons.findings import Finding
from benchdata.contracts.usage import TOKENS
from benchdata.errors import ContractError, counted
from benchdata.leaderboards.boards import Board, Entry
from benchdata.reports import leaderboard_tables
from benchdata.reports.leaderboard_tables import about
from benchdata.reports.report import Common, Prose, Report, Several, read
from benchdata.reports.subjects import findings, lift_tables, plans
from benchdata.reports.tables import escaped
from benchdata.stats.results import ends

if TYPE_CHECKING:
    import altair as alt

MOST_LINES = 6  # first lines that a reader reads
DUMBBELL = {
    **dict.fromkeys(("group", "task"), pl.String),
    **dict.fromkeys(("baseline", "treatment"), pl.Float64),
    **dict.fromkeys(("baseline_k", "baseline_n", "treatment_k", "treatment_n"), pl.Int64),
}
Ratios = Mapping[tuple[str, str], Finding]
CROSS = dict.fromkeys(
    ("ratio", "ratio_low", "ratio_high", "lift", "lift_low", "lift_high"), pl.Float64
)


def open_skill_leaderboard(inputs: Iterable[str], **common: Unpack[Common]) -> SkillLeaderboard:
    """Read rows of arms beside a baseline, and what a judge says of them.

    Raises:
        ReportError: A `digest` is given and is not that of the rows.
        ContractError: The contract compares no arms, or there are rows of others than its judge.
    """
    report = SkillLeaderboard(read(inputs, common), **common)
    if not report.boards:
        raise ContractError(f"{report.contract.name} rows compare no arms: there is no leaderboard")
    return report


class SkillLeaderboard(Report):
    """The charts and tables of the boards of one dataset: one a context, and one a judge of it."""

    kind = "Skill leaderboard"

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """Return the boards that `summarize` shows of the same rows, in its order."""
        return self.summary.boards

    def first_lines(self) -> tuple[str, ...]:
        """Return what each arm adds to the baseline; of many the first, and how many more."""
        lines = [line for board in self.boards for line in leaderboard_tables.first_lines(board)]
        more = len(lines) - MOST_LINES
        rest = (f"{counted(more, 'more lift')} in the leaderboard below.",) if more > 0 else ()
        return (*lines[:MOST_LINES], *rest)

    def forest(self) -> Several:
        """Draw every lift with its interval, a chart a metric."""
        drawn = [part for boards in self._metrics() for part in _forest(boards)]
        return Several(drawn or (Prose("No lift may be shown: see the leaderboard."),))

    def dumbbell(self) -> Several:
        """Draw the mean of every task without and with each skill."""
        return Several(self._each(_dumbbell))

    def heatmap(self) -> Several:
        """Draw every task in every arm."""
        return Several(map(_heatmap, self.boards))

    def tradeoff(self) -> Several:
        """Draw each lift against the ratio of tokens; of the tokens no verdict is given."""
        ratios = self._token_ratios()
        drawn = [_tradeoff(boards, ratios) for boards in self._metrics()]
        none = Prose("No lift may be shown, so there is none to set against tokens.")
        return Several(drawn or (none,))

    def reach(self) -> Several:
        """Draw the lift that each board's plan finds 8 times in 10, by its number of tasks."""
        return Several(plans.reach(board) for board in self.boards)

    def leaderboard(self) -> Several:
        """Return a line an arm, each rank a range; and where a judge saw pairs, what it prefers."""
        return Several(table for board in self.boards for table in leaderboard_tables.ranked(board))

    def paired(self) -> Several:
        """Return the tasks that each arm and the baseline both ran."""
        return Several(map(lift_tables.paired, self.boards))

    def exclusions(self) -> Several:
        """Return the rows that are no success, time-outs and lost rows among them."""
        return Several(map(leaderboard_tables.exclusions, self.boards))

    def how_to_read(self) -> Prose:
        """Return each metric, its M, and what rank and bootstrap interval are."""
        return Prose(*map(escaped, leaderboard_tables.explanations(self.boards)))

    def _metrics(self) -> Iterator[list[Board]]:
        """Yield the boards of each metric that have lifts: two scales share no axis."""
        lifted = [board for board in self.boards if board.lifts]
        for name in dict.fromkeys(board.claim.metric.name for board in lifted):
            yield [board for board in lifted if board.claim.metric.name == name]

    def _each(self, draw: Any) -> Iterator[Any]:
        for board in self.boards:
            if board.lifts:
                yield draw(board)
            else:
                reason = board.refused or "no arm beside the baseline ran its tasks"
                yield Prose(f"{board.context or 'The board'}: no lift is shown: {reason}.")

    def _token_ratios(self) -> Ratios:
        """Return the comparison of tokens, by place and arm; none where rows tell none."""
        names = {metric.name for metric in self.contract.metrics}
        if TOKENS.name not in names or not any(board.lifts for board in self.boards):
            return {}
        claim = claims.of_contract(self.contract, TOKENS.name)
        found = tables.by_field(self.dataset, claim, self.contract.design.compared[0])
        pairs = zip(found.contexts, found.findings, strict=True)
        return {(place, finding.treatment.label): finding for place, finding in pairs}


def _forest(boards: Sequence[Board]) -> Iterator[alt.TopLevelMixin | Prose]:
    named = [
        (_name(board, entry), entry.lift.finding, entry.lift.verdict)
        for board in boards
        for entry in board.lifts
        if entry.lift
    ]
    return findings.forest(named, subject=f"{boards[0].claim.metric.label}: lift over the baseline")


def _tradeoff(boards: Sequence[Board], ratios: Ratios) -> alt.TopLevelMixin:
    rows = [
        (_name(board, entry), *_cross(entry.lift.finding, ratios.get((board.place, entry.label))))
        for board in boards
        for entry in board.lifts
        if entry.lift
    ]
    claim = boards[0].claim
    return charts.tradeoff(
        pl.DataFrame(rows, {"group": pl.String, **CROSS}, orient="row"),
        subject=f"{claim.metric.label}: lift against tokens",
        unit=findings.unit_of(claim, "difference"),
    )


def _name(board: Board, entry: Entry) -> str:
    return f"{entry.label} · {board.context}" if board.context else entry.label


def _dumbbell(board: Board) -> alt.TopLevelMixin | Prose:
    rows = [row for entry in board.lifts for row in _task_rows(board, entry)]
    claim = board.claim
    if not rows:
        return Prose(f"{about('Task by task', board)}: no task has a value in both arms.")
    return charts.dumbbell(
        pl.DataFrame(rows, DUMBBELL, orient="row"),
        subject=about(f"{claim.metric.label} by task", board),
        unit=findings.value_unit(claim),
        arms=(board.baseline.label if board.baseline else "baseline", "the arm named above"),
    )


def _task_rows(board: Board, entry: Entry) -> Iterator[tuple[Any, ...]]:
    """Yield a row a task; where k of n is not the mean only n is written."""
    if entry.lift is None or board.baseline is None:
        return
    passes = _passes(board)
    before, after = board.baseline.account.tasks, entry.account.tasks
    for pair in details.task_pairs(entry.lift.finding):
        cells = before[pair.task], after[pair.task]
        counts = [
            number for cell in cells for number in (cell.succeeded if passes else None, cell.scored)
        ]
        yield entry.label, pair.task, pair.baseline, pair.treatment, *counts


def _passes(board: Board) -> bool:
    """Return whether all or nothing is at stake: in every cell k of n runs is the mean."""
    cells = [cell for row in board.tasks for cell in row.cells if cell and cell.mean is not None]
    return board.claim.kind == "pass" or (
        board.claim.bounds == UNIT_RANGE
        and {cell.mean == cell.succeeded / cell.scored for cell in cells} == {True}
    )


def _heatmap(board: Board) -> alt.TopLevelMixin | Prose:
    passes = _passes(board)
    rows = [
        (row.task, entry.label, cell.scored, cell.succeeded if passes else cell.mean)
        for row in board.tasks
        for entry, cell in zip(board.entries, row.cells, strict=True)
        if cell is not None
    ]
    if all(measured is None for _, _, _, measured in rows):
        return Prose(f"{about('Task and arm', board)}: no scored run has a value.")
    measure = ("k", pl.Int64) if passes else ("value", pl.Float64)
    schema = {"row": pl.String, "column": pl.String, "n": pl.Int64, measure[0]: measure[1]}
    words = "Runs that passed" if passes else f"Mean {board.claim.metric.name}"
    return charts.heatmap(
        pl.DataFrame(rows, schema, orient="row"),
        subject=about(f"{words} by task and arm", board),
        unit="k of n scored runs" if passes else "mean, n scored runs",
        most=board.claim.bounds[1],
    )


def _cross(lift: Finding, tokens: Finding | None) -> tuple[float | None, ...]:
    return (*_point(tokens, "ratio"), *_point(lift, "difference"))


def _point(finding: Finding | None, scale: str) -> tuple[float | None, ...]:
    """Return estimate, low and high on a scale, None where there is no such number."""
    if finding is None or finding.result.scale != scale:
        return (None,) * 3
    estimate = finding.result.estimate
    value = estimate if isinstance(estimate, float | int) else None
    return (value, *ends(finding.result.interval))
