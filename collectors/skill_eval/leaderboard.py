"""`--leaderboard FILE`: one JSON file with the newest result of every benchmark, for publication.

Its numbers are those of `benchdata summarize`: nothing is computed here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from benchdata.contracts.fields import Timestamp, instant_text
from benchdata.dataset import Dataset
from benchdata.errors import BenchdataError
from benchdata.leaderboards.boards import Board, leaderboards
from benchdata.reports.data import json_text
from benchdata.reports.leaderboard_data import board_data
from benchdata.reports.notices import FOOTER
from benchdata.rows.writing import appending, whole_file
from collectors.harness import documents
from collectors.harness.documents import Document

KEY = ("category", "stage", "spec_digest", "agent", "model", "endpoint")
"""What makes two results results of one benchmark; of other versions the newer one stays."""
ENTRY = (
    *("arm", "bestRank", "worstRank", "mean", "interval", "descriptiveInterval"),
    *("tasks", "runs", "scored", "excluded", "skillRead", "otherMetrics", "liftRefused"),
)
LIFT = (
    *("estimate", "interval", "descriptiveInterval", "test", "p", "exactP", "adjustedP", "family"),
    *("verdict", "reason", "moved"),
)
"""What is published of a board's entries, and of their lifts over the baseline."""


class Benchmark(Document):
    """The newest result of one benchmark; `result` is what `summarize` says of its arms."""

    key: dict[str, str]
    latest_run: Timestamp = Field(alias="latestRun")
    result: dict[str, Any]


class LeaderboardFile(Document):
    """The whole file."""

    format: Literal["benchdata-leaderboard"]
    version: Literal[1]
    remark: str
    benchmarks: list[Benchmark]


EMPTY = LeaderboardFile(format="benchdata-leaderboard", version=1, remark=FOOTER, benchmarks=[])


def merge(file: Path, rows: Dataset) -> None:
    """Put what skill-run rows come to into a leaderboard, which is made if it is not there.

    A newer result takes the place of an older one of the same benchmark, an older one changes
    nothing. Processes take turns, and a reader sees the file before or after, whole.

    Raises:
        BenchdataError: The file is no leaderboard, or cannot be written; it is as it was.
    """
    file = Path(os.path.realpath(file))  # what a link points to is merged into, the link stays
    found = [_benchmark(board) for board in leaderboards(rows)]
    try:
        with _turn(file) as there:
            merged = {_name(each): each for each in there.benchmarks}
            for each in found:
                before = merged.get(_name(each))
                if before is None or before.latest_run <= each.latest_run:
                    merged[_name(each)] = each
            benchmarks = [merged[name] for name in sorted(merged)]
            if benchmarks != there.benchmarks:
                _write(file, EMPTY.model_copy(update={"benchmarks": benchmarks}))
    except OSError as error:
        raise BenchdataError(f"{file}: cannot be written: {error.strerror}") from None


def read(file: Path) -> LeaderboardFile:
    """Return what a leaderboard holds; one that is not there or empty is new.

    Raises:
        BenchdataError: The file is no leaderboard.
    """
    text = documents.content(file) if file.exists() else b""
    return documents.parsed(text, LeaderboardFile, file.name) if text else EMPTY


@contextmanager
def _turn(file: Path) -> Iterator[LeaderboardFile]:
    """Yield what a leaderboard holds, and keep others from it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with appending(file):
        yield read(file)


def _write(file: Path, content: LeaderboardFile) -> None:
    with whole_file(file) as part:
        part.write_text(json_text(content.model_dump(by_alias=True)), "utf-8")


def _name(benchmark: Benchmark) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(benchmark.key.items()))


def _benchmark(board: Board) -> Benchmark:
    data = board_data(board)
    told = ("metric", "minEffect", "baseline", "liftRefused", "firstLines")
    return Benchmark(
        key={name: board.fields[name] for name in KEY},
        latestRun=_latest_run(board),
        result={
            "pipelineProof": board.synthetic,
            "versions": {k: v for k, v in board.fields.items() if k not in KEY},
            **{name: data[name] for name in told},
            "entries": [_entry(entry) for entry in data["entries"]],
        },
    )


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    lift = entry["lift"]
    return {name: entry[name] for name in ENTRY} | {
        "lift": lift and {name: lift[name] for name in LIFT}
    }


def _latest_run(board: Board) -> str:
    """Return when the last run of a board began."""
    starts = (run.start for entry in board.entries for run in entry.arm.runs)
    return instant_text(max(start for start in starts if isinstance(start, datetime)))
