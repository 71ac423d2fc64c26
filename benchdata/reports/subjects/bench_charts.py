"""Charts of a build bench, each of the scored runs of one task or of all, `name` being the lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from benchdata import charts
from benchdata.comparisons.definitions import MEDIAN
from benchdata.contracts.meaning import Metric
from benchdata.reports.subjects import samples

if TYPE_CHECKING:
    import altair as alt

CORE = "core"  # the set of probes that every task has; others are named beside the probe


def strip(runs: pl.DataFrame, metric: Metric) -> alt.TopLevelMixin:
    """Draw one metric of every run, by lane and task."""
    group = pl.concat_str("name", pl.lit(" · "), "task_id")
    values = runs.select(group=group, value=pl.col(metric.column).cast(pl.Float64))
    if metric.null_ranks != "worst":
        values = values.drop_nulls("value")
    return charts.strip(
        values,
        samples.medians(values, metric, nearest_rank=False),
        subject=f"{metric.label}: every run",
        unit=metric.unit or "share",
        middle=MEDIAN,
        interval=samples.INTERVAL,
    )


def probes(task: str, runs: pl.DataFrame) -> alt.TopLevelMixin:
    """Draw how often each probe passed in each lane; where it was skipped it counts in neither."""
    verdicts = runs.select("name", "probes").explode("probes").unnest("probes")
    decided = verdicts.drop_nulls("id").with_columns(
        passed=pl.col("verdict") == "pass", counts=pl.col("verdict") != "skip"
    )
    table = decided.group_by("id", "set", "name", maintain_order=True).agg(
        n=pl.col("counts").sum(), k=pl.col("passed").sum()
    )
    beside = pl.format("{} ({})", "id", "set")
    row = pl.when(pl.col("set") == CORE).then("id").otherwise(beside)
    return charts.heatmap(
        table.select(row=row, column="name", n="n", k="k"),
        subject=f"Probes of {task} passed, best turn of each run",
        unit="k of n runs; skipped ones in neither",
        rows="probes",
        columns="lanes",
    )


def green(task: str, runs: pl.DataFrame) -> alt.TopLevelMixin:
    """Draw the share of runs that are green by turn, up to the cap."""
    table = runs.select(group="name", value=pl.col("turns_to_green").cast(pl.Float64))
    cap = float(max(runs["max_turns"].to_list()))
    return charts.share_green(table, cap, subject=f"{task}: share of runs green by turn")


def cost(task: str, runs: pl.DataFrame) -> alt.TopLevelMixin:
    """Draw cost against wall time, a dot a run."""
    table = runs.select(
        group="name", wall="wall_s", cost="total_cost_usd", green=pl.col("stop_cause") == "green"
    )
    return charts.cost_against_wall(table, subject=f"{task}: cost against wall time by run")
