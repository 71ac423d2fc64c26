"""A summary as one HTML file: it opens offline, asks for nothing, runs no text of a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdata import __version__
from benchdata.dataset import Dataset
from benchdata.reports import formats, standing
from benchdata.reports.cells import Block, Markdown
from benchdata.reports.leaderboard_tables import board_tables, explanations, first_lines
from benchdata.reports.notices import FOOTER
from benchdata.reports.page import draw
from benchdata.reports.summary import Summary
from benchdata.reports.tables import escaped


def as_html(dataset: Dataset, summaries: Sequence[Summary]) -> str:
    """Return the page of a dataset's summaries, one a contract, always the same bytes."""
    names = " and ".join(summary.contract.name for summary in summaries)
    lines = [line for each in summaries for board in each.boards for line in first_lines(board)]
    return draw(
        [block for summary in summaries for block in _blocks(summary, names)],
        title=f"{names} summary",
        banners=standing.banners(dataset, summaries),
        lead=lines or list(map(standing.headline, summaries)),
        footer=[FOOTER, f"Rows {dataset.digest}. Made with benchdata {__version__}."],
    )


def _blocks(summary: Summary, names: str) -> Iterator[Block]:
    if summary.boards:
        yield Markdown("## Leaderboards")
        yield from map(Markdown, map(escaped, explanations(summary.boards)))
    for board in summary.boards:
        yield from board_tables(board)
    name = summary.contract.name
    yield Markdown("## Groups" if name == names else f"## Groups of {name}")
    yield Markdown(escaped(formats.explained(summary.contract)))
    yield from (part(summary) for part in (formats.results, formats.environment, formats.reasons))
