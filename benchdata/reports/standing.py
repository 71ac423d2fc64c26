"""How a dataset stands: what must be said above and below every number of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdata.dataset import Dataset
from benchdata.errors import counted
from benchdata.reports.notices import INCOMPLETE, NO_GATE, SYNTHETIC
from benchdata.reports.page import Banner
from benchdata.reports.summary import RESULTS, Summary

NO_TIME = "1970-01-01"


def as_of(rows: Dataset) -> str:
    """Return the UTC date of the latest time in the rows; of rows without one it is 1970-01-01."""
    latest = []
    for contract in rows.contracts:
        times = [column.name for column in contract.columns if column.kind == "time"]
        if times:
            frame = rows.frame(contract.name).select(times).max()
            latest += [time for time in frame.row(0) if time is not None]
    return max(latest).date().isoformat() if latest else NO_TIME


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
        + (f"; READY: {ready} of {_results(summary)}." if summary.contract.gate else ".")
        + (f" {counted(unscored, 'row')} besides are not scored." if unscored else "")
    )


def _results(summary: Summary) -> str:
    """Return how many groups may be published once they are ready: reference runs never."""
    results = sum(group.gate.result for group in summary.groups)
    others = len(summary.groups) - results
    beside = f", {others:,} more without a result" if others else ""
    return f"{counted(results, 'group')}{beside}"


def banners(dataset: Dataset, summaries: Sequence[Summary]) -> tuple[Banner, ...]:
    """Return the warnings that a report carries, the gravest first; none when nothing is amiss.

    `summaries` are those of all the dataset's contracts.
    """
    return tuple(_banners(dataset, summaries))


def _banners(dataset: Dataset, summaries: Sequence[Summary]) -> Iterator[Banner]:
    groups = [group for summary in summaries for group in summary.groups]
    synthetic = sum(group.runs for group in groups if group.synthetic)
    if synthetic:
        which = "All" if synthetic == dataset.rows else f"{synthetic:,} of {dataset.rows:,}"
        text = f"{which} rows are synthetic: a pipeline proof, not a measurement."
        yield Banner(SYNTHETIC, text)
    if any(summary.contract.gate is None for summary in summaries):
        text = "The contract declares no publication gate, so nothing is cleared by one."
        yield Banner(NO_GATE, text)
    elif not all(summary.gate.ready for summary in summaries):
        waiting = sum(group.gate.waiting for group in groups)
        text = f"{waiting} of {counted(len(groups), 'group')} may not be published yet"
        reasons = dict.fromkeys(reason for summary in summaries for reason in summary.gate.reasons)
        said = " ".join(f"{each}." for each in (*([text] if waiting else []), *reasons))
        yield Banner(INCOMPLETE, f"{said[:1].upper()}{said[1:]}")
    if dataset.set_aside:
        count = counted(dataset.set_aside, "row")
        yield Banner("SET ASIDE", f"{count} of the source set aside as invalid, not shown here.")
    if dataset.review is None:
        yield Banner("UNREVIEWED", "No review note for exactly these rows lies beside them.")
