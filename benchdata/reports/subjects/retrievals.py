"""Whether arms that had a way to find skills took it, from the records beside the rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchdata.dataset import Dataset
from benchdata.errors import ReportError, counted
from benchdata.reports.subjects import renders
from benchdata.reports.tables import Column, Table, of_columns

RUNS, RECORD = ".runs", "retrieval.jsonl"
MOST_BYTES = 4 * 1024**2
"""Of one record: 500 calls, each line of some kilobytes, are far less."""
Events = Mapping[str, int]
"""How often a run searched, loaded, was refused, got no answer."""


@dataclass(frozen=True, slots=True)
class Arm:
    """The runs of one arm that left a record; `found` are its events, a run each."""

    name: str
    baseline: bool
    found: tuple[Events, ...]

    def with_any(self, event: str) -> int:
        """Return how many runs have an event at least once."""
        return sum(one[event] > 0 for one in self.found)


def arms(given: Dataset, runs: Dataset) -> tuple[Arm, ...]:
    """Return the arms of runs that left records beside the rows given, the baseline first.

    Raises:
        ReportError: A record is damaged.
    """
    places = renders.folders(given, RUNS)
    found: dict[tuple[str, bool], list[Events]] = {}
    lines = runs.sql(
        "select row_id, row_arm, row_control from grouped"
        " order by row_control desc, row_arm, row_id"
    )
    for run, arm, baseline in lines.iter_rows():
        files = (place / run / RECORD for place in places)
        if file := next((one for one in files if one.is_file()), None):
            held = found.setdefault((str(json.loads(arm)[0]), bool(baseline)), [])
            held.append(_events(file))
    return tuple(Arm(name, base, tuple(events)) for (name, base), events in found.items())


def table(found: Sequence[Arm]) -> Table:
    """Return a line an arm: how many of its runs searched, loaded and were refused."""
    columns: list[Column[Arm]] = [
        ("Arm", "left", lambda arm: arm.name),
        ("Runs", "right", lambda arm: f"{len(arm.found):,}"),
        ("Searched", "right", lambda arm: f"{arm.with_any('search'):,}"),
        ("Loaded", "right", lambda arm: f"{arm.with_any('load'):,}"),
        ("Refused", "right", lambda arm: f"{arm.with_any('refusal'):,}"),
        ("Refusals", "right", lambda arm: f"{sum(one['refusal'] for one in arm.found):,}"),
        ("No answer", "right", lambda arm: f"{arm.with_any('failure'):,}"),
    ]
    return of_columns("Runs that used their way to find skills", columns, found)


def cautions(found: Sequence[Arm]) -> Iterator[str]:
    """Yield what an arm cannot show because its way was not taken."""
    for arm in (one for one in found if not one.baseline):
        runs = counted(len(arm.found), "run")
        if not arm.with_any("search") and not arm.with_any("load"):
            yield f"{arm.name} never searched in {runs}: its numbers say nothing of that way."
        elif not arm.with_any("load"):
            yield f"{arm.name} loaded no skill in {runs}: what it adds is the search alone."


def _events(file: Path) -> Events:
    """Return the events of one record; the words of the agent in it are not read."""
    try:
        with file.open("rb") as record:
            told = [json.loads(line) for line in record.read(MOST_BYTES).splitlines()]
        return Counter(str(one["event"]) for one in told)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        name = f"{RUNS}/{file.parent.name}/{file.name}"
        raise ReportError(f"{name}: is damaged; remove it, to go on without") from None
