"""How a dataset stands: what must be said above and below every number of it."""

from __future__ import annotations

from collections.abc import Iterator

from benchdata.dataset import Dataset
from benchdata.errors import counted
from benchdata.reports.page import Banner
from benchdata.reports.summary import RESULTS, Summary


def headline(summary: Summary) -> str:
    """Return the first line of a report of rows: how many, how they ended, how many may go out."""
    totals = {result: sum(g.outcomes[result] for g in summary.groups) for result in RESULTS}
    scored = sum(totals.values())
    ready = sum(group.gate.ready for group in summary.groups)
    unscored = summary.rows - scored
    groups = counted(len(summary.groups), "group")
    return (
        f"Of {counted(scored, 'attempt')} in {groups},"
        f" {totals['success']:,} succeeded, {totals['partial']:,} succeeded in part,"
        f" {totals['failed']:,} failed"
        + (f"; READY: {ready} of {groups}." if summary.contract.gate else ".")
        + (f" {counted(unscored, 'row')} besides are not scored." if unscored else "")
    )


def banners(dataset: Dataset, summary: Summary) -> tuple[Banner, ...]:
    """Return the warnings that a report carries, the gravest first; none when nothing is amiss."""
    return tuple(_banners(dataset, summary))


def _banners(dataset: Dataset, summary: Summary) -> Iterator[Banner]:
    synthetic = sum(group.runs for group in summary.groups if group.synthetic)
    if synthetic:
        which = "All" if synthetic == summary.rows else f"{synthetic:,} of {summary.rows:,}"
        text = f"{which} rows are synthetic: a pipeline proof, not a measurement."
        yield Banner("SYNTHETIC", text)
    if summary.contract.gate is None:
        text = "The contract declares no publication gate, so nothing is cleared by one."
        yield Banner("NO GATE", text)
    elif not summary.gate.ready:
        waiting = sum(not group.gate.ready for group in summary.groups)
        text = f"{waiting} of {counted(len(summary.groups), 'group')} may not be published yet."
        yield Banner("INCOMPLETE", " ".join([text, *(f"{r}." for r in summary.gate.reasons)]))
    if dataset.set_aside:
        count = counted(dataset.set_aside, "row")
        yield Banner("SET ASIDE", f"{count} of the source set aside as invalid, not shown here.")
    if dataset.review is None:
        yield Banner("UNREVIEWED", "No review note for exactly these rows lies beside them.")
