"""The report of what a blind judge saw: dQ by task, its dimensions, pictures, pairs, failures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import polars as pl

from benchdata import charts
from benchdata.contracts.judgment import RENDERS
from benchdata.errors import ContractError
from benchdata.leaderboards.boards import Board
from benchdata.leaderboards.judged import Judge, judges
from benchdata.leaderboards.profiles import Dimension, profile
from benchdata.reports import formats, judge_cautions, judge_tables
from benchdata.reports.leaderboard_tables import about, preferred, standings
from benchdata.reports.report import Common, Prose, Several, read
from benchdata.reports.subjects import choices, findings, marks, renders, retrievals
from benchdata.reports.subjects.renders import Shown
from benchdata.reports.subjects.skill_leaderboard import DUMBBELL, SkillLeaderboard
from benchdata.reports.tables import Table, escaped
from benchdata.stats.results import known

if TYPE_CHECKING:
    import altair as alt

OWN_CHECK = "The task's own check (does not change Q): runs without success"
PROFILE = {name: DUMBBELL[name] for name in ("group", "task", "baseline", "treatment")}


def open_visual_judge(
    inputs: Iterable[str], *, renders: str = RENDERS, **common: Unpack[Common]
) -> VisualJudge:
    """Read runs and what a judge says of them; `renders` is the folder of pictures beside them.

    Raises:
        ReportError: A `digest` is given and is not that of the rows, or `renders` leads elsewhere.
        ContractError: There are no rows of a judge, or none of the runs that it judged.
    """
    report = VisualJudge(read(inputs, common), renders, **common)
    if not report.judges:
        raise ContractError("no run here was judged: give the skill-run and the judgment rows")
    return report


class VisualJudge(SkillLeaderboard):
    """The charts and tables of the boards that judges gave the scores of."""

    kind = "Blind visual judge"

    def __init__(self, given: Any, renders: str, **common: Unpack[Common]) -> None:
        super().__init__(given, **common)
        self.renders = renders

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """Return the boards that judges scored; one judge alone need not be named on each."""
        return judge_tables.named_once(
            [board for board in self.summary.boards if board.judge], self.judges
        )

    @cached_property
    def judges(self) -> tuple[Judge, ...]:
        """Return the instruments."""
        return tuple(judges(self.given, self.contract))

    def subject_title(self) -> str:
        """Return which suites were judged, each with its stage."""
        places = (board.fields for board in self.boards)
        named = dict.fromkeys(f"suite {one['category']}, stage {one['stage']}" for one in places)
        return "; ".join(named)

    def first_lines(self) -> tuple[str, ...]:
        """Return what each arm adds, how it was scored, and what pairs say."""
        return judge_tables.first_lines(self.boards, self.judges)

    def against(self) -> Prose:
        """Return what speaks against the result, a line each."""
        told = (
            *judge_cautions.against(self.boards, self.judges),
            *retrievals.cautions(self._ways),
        )
        return Prose("\n".join(f"- {escaped(line)}" for line in told))

    def differences(self) -> Several:
        """Draw dQ of every task, with its mean and interval."""
        drawn = [part for board in self.boards for part in _differences(board)]
        return Several(drawn or [Prose("No lift may be shown, so no task has a difference.")])

    def profile(self) -> Several:
        """Draw the mean of every dimension without and with each skill."""
        has_lift = any(board.lifts for board in self.boards)
        found = list(profile(self.given, self.contract)) if has_lift else []
        if not found:
            return Several([Prose("No lift may be shown, so no dimension is compared.")])
        places = dict.fromkeys(one.context for one in found)
        drawn = (_profile([one for one in found if one.context == each]) for each in places)
        return Several([*drawn, judge_tables.dimensions(found)])

    def leaderboard(self) -> Several:
        """Return a line an arm, each rank a range; pairs have a part of their own."""
        return Several(map(standings, self.boards))

    def sheets(self) -> Several:
        """Show the pictures that the judge saw, the arms side by side, a task each."""
        places = renders.folders(self.given, choices.text("renders", self.renders) or "")
        shown = list(renders.side_by_side(list(self._shown()), places))
        none = [] if shown else [Prose(_no_pictures(self.renders))]
        failures = Prose(*(marks.failures_line(found) for found in self._marks))
        return Several([*shown, *none, failures])

    def pairs(self) -> Several:
        """Return what the judge prefers in both orders, by task, and what the order did."""
        tables = [preferred(board) for board in self.boards if board.preferences]
        if not tables:
            return Several([Prose("No pair was judged: nothing is preferred to anything.")])
        return Several([*tables, *self._of_each(_pairs)])

    def asked(self) -> Several:
        """Return how all questions to the judge ended, and what they cost."""
        return Several(self._of_each(lambda judge: [judge_tables.asked(judge.asked)]))

    def check(self) -> Several:
        """Return the instrument check, recomputed from its rows."""
        return Several(self._of_each(_check))

    def retrieval(self) -> Several:
        """Return whether each arm took its way to find skills; nothing where none had one."""
        return Several([retrievals.table(self._ways)] if self._ways else [])

    def exclusions(self) -> Several:
        """Return what each task's own check says, which changes no score."""
        found = zip(super().exclusions(), self.boards, strict=True)
        return Several(replace(table, caption=about(OWN_CHECK, board)) for table, board in found)

    def gate(self) -> Several:
        """Return the state of every group and each reason why it is not ready."""
        return Several(map(formats.gate_reasons, self.summaries))

    @cached_property
    def _ways(self) -> tuple[retrievals.Arm, ...]:
        return retrievals.arms(self.given, self.dataset)

    @cached_property
    def _marks(self) -> tuple[Mapping[str, marks.Marked], ...]:
        """Return what each judge gave the runs beside their scores."""
        return tuple(marks.by_run(self.given, judge) for judge in self.judges)

    def _of_each(self, tell: Callable[[Judge], Iterable[Table | Prose]]) -> Iterator[Table | Prose]:
        """Yield what is told of each instrument, under its name where there are several."""
        for judge in self.judges:
            if len(self.judges) > 1:
                yield Prose(f"### {escaped(judge.name)}")
            yield from tell(judge)

    def _shown(self) -> Iterator[Shown]:
        """Yield the first repeat of each task in each arm, the baseline first."""
        judge, marked = self.judges[0], self._marks[0]
        lines = self.dataset.sql(
            "select row_id, row_task, row_repeat, row_arm from grouped"
            " order by row_task, row_control desc, row_arm, try_cast(row_repeat as int), row_id"
        )
        seen: set[tuple[str, str]] = set()
        for run, task, repeat, arm in lines.iter_rows():
            if run in judge.artefacts and (task, arm) not in seen:
                seen.add((task, arm))
                name = str(json.loads(arm)[0])
                said = str(marked[run]) if run in marked else ""
                yield Shown(task, name, repeat, judge.artefacts[run], judge.scores.get(run), said)


def _no_pictures(name: str) -> str:
    if not name:
        return "No pictures: none were asked for."
    return f"No pictures: no folder `{name}` with what the judge saw lies beside the rows."


def _differences(board: Board) -> Iterator[alt.TopLevelMixin | Prose]:
    for entry in board.lifts:
        if entry.lift:
            subject = about(f"dQ of {entry.label} by task", board)
            yield findings.differences(entry.lift.finding, subject)


def _profile(found: Sequence[Dimension]) -> alt.TopLevelMixin:
    rows = [
        (one.treatment.label, one.name, known(one.baseline.estimate), known(one.treatment.estimate))
        for one in found
    ]
    return charts.dumbbell(
        pl.DataFrame(rows, PROFILE, orient="row").sort("group", maintain_order=True),
        subject="Mean of each dimension",
        unit=findings.value_unit(found[0].finding.claim),
        arms=(found[0].baseline.label, "the arm named above"),
        name="dimensions",
    )


def _pairs(judge: Judge) -> list[Table | Prose]:
    return [judge_tables.pairs(judge.pairs), Prose(escaped(judge_tables.bias_line(judge.bias)))]


def _check(judge: Judge) -> list[Table | Prose]:
    if not judge.check:
        return [Prose("No instrument check lies among the rows, so no score may be published.")]
    passed = [Prose("The check passes.")] if judge.checked else []
    faults = [Prose("\n".join(f"- {escaped(fault)}" for fault in judge.faults))]
    return [judge_tables.check(judge), *(passed or faults)]
