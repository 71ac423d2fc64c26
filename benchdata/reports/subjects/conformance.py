"""The report of a conformance run: is every reference green, and how long does asking it take?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Unpack

import polars as pl

from benchdata import charts
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.contracts.meaning import Metric
from benchdata.errors import ContractError
from benchdata.reports.report import Common, Report, Several, read
from benchdata.reports.subjects import conformance_tables, samples
from benchdata.reports.tables import Table

if TYPE_CHECKING:
    import altair as alt

KIND = "conformance"
LANE = ("lane", "Lane")
TASK = ("task_id", "Task")
STORE = ("store", "Store")
BOOT, SUITE = (Metric(name, name, "ms", "lower") for name in ("boot", "suite"))
MOST_NAMED = 12


def open_conformance(inputs: Iterable[str], **common: Unpack[Common]) -> Conformance:
    """Read what references answered to the probes of their suites.

    Raises:
        ReportError: `digest` is not that of the rows.
        ContractError: The rows are no build runs, or none is of the kind conformance.
    """
    rows = read(inputs, common)
    if rows.contract.name != BUILD_RUN.name:
        raise ContractError(f"conformance is in {BUILD_RUN.name} rows, not {rows.contract.name}")
    found = Conformance(rows, **common)
    if found.frame.is_empty():
        raise ContractError("no row is of the kind conformance; name the file that collect made")
    return found


class Conformance(Report):
    """What the probes said of each reference, and times in ms; rows of agents are left out."""

    kind = "Conformance"

    def first_lines(self) -> tuple[str, ...]:
        """Return whether every probe of every attempt passed, else which did not."""
        rows, red = self.frame, conformance_tables.failed(self.frame)
        lanes, tasks = rows["lane"].n_unique(), rows["task_id"].n_unique()
        of = f"{rows.height:,} attempts, lanes: {lanes:,}, tasks: {tasks:,}"
        unready = int((rows["boot_ms"].list.len() == 0).sum())
        if not red and not unready:
            return (f"Every probe of every reference passed ({of}).",)
        said = [f"Did not boot: {unready:,} of {of}."] if unready else []
        if red:
            more = f", and {len(red) - MOST_NAMED:,} more" if len(red) > MOST_NAMED else ""
            said.append(f"Did not pass ({of}): {', '.join(red[:MOST_NAMED])}{more}.")
        return tuple(said)

    def attempts(self) -> Table:
        """Return how many attempts of each lane and task were all green."""
        return conformance_tables.attempts(self.frame)

    def probes(self) -> Several:
        """Draw how often each probe passed, a map a task, a column a lane."""
        return Several(_passed(task, asked) for task, asked in self._by_task())

    def boots(self) -> Several:
        """Draw every boot, on a fresh store and after a stop, a chart a task; then the table."""
        boots = conformance_tables.boots(self.frame)
        named = pl.concat_str("lane", pl.lit(" · "), "store")
        return _drawn(boots, named, BOOT, "Boots", (TASK, LANE, STORE))

    def suites(self) -> Several:
        """Draw every run of a suite, a chart a task; then the table."""
        suites = conformance_tables.suites(self.frame)
        return _drawn(suites, pl.col("lane"), SUITE, "Suites", (TASK, LANE))

    def probe_times(self) -> Several:
        """Return p50 and the largest time of each probe, a table a task."""
        return Several(conformance_tables.probe_times(*each) for each in self._by_task())

    def _by_task(self) -> Iterator[tuple[str, pl.DataFrame]]:
        asked = conformance_tables.probes(self.frame)
        for (task,), part in asked.group_by("task_id", maintain_order=True):
            yield str(task), part

    @cached_property
    def frame(self) -> pl.DataFrame:
        """Return the rows of the kind conformance, by task and lane, then by start."""
        rows = self.dataset.sql("select * from grouped order by row_start, row_id")
        return rows.filter(kind=KIND).sort("task_id", "lane", maintain_order=True)


def _passed(task: str, asked: pl.DataFrame) -> alt.TopLevelMixin:
    table = asked.group_by("id", "lane", maintain_order=True).agg(
        n=pl.len(), k=(pl.col("verdict") == conformance_tables.PASS).sum()
    )
    return charts.heatmap(
        table.select(row="id", column="lane", n="n", k="k"),
        subject=f"Probes of {task} passed",
        unit="k of n attempts",
        rows="probes",
        columns="lanes",
    )


def _drawn(
    values: pl.DataFrame, named: pl.Expr, metric: Metric, what: str, by: Sequence[tuple[str, str]]
) -> Several:
    parts = values.group_by("task_id", maintain_order=True)
    drawn = [_strip(part, named, metric, f"{what} of {task}") for (task,), part in parts]
    return Several((*drawn, conformance_tables.times(values, f"{what}, ms", by)))


def _strip(values: pl.DataFrame, named: pl.Expr, metric: Metric, subject: str) -> alt.TopLevelMixin:
    table = values.select(group=named, value=pl.col("value").cast(pl.Float64)).sort("group")
    return charts.strip(
        table,
        samples.medians(table, metric, nearest_rank=True),
        subject=subject,
        unit=metric.unit,
        middle="p50, nearest rank",
        interval=samples.INTERVAL,
    )
