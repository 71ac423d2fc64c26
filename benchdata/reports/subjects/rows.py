"""The report of rows: how attempts ended, how long they took, which groups may be published."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TYPE_CHECKING, Any, Unpack

import polars as pl

from benchdata import charts, queries
from benchdata.comparisons.definitions import P50
from benchdata.contracts.columns import column_name
from benchdata.contracts.meaning import Metric
from benchdata.engine.connection import literal, quoted
from benchdata.numbers import MISSING, PLAIN, display
from benchdata.reports import formats
from benchdata.reports.report import Common, Prose, Report, read
from benchdata.reports.subjects import samples
from benchdata.reports.summary import Group
from benchdata.reports.tables import Table
from benchdata.stats.percentiles import is_maximum

if TYPE_CHECKING:
    import altair as alt

EXACT = Context(prec=400)  # every digit of the largest float
RANKS = (("p50", 50, 100), ("p95", 95, 100), ("p99", 99, 100), ("p999", 999, 1000))


def open_report(inputs: Iterable[str], **common: Unpack[Common]) -> RowsReport:
    """Read the inputs of a report of rows.

    Raises:
        ReportError: `digest` is given and is not that of the rows.
    """
    return RowsReport(read(inputs, common), **common)


class RowsReport(Report):
    """The tables and charts of one dataset of one contract, group by group."""

    def results(self) -> Table:
        """Return groups, outcomes and percentiles."""
        return formats.results(self.summary)

    def regions(self) -> Table:
        """Return what the labels of the dataset mean, as its datasheet says."""
        meanings = dict.fromkeys(
            pair for sheet in self.dataset.datasheets for pair in sheet.regions.items()
        )
        rows = tuple(meanings) or ((MISSING, "no datasheet beside the rows says"),)
        return Table("Regions", ("Label", "Meaning"), rows, ("left", "left"))

    def failures(self) -> Table:
        """Return how often each group failed, with Wilson's 95% interval."""
        rows = [(group.label, *_failed(group)) for group in self.summary.groups]
        head = ("Group", "Failed", "Failure rate", "95% interval")
        caption = "Failure rates (partial is no failure; interval: Wilson)"
        return Table(caption, head, tuple(rows), ("left", "right", "right", "right"))

    def reasons(self) -> Table:
        """Return why rows that are no success ended."""
        return formats.reasons(self.summary)

    def outcomes(self) -> alt.TopLevelMixin:
        """Draw how the rows of each group ended."""
        table = self._table("outcomes").filter(pl.col("outcome") != "unscored")
        return charts.outcomes(table)

    def stop_reasons(self) -> alt.TopLevelMixin | Prose:
        """Draw why rows that are no success ended."""
        table = self._table("stop_reasons")
        if table.is_empty():
            return Prose("Every row is a success.")
        counts = table.group_by("stop_reason").agg(pl.sum("n")).sort("n", "stop_reason")
        every = counts.reverse().with_columns(group=pl.lit("All groups"))
        return charts.stop_reasons(every, subject="Stop reasons of partial and failed attempts")

    def values(self, metric: str = "") -> alt.TopLevelMixin:
        """Draw every value of one metric (the primary one) and the median's interval, by group."""
        chosen = self.contract.metric(metric or self.contract.primary)
        values = self._values(chosen)
        return charts.strip(
            values,
            samples.medians(values, chosen, nearest_rank=True),
            subject=f"{chosen.label}: every row",
            unit=chosen.unit,
            middle=P50,
            interval=samples.INTERVAL,
            curves=True,
        )

    def timeline(self) -> alt.TopLevelMixin | Prose:
        """Draw the primary metric of each row by when it started."""
        chosen = self.contract.metric(self.contract.primary)
        shown = quoted(column_name(self.contract.shown[-1])) if self.contract.shown else "null"
        conditions = self.dataset.sql(
            f"select group_id, group_order, cast({shown} as varchar) as condition from group_list"
        )
        table = self._table("timeline").rename({"row_start": "time"})
        if table.is_empty():
            return Prose("No row says when it started.")
        return charts.timeline(
            table.join(conditions, on="group_id").sort("group_order", "time", "row_id"),
            subject=f"{chosen.label} over time",
            unit=chosen.unit,
        )

    def components(self, first: str, *others: str) -> alt.TopLevelMixin:
        """Draw the p50 of several metrics of one unit as separate dots, by group."""
        metrics = (first, *others)
        labels = {name: self.contract.metric(name).label for name in metrics}
        table = self._table("percentiles").filter(pl.col("metric").is_in(metrics))
        named = table.with_columns(component=pl.col("metric").replace_strict(labels))
        return charts.components(named, unit=self.contract.metric(first).unit)

    def evidence(self) -> alt.TopLevelMixin:
        """Draw p50 and p95 of what more is better of, by group."""
        labels = {metric.name: metric.label for metric in self.contract.metrics}
        table = self._table("evidence")
        return charts.evidence(table.with_columns(measure=pl.col("metric").replace_strict(labels)))

    def tail(self) -> Table:
        """Return n, failures and every nearest-rank percentile of each metric, by group."""
        failed = {group.id: group.outcomes["failed"] for group in self.summary.groups}
        labels = {metric.name: metric.heading for metric in self.contract.metrics}
        rows = [
            (
                row["group_label"],
                labels[row["metric"]],
                f"{row['n']:,}",
                f"{failed[row['group_id']]:,}",
                *(_ranked(row, name, part, whole) for name, part, whole in RANKS),
                _decimal(row["maximum"]),
            )
            for row in self.dataset.sql(queries.text("percentiles")).iter_rows(named=True)
        ]
        heads = ("Group", "Metric", "n", "Failed", "p50", "p95", "p99", "p99.9", "Max")
        caption = f"Nearest-rank percentiles ({formats.MAXIMUM} = the maximum of n)"
        return Table(caption, heads, tuple(rows), ("left", "left", *("right",) * 7))

    def throughput(self) -> Table | Prose:
        """Return completed rows a second, by group."""
        if self.contract.throughput is None:
            return Prose("The contract declares no throughput.")
        rows = [
            (row["group_label"], f"{row['completed']:,}", _decimal(row["per_second"]))
            for row in self.dataset.sql(queries.text("throughput")).iter_rows(named=True)
        ]
        head = ("Group", "Completed", "Completed a second")
        return Table("Throughput", head, tuple(rows), ("left", "right", "right"))

    def _values(self, metric: Metric) -> pl.DataFrame:
        """Return `group, value` of the scored rows; one without a value only where it ranks."""
        there = "" if metric.null_ranks == "worst" else " and value is not null"
        return self.dataset.sql(
            'select group_label as "group", value from measurements'
            f" where metric = {literal(metric.name)} and row_result <> 'unscored'{there}"
            " order by group_order, value"
        )


def _failed(group: Group) -> tuple[str, str, str]:
    """Return failed rows of all scored ones, their share, and its interval."""
    count = f"{group.outcomes['failed']:,} of {group.scored:,}"
    rate = f"{group.failure_rate_percent:.1f}%" if group.scored else MISSING
    return count, rate, formats.failure_range(group)


def _ranked(row: dict[str, Any], name: str, part: int, whole: int) -> str:
    """Return a percentile, marked when its rank is the last one."""
    return _decimal(row[name]) + (formats.MAXIMUM if is_maximum(row["n"], part, whole) else "")


def _decimal(value: float | None) -> str:
    """Return a measured number with one decimal, halves away from zero, as most tools print it."""
    if value is None:
        return MISSING
    if abs(value) >= PLAIN[1]:
        return display(value)
    return f"{Decimal(value).quantize(Decimal('0.1'), ROUND_HALF_UP, EXACT):,}"
