"""pytest-benchmark: a JSON file with the raw data; each round of each benchmark is a row.

A file without raw data holds statistics of the rounds, and no trial can be made of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchdata.rows.importing import files
from benchdata.rows.importing.labels import label
from benchdata.rows.importing.mapping import Format, Reading, Record, Told
from benchdata.rows.importing.nodes import Node

SUFFIX = ".json"
NOUN = "round"


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a benchmark and its seconds; `number` counts from 1."""

    saved: Node
    benchmark: Node
    number: int
    seconds: float


def records(source: Path, reading: Reading) -> Iterator[Record[Round]]:
    """Yield every round that is told by itself."""
    for path in files.under(source, (SUFFIX,), reading.left_out):
        made = partial(_rounds, path)
        yield from reading.records(str(path), partial(files.content, path), made, NOUN)


def _rounds(path: Path, saved: Node) -> Iterator[Record[Round]]:
    for benchmark in saved["benchmarks"].items():
        data = benchmark["stats"]["data"]
        if data.value is None:
            benchmark["stats"].leave("statistics of rounds whose data was not saved")
        for number, seconds in enumerate(data.numbers(), 1):
            place = f"{path}: {data.path}[{number - 1}]"
            yield Record(place, Round(saved, benchmark, number, seconds))


def name(one: Round) -> str:
    """Return what tells a round from every other one."""
    when = one.saved["datetime"].text() or ""
    return f"{when}/{one.benchmark['fullname'].text()}/{one.number}"


FIELDS: Mapping[str, Told[Round]] = {
    "study": Told("`commit_info.project`", lambda one: label(one.saved["commit_info"]["project"])),
    "task_id": Told("`fullname`", lambda one: one.benchmark["fullname"].text()),
    "repeat": Told("the place in `stats.data`", lambda one: one.number),
    "outcome": Told(
        "always `completed`: of a benchmark that failed nothing is saved", lambda _: "completed"
    ),
    "passed": Told("always true: every round that is saved ran to its end", lambda _: True),
    "wall_s": Told(
        "`stats.data`: seconds of one call, the mean of a round", lambda one: one.seconds
    ),
}

FORMAT = Format(
    key="pytest-benchmark",
    noun=NOUN,
    records=records,
    name=name,
    fields=FIELDS,
    hint="name a file that was saved with --benchmark-save-data, or a folder of such",
)
