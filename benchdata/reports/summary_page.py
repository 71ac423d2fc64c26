"""A summary as one HTML file: it opens offline, asks for nothing, runs no text of a row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from benchdata import __version__
from benchdata.dataset import Dataset
from benchdata.reports import formats, standing
from benchdata.reports.cells import Block, Markdown
from benchdata.reports.leaderboard_tables import board_tables, explanations, first_lines
from benchdata.reports.manifest import SUMMARY_FACTS
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
        facts={SUMMARY_FACTS: json.dumps(_facts(dataset, summaries), ensure_ascii=False)},
    )


def _facts(dataset: Dataset, summaries: Sequence[Summary]) -> dict[str, Any]:
    """Return what a site must know of the page; the contract is the one that has leaderboards."""
    main = next((each for each in summaries if each.boards), summaries[0])
    return {
        "summaryVersion": 1,
        "contract": main.contract.name,
        "asOf": standing.as_of(dataset),
        "rows": dataset.rows,
        "digest": dataset.digest,
        "leaderboards": sum(len(each.boards) for each in summaries),
    }


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
