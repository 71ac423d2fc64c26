"""Charts of latency and outcome data: a pure function each, from a polars table to an Altair chart.

Each function states the columns it reads. Nothing here computes a statistic: percentiles and
intervals come in the table. `enable()` makes notebooks show charts as static SVG plus their spec.
"""

from benchdata.charts.bundle import CHART_TYPE, SVG_TYPE, compact_spec, enable, static_svg
from benchdata.charts.components import components
from benchdata.charts.counts import outcomes, stop_reasons
from benchdata.charts.distributions import ecdf, strip
from benchdata.charts.ranges import evidence, percentile_ranges
from benchdata.charts.timelines import timeline

__all__ = [
    "CHART_TYPE",
    "SVG_TYPE",
    "compact_spec",
    "components",
    "ecdf",
    "enable",
    "evidence",
    "outcomes",
    "percentile_ranges",
    "static_svg",
    "stop_reasons",
    "strip",
    "timeline",
]
