"""What every report has: its title, first lines and warnings, what was read, and its footer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, TypedDict, Unpack

import polars as pl

from benchdata import charts, dataset, queries
from benchdata.contracts import Contract
from benchdata.dataset import Dataset
from benchdata.errors import ReportError, shorten
from benchdata.leaderboards.judged import subject
from benchdata.reports import formats, standing
from benchdata.reports.cells import LEAD_TYPE
from benchdata.reports.notices import FOOTER
from benchdata.reports.page import Banner
from benchdata.reports.summary import Summary, summarize_each
from benchdata.reports.tables import Align, Table, escaped

WIDEST = 120  # characters of a title


class Prose:
    """Markdown that a notebook cell shows."""

    def __init__(self, *paragraphs: str) -> None:
        self.text = "\n\n".join(paragraphs)

    def _repr_markdown_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


class Headline(Prose):
    """The top of a report; the page takes its first lines from it as data."""

    def __init__(self, title: str, lines: tuple[str, ...], banners: Iterable[Banner]) -> None:
        warnings = (f"**{banner.label}** {banner.text}" for banner in banners)
        super().__init__(f"# {title}", *map(escaped, lines), *warnings)
        self.lines = lines

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:
        return {LEAD_TYPE: list(self.lines), "text/markdown": self.text}


class Several:
    """What a cell shows one below the other: a chart for each of some comparisons."""

    def __init__(self, parts: Iterable[Any]) -> None:
        self.parts = tuple(parts)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.parts)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        for part in self.parts:
            display(part)  # type: ignore[no-untyped-call]


class Common(TypedDict, total=False):
    """The parameters that every template has besides its `inputs`."""

    contract: str | None
    title: str
    digest: str
    accept_rejects: int


def read(inputs: Iterable[str], common: Common) -> Dataset:
    """Return the rows of a report whose notebook is running.

    From here on its charts are shown as static images with their specs.

    Raises:
        ReportError: A `digest` is given and is not that of the rows.
    """
    charts.enable()
    rows = dataset.open(list(inputs), common.get("contract"))
    digest = common.get("digest")
    if digest and rows.digest != digest:
        raise ReportError("the rows are not those that this report was made of: digests differ")
    return rows


class Report:
    """The parts of a report that do not depend on what it is about.

    `given` are all rows that were read: those that the report is about, and what judges them.
    `kind` stands in the title before what the report is of, but for a report of rows as they are.
    """

    kind = ""

    def __init__(self, given: Dataset, **common: Unpack[Common]) -> None:
        self.given = given
        self.dataset = subject(given)
        self.contract: Contract = self.dataset.contract
        self.accept_rejects = common.get("accept_rejects", 0)
        sheets = (sheet.title for sheet in self.dataset.datasheets if sheet.title)
        of = next(sheets, None) or self.subject_title()
        named = common.get("title") or (f"{self.kind}: {of}" if self.kind else of)
        self.title = shorten(" ".join(named.split()), WIDEST)

    def subject_title(self) -> str:
        """Return what the report is of, where no datasheet says it."""
        return f"{self.contract.name} rows"

    @property
    def summary(self) -> Summary:
        """Return the summary of the rows that the report is about."""
        return self.summaries[0]

    @cached_property
    def summaries(self) -> tuple[Summary, ...]:
        """Return the summaries that every part of the report reads, that of its rows first."""
        found = summarize_each(self.given, accept_rejects=self.accept_rejects)
        own = self.contract.name
        return tuple(sorted(found, key=lambda one: (one.contract.name != own, one.contract.name)))

    @cached_property
    def banners(self) -> tuple[Banner, ...]:
        """Return the warnings above the report."""
        return standing.banners(self.given, self.summaries)

    def first_lines(self) -> tuple[str, ...]:
        """Return what a reader must know before all else, a sentence each."""
        return (standing.headline(self.summary),)

    def headline(self) -> Headline:
        """Return the title, the first lines and the warnings."""
        return Headline(self.title, self.first_lines(), self.banners)

    def footer(self) -> Prose:
        """Return what the numbers cannot tell."""
        return Prose(FOOTER)

    def inputs(self) -> Table:
        """Return what was read: base names, digests, counts, and what was left out."""
        rows = [
            (
                one.name,
                one.contract,
                f"{one.rows:,}",
                f"{one.set_aside:,}",
                _left_out(one),
                one.digest,
            )
            for one in self.given.provenance
        ]
        head = ("Input", "Contract", "Rows", "Set aside", "Left out", "BLAKE3 digest")
        sides: tuple[Align, ...] = ("left", "left", "right", "right", "left", "left")
        return Table("Inputs", head, tuple(rows), sides)

    def environment(self) -> Table | Several:
        """Return pins, dates and the state of the gate, a line a group, a table a contract."""
        found = {each.contract.name: formats.environment(each) for each in self.summaries}
        if len(found) == 1:
            return found[self.contract.name]
        return Several(
            replace(table, caption=f"{table.caption}: {name}") for name, table in found.items()
        )

    def _table(self, name: str) -> pl.DataFrame:
        """Return the answer of a named query; the label of a group is its `group`."""
        return self.dataset.sql(queries.text(name)).rename({"group_label": "group"})


def _left_out(one: dataset.Provenance) -> str:
    return ", ".join(f"{what} ×{count:,}" for what, count in one.dropped.items()) or "nothing"
