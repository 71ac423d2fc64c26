"""The charts of all reports: a pure function each, from a polars table to an Altair chart.

Each function states the columns it reads. Nothing here computes a statistic: percentiles and
intervals come in the table; only the counts of `linked` are made where it is looked at. `enable()`
makes notebooks show charts as static SVG plus their spec.
"""

from benchdata.charts.bundle import CHART_TYPE, SVG_TYPE, compact_spec, enable, static_svg
from benchdata.charts.components import components, composites
from benchdata.charts.counts import outcomes, stop_reasons
from benchdata.charts.differences import differences
from benchdata.charts.ecdfs import ecdf, share_green
from benchdata.charts.forests import forest
from benchdata.charts.heatmaps import heatmap
from benchdata.charts.history import (
    version_changes,
    version_runs,
    version_shifts,
    version_spread,
)
from benchdata.charts.linked import linked
from benchdata.charts.orders import collection_order
from benchdata.charts.pairs import dumbbell, slopes
from benchdata.charts.plans import power_curve, reach
from benchdata.charts.ranges import evidence, percentile_ranges
from benchdata.charts.scatters import cost_against_wall, tradeoff
from benchdata.charts.strips import strip
from benchdata.charts.timelines import timeline

__all__ = [
    "CHART_TYPE",
    "SVG_TYPE",
    "collection_order",
    "compact_spec",
    "components",
    "composites",
    "cost_against_wall",
    "differences",
    "dumbbell",
    "ecdf",
    "enable",
    "evidence",
    "forest",
    "heatmap",
    "linked",
    "outcomes",
    "percentile_ranges",
    "power_curve",
    "reach",
    "share_green",
    "slopes",
    "static_svg",
    "stop_reasons",
    "strip",
    "timeline",
    "tradeoff",
    "version_changes",
    "version_runs",
    "version_shifts",
    "version_spread",
]
