"""The report of a comparison: what B is against A, by how much, and what the rows cannot tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from benchdata import dataset
from benchdata.comparisons.axes import INPUT
from benchdata.comparisons.claims import Claim
from benchdata.comparisons.findings import Finding
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.errors import ReportError, counted
from benchdata.leaderboards.judged import subject
from benchdata.leaderboards.tables import Choice
from benchdata.reports import comparing
from benchdata.reports.comparison import Compared, Comparison
from benchdata.reports.comparison_formats import definition, first_line
from benchdata.reports.report import Common, Prose, Report, Several, read
from benchdata.reports.subjects import choices, findings, verdict_tables
from benchdata.reports.tables import Table, escaped

MOST_LINES = 4  # first lines that a reader reads; of more, they are counted
MOST_CHARTS = 6  # comparisons that get charts of their own


def open_compare(
    inputs: Sequence[str],
    *,
    by: str = "",
    baseline: str = "",
    metric: str = "",
    min_effect: float | None = None,
    **common: Unpack[Common],
) -> CompareReport:
    """Read the inputs of a comparison and compare them.

    `by` is a field whose values are compared, or `input`: two files against each other. Without it
    the field is the one that the contract compares its arms by.

    Raises:
        ReportError: A parameter is of the wrong kind, or `digest` is not that of the rows.
        ContractError: No such metric or field.
        BenchdataError: Nothing to compare.
    """
    rows = read(inputs, common)
    field = choices.text("by", by) or _field(subject(rows).contract, inputs)
    wanted = choices.text("baseline", baseline)
    named, effect = choices.text("metric", metric), choices.number("min_effect", min_effect)
    if field == INPUT:
        first, second = _apart(inputs, common.get("contract"), wanted)
        made = comparing.of_inputs(first, second, named, effect)
    else:
        made = comparing.by_field(rows, Choice(field, wanted, named, effect))
    return CompareReport(rows, _one(made), **common)


def _one(made: Sequence[Comparison]) -> Comparison:
    """Return the comparison that the report is about; raise ReportError when there are several."""
    if len(made) > 1:
        metrics = sorted({each.table.claim.metric.name for each in made})
        advice = f"-p metric=NAME, one of {', '.join(metrics)}"
        raise ReportError(
            f"several metrics are compared: {advice}"
            if len(metrics) > 1
            else f"several judges scored {metrics[0]}: give the rows of one"
        )
    return made[0]


def _field(contract: Contract, inputs: Sequence[str]) -> str:
    if contract.design.compared:
        return contract.design.compared[0]
    if len(inputs) == 2:
        return INPUT
    there = ", ".join(contract.group)
    raise ReportError(f"say what is compared: -p by=FIELD, one of {there}; or -p by={INPUT}")


def _apart(inputs: Sequence[str], contract: str | None, wanted: str | None) -> list[Dataset]:
    """Return the baseline and the other of two inputs; the first by name is the baseline."""
    if len(inputs) != 2:
        raise ReportError(f"-p by={INPUT} compares two files, not {len(inputs):,}")
    names = [Path(name).name for name in inputs]
    if names[0] == names[1]:
        raise ReportError(f"both files are called {names[0]}, so no report could tell them apart")
    if wanted is not None and wanted not in names:
        raise ReportError(f"no input is called {wanted}; there are {names[0]} and {names[1]}")
    order = inputs if wanted in {None, names[0]} else inputs[::-1]
    return [dataset.open(one, contract) for one in order]


class CompareReport(Report):
    """The charts and tables of one table of comparisons."""

    kind = "Comparison"

    def __init__(self, rows: Dataset, made: Comparison, **common: Unpack[Common]) -> None:
        super().__init__(rows, **common)
        self.comparison = made

    def first_lines(self) -> tuple[str, ...]:
        """Return what B is against A, a line for each comparison; of many, the verdicts counted."""
        lines = self.comparison.lines
        if len(lines) <= MOST_LINES:
            return tuple(f"{first_line(line)}." for line in lines)
        words = Counter(line.verdict.word for line in lines)
        found = ", ".join(f"{word} in {count:,}" for word, count in words.items())
        size = lines[0].finding.placed.size
        what = f"{counted(len(lines), 'comparison')} on {self.claim.metric.name}, Holm over {size}"
        proofs = [f"; {line.verdict.reason}" for line in lines if line.verdict.kind == "none"]
        verdicts = f"Verdict: {found}{''.join(proofs[:1])}"
        return (f"{what}. {verdicts}. Each has its interval and n in the forest below.",)

    def forest(self) -> Several:
        """Draw every estimate with its interval."""
        subject = f"{self.claim.metric.label} against the baseline"
        named = [(name, line.finding, line.verdict) for name, line in self._named()]
        return Several(findings.forest(named, subject=subject))

    def pairs(self) -> Several:
        """Draw the means of every task in both arms, or where tasks do not pair, all values."""
        return Several(self._each(_pairs))

    def differences(self) -> Several:
        """Draw the differences of the tasks."""
        return Several(self._each(findings.differences))

    def collection(self) -> Several:
        """Draw the rows in the order in which they were collected."""
        return Several(self._each(findings.collection))

    def power(self) -> Several:
        """Draw how often these designs find an effect, by its size."""
        named = [(name, line.finding) for name, line in self._named()]
        subject = "Chance to find an effect by its size"
        return Several(findings.power(named[:MOST_CHARTS], subject))

    def verdicts(self) -> Several:
        """Return every verdict with raw and adjusted p."""
        found = self.comparison
        return Several((verdict_tables.verdicts(found), Prose(escaped(definition(found)))))

    def reasons(self) -> Table:
        """Return why each verdict is what it is."""
        return verdict_tables.reasons(self.comparison)

    def remarks(self) -> Table:
        """Return what must be known beside each verdict."""
        return verdict_tables.remarks(self.comparison)

    def fields(self) -> Table | Prose:
        """Return the fields in which the arms of a comparison differ."""
        return verdict_tables.differing(self.comparison)

    def exclusions(self) -> Table:
        """Return which rows and cells are in no estimate, a line an arm."""
        return verdict_tables.exclusions(self.comparison)

    @property
    def claim(self) -> Claim:
        """Return what is compared."""
        return self.comparison.table.claim

    @cached_property
    def _labels(self) -> tuple[str, ...]:
        return tuple(map(verdict_tables.label, self.comparison.lines))

    def _named(self) -> Iterable[tuple[str, Compared]]:
        return zip(self._labels, self.comparison.lines, strict=True)

    def _each(self, draw: Any) -> Iterator[Any]:
        """Yield a chart for each of the first comparisons that have units, and count the rest."""
        lines = [line for line in self.comparison.lines if min(line.finding.result.n)]
        for line in lines[:MOST_CHARTS]:
            yield draw(line.finding, verdict_tables.title(line))
        if not lines:
            yield Prose("No comparison has rows in both arms.")
        if (rest := len(lines) - MOST_CHARTS) > 0:
            yield Prose(f"{counted(rest, 'more comparison')} without a chart: see the tables.")


def _pairs(finding: Finding, subject: str) -> Any:
    if finding.result.shape in {"paired tasks", "fixed tasks"}:
        return findings.slopes(finding, subject)
    return findings.ecdf(finding, subject)
