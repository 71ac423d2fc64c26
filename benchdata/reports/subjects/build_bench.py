"""The report of a build bench: which lanes get green, at what price, and who clears the bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import polars as pl

from benchdata.comparisons import claims, pairwise
from benchdata.comparisons.claims import Claim
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.contracts.gate import Bar
from benchdata.dataset import Dataset
from benchdata.errors import ContractError, InputError
from benchdata.gates import bars
from benchdata.gates.caps import other_values
from benchdata.reports import baselines, comparison, lane_answers
from benchdata.reports.comparison import Comparison
from benchdata.reports.comparison_formats import definition
from benchdata.reports.lane_answers import BAR, LANE, Answer
from benchdata.reports.report import Common, Prose, Report, Several, read
from benchdata.reports.score_formats import priced
from benchdata.reports.scores import Scores, scores
from benchdata.reports.subjects import (
    bench_charts,
    bench_tables,
    choices,
    composite_tables,
    confounds,
    cross_lane,
    findings,
    verdict_tables,
)
from benchdata.reports.subjects.composite_tables import Weighed
from benchdata.reports.tables import Table, escaped
from benchdata.stats import scoring
from benchdata.stats.results import CannotTell
from benchdata.stats.scoring import PRESETS, Preset

if TYPE_CHECKING:
    import altair as alt

DEFAULT = "default"
PER_RUN = ("test_pass_rate", "turns_to_green")


def open_build_bench(
    inputs: Iterable[str],
    *,
    metric: str = "",
    min_effect: float | None = None,
    preset: str = DEFAULT,
    lane: str = "",
    **common: Unpack[Common],
) -> BuildBench:
    """Read build runs and compare their lanes on one metric, the primary one where none is given.

    `lane` is the one that questions are answered of.

    Raises:
        ReportError: A parameter is of the wrong kind, no run is of the lane, or `digest` is not
            that of the rows.
        ContractError: The rows are no build runs, or have no such metric.
        InputError: No shipped preset has that name; a file of one would not be in the report.
    """
    rows = read(inputs, common)
    if rows.contract.name != BUILD_RUN.name:
        raise ContractError(
            f"a build bench is made of {BUILD_RUN.name} rows, not {rows.contract.name}"
        )
    claim = claims.of_contract(
        rows.contract, choices.text("metric", metric), choices.number("min_effect", min_effect)
    )
    weights = scoring.preset(choices.text("preset", preset) or DEFAULT)
    found = BuildBench(rows, claim, weights, choices.text("lane", lane) or "", **common)
    found.answers()  # a lane without a run is refused before anything is drawn
    return found


class BuildBench(Report):
    """The charts and tables of build runs: lanes are never pooled over tasks."""

    kind = "Build bench"

    def __init__(
        self, rows: Dataset, claim: Claim, preset: Preset, lane: str, **common: Unpack[Common]
    ) -> None:
        super().__init__(rows, **common)
        self.claim = claim
        self.preset = preset
        self.lane = lane

    def first_lines(self) -> tuple[str, ...]:
        """Return how often each lane got green in each task, whether it clears the bar.

        Where shipped presets disagree on a composite, that comes first; of a named lane the
        answers follow.
        """
        found = self.scores
        disagree = () if isinstance(found, CannotTell) else found.disagreements
        asked = (each.sentence for each in lane_answers.leading(self._answers))
        return (*disagree, *(f"{line}." for line in self._greens()), *asked)

    def runs(self) -> Several:
        """Draw the pass rate and the turns to green of every run, by lane and task."""
        return Several(self._strip(name) for name in PER_RUN)

    def probes(self) -> Several:
        """Draw how often each probe passed in each lane, a map a task."""
        return Several(self._each_task(bench_charts.probes))

    def green(self) -> Several:
        """Draw the share of runs that are green by turn; runs that never are stay the plateau."""
        return Several(self._each_task(bench_charts.green))

    def cost(self) -> Several:
        """Draw cost against wall time, a dot a run."""
        return Several(self._each_task(bench_charts.cost))

    def composite(self) -> alt.TopLevelMixin | Prose:
        """Draw the composite of each lane by component, under each shipped preset."""
        if isinstance(self.scores, CannotTell):
            return Prose(f"No composite: {self.scores.reason}.")
        return composite_tables.chart(self._composites)

    def composites(self) -> Several | Prose:
        """Return the composite of each lane with its interval, under the chosen preset its rank.

        Below it stands by which prices.
        """
        if isinstance(self.scores, CannotTell):
            return Prose(f"No composite: {self.scores.reason}.")
        sentence = Prose(escaped(priced(self.scores)))
        return Several((composite_tables.composites(self._composites), sentence))

    def lanes(self) -> Table:
        """Return each lane held to the bar, a line a task."""
        return bench_tables.lanes(self.answer, self.frame)

    def pairs(self) -> Several:
        """Draw the difference of each pair of lanes."""
        named = [
            (verdict_tables.against(line), line.finding, line.verdict)
            for line in self.comparison.lines
        ]
        subject = f"{self.claim.metric.label}: each pair of lanes"
        return Several(findings.forest(named, subject=subject) if named else ())

    def verdicts(self) -> Several:
        """Return the verdict on each pair of lanes."""
        found = self.comparison
        return Several((verdict_tables.verdicts(found), Prose(escaped(definition(found)))))

    def reasons(self) -> Table:
        """Return why each verdict is what it is."""
        return verdict_tables.reasons(self.comparison)

    def remarks(self) -> Table:
        """Return what must be known beside each verdict."""
        return verdict_tables.remarks(self.comparison)

    def ranks(self) -> Table | Prose:
        """Return the rank range of each lane under each agent and model."""
        if isinstance(self.scores, CannotTell):
            return Prose(f"No composite: {self.scores.reason}.")
        return cross_lane.ranks(self.scores)

    def orders(self) -> Several | Prose:
        """Return whether two models put the lanes in the same order."""
        found = self._baselines
        return cross_lane.orders(found, baselines.orders(found))

    def answers(self) -> Several | Prose:
        """Return what is asked of the named lane."""
        return cross_lane.answers(self._answers)

    def pins(self) -> Table | Prose:
        """Return the fields in which two lanes differ besides their name."""
        return verdict_tables.differing(self.comparison)

    def confounds(self) -> Table:
        """Return what no lane is held equal in, and what these rows say of it."""
        return confounds.table(self.frame)

    def caps(self) -> Table:
        """Return the caps that runs of each lane were held to."""
        return bench_tables.caps(self.frame)

    def stop_causes(self) -> Table:
        """Return why the runs of each lane and task stopped."""
        return bench_tables.stop_causes(self.frame)

    @cached_property
    def scores(self) -> Scores | CannotTell:
        """Return the composites under the chosen preset, or why there are none."""
        try:
            return scores(self.dataset, self.preset)
        except InputError as error:
            return CannotTell(str(error))

    @property
    def _baselines(self) -> Sequence[baselines.Baseline]:
        return () if isinstance(self.scores, CannotTell) else self.scores.baselines

    @cached_property
    def _answers(self) -> tuple[Answer, ...]:
        if not self.lane:
            return ()
        return lane_answers.answers(self.dataset, self._baselines, self.lane)

    @cached_property
    def _composites(self) -> Sequence[Weighed]:
        """Return the lanes under the chosen preset, then under the other shipped ones."""
        if isinstance(self.scores, CannotTell):
            return ()
        others = [preset for name, preset in PRESETS.items() if name != self.preset.name]
        return (
            *composite_tables.chosen(self.scores),
            *composite_tables.under(self.dataset, others, self.scores),
        )

    @cached_property
    def answer(self) -> bars.BarAnswer:
        """Return every lane held to the bar."""
        return bars.hold(self.dataset, BAR)

    @cached_property
    def comparison(self) -> Comparison:
        """Return every pair of lanes, one family."""
        found = pairwise.all_pairs(self.dataset, self.claim, LANE, self._takes_part)
        return comparison.report(self.contract.name, found)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """Return the runs that the bar is about, with the name of their lane, in order."""
        named = [
            (group, place, arm.label)
            for place, arm in enumerate(self.answer.arms)
            for group in arm.groups
        ]
        schema = {"group_id": pl.String, "place": pl.Int64, "name": pl.String}
        rows = self.dataset.sql("select * from grouped order by row_start, row_id")
        joined = rows.join(pl.DataFrame(named, schema, orient="row"), on="group_id")
        return joined.sort("place", "task_id", "row_start", "row_id")

    @cached_property
    def scored(self) -> pl.DataFrame:
        """Return the runs that were not lost to the infrastructure."""
        return self.frame.filter(pl.col("row_result") != "unscored")

    def _takes_part(self, fields: Mapping[str, Any]) -> bool:
        return not any(other_values(self._bar.only, fields))

    @property
    def _bar(self) -> Bar:
        return self.answer.bar

    def _greens(self) -> Iterator[str]:
        for arm in self.answer.arms:
            runs = self.scored.filter(pl.col("name") == arm.label)
            parts = [
                f"{(part['stop_cause'] == 'green').sum():,} of {part.height:,} runs of {task}"
                for (task,), part in runs.group_by("task_id", maintain_order=True)
            ]
            found = " and ".join(parts) or "no scored run"
            yield f"Lane {arm.label} was green in {found}: bar {arm.state}"

    def _strip(self, name: str) -> alt.TopLevelMixin:
        return bench_charts.strip(self.scored, self.contract.metric(name))

    def _each_task(self, draw: Callable[[str, pl.DataFrame], Any]) -> Iterator[Any]:
        for task in self.scored["task_id"].unique().sort():
            yield draw(task, self.scored.filter(pl.col("task_id") == task))
