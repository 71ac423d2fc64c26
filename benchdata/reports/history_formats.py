"""A history as Markdown, JSON or CSV: the same numbers, three ways to print them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from benchdata.comparisons import wording
from benchdata.histories.series import History, Series
from benchdata.reports.comparison import compared
from benchdata.reports.comparison_formats import said
from benchdata.reports.history_data import as_csv, as_json
from benchdata.reports.history_tables import (
    alarms,
    definition,
    first_line,
    pins,
    remarks,
    verdicts,
)
from benchdata.reports.notices import FOOTER, PROOF
from benchdata.reports.tables import escaped, markdown_text


def as_markdown(history: History) -> str:
    """Return the history as a Markdown document with a final newline."""
    return "\n\n".join(_blocks(history)) + "\n"


def _blocks(history: History) -> Iterator[str]:
    claim = history.claim
    yield f"# {history.contract.name} history of {markdown_text(history.field)}"
    if history.synthetic:
        yield f"**{PROOF}**"
    yield _bullets(map(first_line, history.series))
    given = " (given with --min-effect)" if claim.overridden else ""
    yield (
        f"Metric: {claim.metric.name}, {claim.metric.better} is better. Smallest effect that"
        f" counts, M: {wording.effect(claim, claim.min_effect)}{given}. Level .05, two-sided. Each"
        " release is one comparison with the baseline, without Holm."
    )
    yield definition(history)
    for series in history.series:
        yield from _section(series)
    if history.alone:
        yield "## In no comparison"
        yield _bullets(history.alone)
    yield FOOTER


def _section(series: Series) -> Iterator[str]:
    where = f", {markdown_text(series.context)}" if series.context else ""
    yield f"## Against {markdown_text(series.baseline.label)}{where}"
    yield verdicts(series).markdown()
    yield _bullets(remarks(series))
    for table in (alarms(series), pins(series)):
        yield f"### {table.caption}"
        yield table.markdown()
    yield "### Reasons and remarks"
    yield "\n".join(_reasons(series))


def _reasons(series: Series) -> Iterator[str]:
    for judged in series.judged:
        line = compared(series.context, judged.finding)
        yield f"- {escaped(f'{judged.release.label}: {said(line)}')}"
        yield from (f"  - {escaped(remark)}" for remark in line.remarks)


def _bullets(lines: Iterator[str] | tuple[str, ...]) -> str:
    return "\n".join(f"- {escaped(line)}" for line in lines)


FORMATS: Mapping[str, Callable[[History], str]] = {
    "md": as_markdown,
    "json": as_json,
    "csv": as_csv,
}
