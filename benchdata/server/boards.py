"""The standings as JSON and as a page, made again when rows came, at most once a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from benchdata.errors import counted
from benchdata.numbers import display
from benchdata.reports.data import interval_data, json_text, number_data
from benchdata.reports.leaderboard_tables import ends, estimate
from benchdata.reports.notices import PROOF
from benchdata.reports.tables import Column, of_columns
from benchdata.server.routes import BOARD
from benchdata.server.standings import Board, Latests, Standing, Tally, boards

TITLE = "Shared results"
REMARK = (
    "Every installation counts once for a skill, with its latest result. The interval is Student's"
    " over installations, at 95%; they ran tasks of their own choice, so it covers others like them"
    " and no task in particular. Skills that are in no catalog are counted as `local`, together."
)
NOTHING = "No results yet."
INTERNAL = "INTERNAL: results marked as internal have boards of their own, the last ones."
SHORTEST_S = 1.0


class Published(NamedTuple):
    """The two forms of one state of the board, as bytes to send."""

    json: bytes
    page: bytes


class Publisher:
    """Gives the newest board; what changed within the last second may be missing."""

    def __init__(self, tally: Tally, clock: Callable[[], float] = time.monotonic) -> None:
        self._tally = tally
        self._clock = clock
        self._turn = asyncio.Lock()
        self._made: Published | None = None
        self._made_of = -1
        self._made_at = 0.0

    async def published(self) -> Published:
        """Return the board, made in a thread when it must be made again."""
        async with self._turn:
            fresh = self._clock() - self._made_at < SHORTEST_S
            if self._made and (fresh or self._made_of == self._tally.results):
                return self._made
            results, latests = self._tally.results, self._tally.latests()
            self._made = await asyncio.to_thread(publish, results, latests)
            self._made_of, self._made_at = results, self._clock()
            return self._made


def publish(results: int, latests: Latests) -> Published:
    """Return both forms of the board of so many results."""
    found = boards(latests)
    return Published(json_text(data(results, found)).encode(), page(results, found).encode())


def data(results: int, found: tuple[Board, ...]) -> dict[str, Any]:
    """Return the board as one object."""
    return {
        "schemaVersion": 1,
        "results": results,
        "boards": [
            {
                **board.context._asdict(),
                "pipelineProof": board.proof,
                "skills": [
                    {
                        "skill": each.skill,
                        "ranked": each.ranked,
                        "installations": each.installations,
                        "runs": each.runs,
                        "mean": number_data(each.mean),
                        "interval": interval_data(each.interval),
                    }
                    for each in board.standings
                ],
            }
            for board in found
        ],
        "remark": REMARK,
    }


def page(results: int, found: tuple[Board, ...]) -> str:
    """Return the board as an HTML page that asks for nothing and runs nothing."""
    from benchdata.reports.page import Banner, draw

    tables = [of_columns(caption(board), COLUMNS, board.standings) for board in found]
    return draw(
        tables,
        title=TITLE,
        banners=[Banner(*text.split(": ", 1)) for text in _warnings(found)],
        lead=[f"{counted(results, 'result')} accepted." if results else NOTHING],
        footer=[REMARK, f"As data: {BOARD}"],
    )


def caption(board: Board) -> str:
    """Return what a board is about, as its table's caption says it."""
    category, agent, model, internal = board.context
    marks = [", internal"] * internal + [", pipeline proof"] * board.proof
    return f"{category}: {agent}, {model}{''.join(marks)}"


def _warnings(found: tuple[Board, ...]) -> Iterator[str]:
    if any(board.proof for board in found):
        yield PROOF
    if any(board.context.internal for board in found):
        yield INTERNAL


COLUMNS: list[Column[Standing]] = [
    ("Skill", "left", lambda each: each.skill),
    ("Score (mean)", "right", lambda each: estimate(each.mean) if each.ranked else "not ranked"),
    ("Interval", "right", lambda each: ends(each.interval) if each.ranked else "not ranked"),
    ("Installations", "right", lambda each: display(each.installations)),
    ("Runs", "right", lambda each: display(each.runs)),
]
