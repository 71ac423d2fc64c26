"""The report of a history: every release against one baseline, and the course over all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from benchdata import dataset
from benchdata.comparisons import claims
from benchdata.comparisons.claims import cells
from benchdata.dataset import Dataset
from benchdata.errors import ReportError
from benchdata.histories.series import History, Release, Series, history
from benchdata.reports import comparison, history_tables
from benchdata.reports.report import Common, Prose, Report, Several, read
from benchdata.reports.subjects import choices, history_charts
from benchdata.reports.tables import Table, escaped


def open_history(
    inputs: Sequence[str],
    *,
    over: str = "",
    baseline: str = "",
    metric: str = "",
    confirm: str = "",
    min_effect: float | None = None,
    **common: Unpack[Common],
) -> HistoryReport:
    """Read the inputs of a history and judge every release.

    `over` is the field that is followed, else the contract's own. `confirm` names the input that
    holds fresh repeats: it is no part of the history.

    Raises:
        ReportError: A parameter is of the wrong kind, no input is called `confirm`, or `digest` is
            not that of the rows.
        ContractError: No such metric or field.
    """
    rows = read(inputs, common)
    claim = claims.of_contract(
        rows.contract, choices.text("metric", metric), choices.number("min_effect", min_effect)
    )
    old, fresh = _apart(rows, inputs, common.get("contract"), choices.text("confirm", confirm))
    over_field, base = choices.text("over", over), choices.text("baseline", baseline)
    return HistoryReport(rows, history(old, claim, over_field, base, fresh), **common)


def _apart(
    rows: Dataset, inputs: Sequence[str], contract: str | None, confirm: str | None
) -> tuple[Dataset, Dataset | None]:
    """Return the rows of the history, and the fresh repeats where an input of them is named."""
    if confirm is None:
        return rows, None
    fresh = [one for one in inputs if Path(one).name == confirm]
    old = [one for one in inputs if Path(one).name != confirm]
    if len(fresh) != 1 or not old:
        names = ", ".join(sorted(Path(one).name for one in inputs))
        raise ReportError(f"-p confirm={confirm}: name one of several inputs; there are {names}")
    return dataset.open(old, contract), dataset.open(fresh, contract)


class HistoryReport(Report):
    """The charts and tables of the releases of every context."""

    kind = "History"

    def __init__(self, rows: Dataset, made: History, **common: Unpack[Common]) -> None:
        super().__init__(rows, **common)
        self.history = made

    def first_lines(self) -> tuple[str, ...]:
        """Return what the newest release of each series is against the baseline."""
        return tuple(map(history_tables.first_line, self.history.series))

    def runs(self) -> Several:
        """Draw every run by release, with the median of each: task by task where tasks are few."""
        return Several(
            part for series in self._drawn() for part in history_charts.runs(self.history, series)
        )

    def shifts(self) -> Several:
        """Draw the shift of each release against the baseline."""
        return Several(
            part for series in self._drawn() for part in history_charts.shifts(self.history, series)
        )

    def course(self) -> Several:
        """Draw the estimates of all releases, with changes of level."""
        return Several(history_charts.course(self.history, series) for series in self._drawn())

    def newest(self) -> Several:
        """Draw the runs of the newest release and of the baseline."""
        return Several(
            part for series in self._drawn() for part in history_charts.newest(self.history, series)
        )

    def spread(self) -> Several:
        """Draw how far the runs of each release lie apart."""
        return Several(history_charts.spread(self.history, series) for series in self._drawn())

    def verdicts(self) -> Several:
        """Return a line a release."""
        what = Prose(escaped(history_tables.definition(self.history)))
        return Several((*map(history_tables.verdicts, self.history.series), what))

    def reasons(self) -> Several:
        """Return why each verdict is what it is."""
        return Several(map(_reasons, self.history.series))

    def alarms(self) -> Several:
        """Return each release that was found worse, and whether fresh repeats agree."""
        return Several(self._captioned(history_tables.alarms))

    def pins(self) -> Several:
        """Return the pins that changed with a release."""
        return Several(self._captioned(history_tables.pins))

    def remarks(self) -> Prose:
        """Return what is said of all releases together, and the releases in no comparison."""
        said = [
            (series.context, remark)
            for series in self.history.series
            for remark in history_tables.remarks(series)
        ]
        lines = [f"{where}: {remark}" if where else remark for where, remark in said]
        lines += [f"{name}: in no comparison" for name in self.history.alone]
        return Prose("\n".join(f"- {escaped(line)}" for line in lines))

    def _drawn(self) -> Sequence[Series]:
        """Return the series in which a release has more than one run of a task, else all.

        Of one run a release a chart shows nothing that the table does not.
        """
        every = self.history.series
        many = [series for series in every if any(map(self._repeated, series.releases))]
        return many or every

    def _repeated(self, release: Release) -> bool:
        found = cells(release.arm, self.history.claim)
        if self.history.claim.tasks == "sampled":
            return len(found) > 1
        return any(len(cell) > 1 for cell in found.values())

    def _captioned(self, table: Callable[[Series], Table]) -> Iterator[Table]:
        for series in self.history.series:
            found = table(series)
            yield replace(found, caption=history_charts.subject(found.caption, series.context))


def _reasons(series: Series) -> Table:
    rows = []
    for judged in series.judged:
        line = comparison.compared(series.context, judged.finding)
        remarks = "; ".join(line.remarks)
        rows.append((judged.release.label, judged.word, judged.verdict.reason, remarks))
    head = ("Release", "Verdict", "Reason", "Remarks")
    caption = f"Reasons: {series.context}" if series.context else "Reasons"
    return Table(caption, head, tuple(rows), ("left", "left", "left", "left"))
