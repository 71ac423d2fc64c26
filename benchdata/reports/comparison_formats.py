"""A comparison as Markdown, JSON or CSV: the same numbers, three ways to print them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from benchdata import verdicts
from benchdata.comparisons import definitions, wording
from benchdata.comparisons.findings import Finding
from benchdata.comparisons.results import Result
from benchdata.comparisons.summaries import Summary
from benchdata.errors import counted
from benchdata.numbers import MISSING, display, p_text, span
from benchdata.reports.comparison import Compared, Comparison
from benchdata.reports.comparison_data import as_csv, as_json
from benchdata.reports.notices import FOOTER, PROOF
from benchdata.reports.tables import Column, escaped, markdown_text, of_columns
from benchdata.stats.results import LEVEL, CannotTell, Interval


def as_markdown(comparisons: Sequence[Comparison]) -> str:
    """Return the tables one below the other as a Markdown document with a final newline."""
    return "\n\n".join(block for each in comparisons for block in _blocks(each)) + "\n"


def _blocks(comparison: Comparison) -> Iterator[str]:
    table, claim = comparison.table, comparison.table.claim
    yield f"# {comparison.contract} comparison by {markdown_text(table.axis)}"
    if comparison.synthetic:
        yield f"**{PROOF}**"
    yield "\n".join(f"- {escaped(first_line(line))}" for line in comparison.lines)
    size = wording.effect(claim, claim.min_effect)
    given = " (given with --min-effect)" if claim.overridden else ""
    yield (
        f"Metric: {claim.metric.name}, {claim.metric.better} is better. Smallest effect that"
        f" counts, M: {size}{given}. Level .05, two-sided. {_counted(comparison)}"
    )
    yield definition(comparison)
    yield "## Verdicts"
    columns = COLUMNS if any(line.context for line in comparison.lines) else COLUMNS[1:]
    yield of_columns("Verdicts", columns, comparison.lines).markdown()
    yield "## Reasons and remarks"
    yield "\n".join(_reasons(comparison))
    yield FOOTER


def definition(comparison: Comparison) -> str:
    """Return what the values of the arms are, and in which unit."""
    summaries = (one for line in comparison.lines for one in (line.baseline, line.treatment))
    return definitions.of_values(comparison.table.claim, (one.statistic for one in summaries))


def first_line(line: Compared) -> str:
    """Return `B against A on METRIC: VERDICT, shift, interval, p after Holm over m`."""
    finding = line.finding
    where = f" ({line.context})" if line.context else ""
    effect = effect_text(finding)
    shown = "" if effect in str(line.verdict) else f"{effect}, "  # one reason is told once
    return (
        f"{finding.treatment.label} against {finding.baseline.label} on"
        f" {finding.claim.metric.name}{where}: {line.verdict}; {shown}"
        f"{p_after_holm(finding)} ({size_text(finding.result)})"
    )


def size_text(result: Result) -> str:
    """Return the size of the design, and whether its arms ran other tasks."""
    return f"{wording.units(result)}{', other tasks' * (result.shape == 'other tasks')}"


def effect_text(finding: Finding) -> str:
    """Return the estimate with its interval, or the one reason why there is neither."""
    estimate = wording.estimate(finding)
    bounds = range_text(finding, finding.result.interval)
    return estimate if bounds == estimate else f"{estimate} ({bounds})"


def _counted(comparison: Comparison) -> str:
    lines = comparison.lines
    size = lines[0].finding.placed.size if lines else 0
    left = len(lines) - size
    words = f"{counted(len(lines), 'comparison')}, {size} in the Holm family"
    return f"{words}; {left} cannot reach .05 at all and left it." if left else f"{words}."


def _reasons(comparison: Comparison) -> Iterator[str]:
    loss = comparison.conditions.no_worse_than
    if comparison.guessed:
        yield f"- {escaped(f'baseline {comparison.table.baseline}: the first in order')}"
    for line in comparison.lines:
        finding = line.finding
        where = f" ({line.context})" if line.context else ""
        title = f"{finding.treatment.label} against {finding.baseline.label}{where}"
        yield f"- {escaped(f'{title}: {said(line)}')}"
        if loss is not None:
            yield f"  - {escaped(verdicts.no_worse_words(finding, loss))}"
        yield f"  - {escaped(test_text(finding.result))}"
        pins = [f"pins changed: {', '.join(finding.pins)}"] if finding.pins else []
        yield from (f"  - {escaped(text)}" for text in (*pins, *_reach(line), *line.remarks))
    for label in comparison.table.alone:
        yield f"- {escaped(label)}: no counterpart, in no comparison"
    for rows in comparison.table.no_results:
        yield f"- {escaped(rows)}: no result, in no comparison"


def test_text(result: Result) -> str:
    """Return the test and how its p was counted, a dash where there was nothing to test."""
    return MISSING if result.empty else f"{result.test}, {result.method}"


def said(line: Compared) -> str:
    """Return the verdict with its reason; that of `no difference shown` names the difference."""
    verdict = line.verdict
    alone = verdict.kind == "no difference shown"
    return verdict.reason if alone else f"{verdict.word}: {verdict.reason}"


def _reach(line: Compared) -> Iterator[str]:
    if line.reach is None:
        return
    if isinstance(line.reach, CannotTell):
        yield f"smallest effect found 8 times in 10: {line.reach.reason}"
    else:
        yield f"smallest effect found 8 times in 10: {wording.number(line.finding, line.reach)}"


def range_text(finding: Finding, found: Interval | CannotTell) -> str:
    """Return an interval on the scale of the estimate, its level named when it is not 95%."""
    words = wording.interval(finding, found)
    if isinstance(found, CannotTell) or found.level == LEVEL:
        return words
    return f"{words}, level {100 * found.level:.1f}%"


def interval_cell(finding: Finding) -> str:
    """Return the interval in a table that has the estimate beside it; one reason is told once."""
    result = finding.result
    if isinstance(result.interval, CannotTell) and result.interval == result.estimate:
        return MISSING
    return range_text(finding, result.interval)


def p_after_holm(finding: Finding) -> str:
    """Return `p 0.0079 after Holm over 3`, or the raw p of a comparison alone."""
    adjusted = finding.placed.adjusted_p
    if adjusted is None:
        return f"p {wording.p_cell(finding)}"
    return f"p {p_text(adjusted)}{wording.family(finding)}"


def adjusted_p(finding: Finding) -> str:
    """Return the p after Holm, or that the comparison left the family."""
    p = finding.placed.adjusted_p
    return "left the family" if p is None else p_text(p)


def own_text(summary: Summary) -> str:
    """Return an arm's estimate with its interval and n."""
    if isinstance(summary.estimate, CannotTell):
        return f"{summary.estimate.reason}, n {summary.n}"
    found = summary.interval
    if isinstance(found, CannotTell):
        return f"{display(summary.estimate)} (no interval: {found.reason}), n {summary.n}"
    return f"{display(summary.estimate)} ({span(found.low, found.high)}), n {summary.n}"


COLUMNS: tuple[Column[Compared], ...] = (
    ("Context", "left", lambda line: line.context),
    ("Arm", "left", lambda line: line.finding.treatment.label),
    ("Baseline", "left", lambda line: line.finding.baseline.label),
    ("Baseline value", "right", lambda line: own_text(line.baseline)),
    ("Value", "right", lambda line: own_text(line.treatment)),
    ("Effect", "right", lambda line: wording.estimate(line.finding)),
    ("Interval", "right", lambda line: interval_cell(line.finding)),
    ("p", "right", lambda line: wording.p_cell(line.finding)),
    ("p after Holm", "right", lambda line: adjusted_p(line.finding)),
    ("Verdict", "left", lambda line: line.verdict.word),
)


FORMATS: Mapping[str, Callable[[Sequence[Comparison]], str]] = {
    "md": as_markdown,
    "json": as_json,
    "csv": as_csv,
}
