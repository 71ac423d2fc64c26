"""Reading by columns held against reading row by row: contracts, rows and the comparison."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl
from polars.testing import assert_frame_equal
from pydantic import Field

from benchdata.contracts import Contract
from benchdata.contracts.checks import Rule
from benchdata.contracts.fields import Count, Label, Number, Real, Row, Text, Timestamp
from benchdata.contracts.meaning import Metric, Outcome
from benchdata.rows import frames
from benchdata.rows.batches import Batch, proven
from benchdata.rows.examining import examine
from benchdata.rows.lines import Span, chunks, whole_lines
from benchdata.rows.proof.prover import Prover
from benchdata.rows.sources import Input

Places = list[tuple[int | None, str, str]]


class Spent(Row):
    """An object that may be null, with a number of its own and one that may be null."""

    ms: Count
    cost: Number | None
    by: Label


class Named(Row):
    """An object of nothing but text."""

    first: Label
    last: Literal["x", "y"] | None


class Step(Row):
    """What a list holds."""

    name: Label
    ms: Count | None
    share: Annotated[float, Real(0, 1)]
    ok: bool


class Noted(Row):
    """A row with every kind of field that a contract may have."""

    id: Label
    seq: Annotated[int, Field(ge=-5)]
    wide: int
    ratio: Annotated[float, Field(gt=0, lt=2)]
    bare: float
    level: Annotated[int, Field(ge=0, le=9)]
    note: Annotated[str, Text("a note", longest=60)] | None
    code: Annotated[str, Text("a code", "[0-9a-f]+(?=z)z", lower=True, stem="c(.*)")]
    flag: bool | None
    at: Timestamp | None
    done: Timestamp
    spent: Spent | None
    named: Named
    tags: list[Label]
    marks: Annotated[list[int], Field(max_length=4)]
    times: list[Number]
    flags: list[bool] | None
    steps: list[Step]


NOTED = Contract(
    name="noted",
    models={1: Noted},
    identity=("id", "seq"),
    group=("level",),
    metrics=(Metric("ratio", "ratio", ""),),
    outcome=Outcome(success="flag", unscored="flag is None"),
    checks=(
        Rule("seq", "seq <= 100000 or level == 9", "must be small below level 9"),
        Rule("marks", "sum(marks) <= 1000 or ratio < 1", "must be small when the ratio is not"),
        Rule("spent.ms", "spent.ms is None or spent.ms < 90000", "must be less than 90000"),
        Rule("at", "at is None or ms_between(at, done) >= 0", "must not be after done"),
        Rule("named.last", "named.last is None or named.first != 'z'", "must be null for z"),
        Rule("steps", "len(steps) <= 5", "must have at most 5 entries"),
    ),
)


def noted(seq: int, **changes: Any) -> dict[str, Any]:
    """Return a valid row of `NOTED`, in normal form."""
    row: dict[str, Any] = {
        "id": f"run-{seq}",
        "seq": seq,
        "wide": -seq * 7919,
        "ratio": 0.1 + (seq % 17) / 10,
        "bare": seq * 1e-3,
        "level": seq % 10,
        "note": ["plain", "with, a comma", "[with] {brackets}", "é 💡", 'a "quote" \\ it', None][
            seq % 6
        ],
        "code": f"{seq % 12:x}z",
        "flag": [True, False, None][seq % 3],
        "at": None if seq % 4 == 0 else f"2026-03-02T08:00:{seq % 60:02}.{seq % 1000:03}Z",
        "done": f"2026-03-02T09:00:{seq % 60:02}.000Z",
        "spent": {"ms": seq * 3, "cost": None if seq % 2 else seq / 3, "by": "me"},
        "named": {"first": "a", "last": "x" if seq % 2 else None},
        "tags": ["t", f"u{seq % 7}"][: seq % 3],
        "marks": [seq % 9, -3, 250][: seq % 4],
        "times": [0.5, seq / 7, 3][: seq % 4],
        "flags": [True, False] if seq % 2 else [],
        "steps": [
            {"name": f"s{place}", "ms": place * seq or None, "share": 0.5, "ok": True}
            for place in range(seq % 4)
        ],
    }
    return row | changes


def compact(row: dict[str, Any]) -> bytes:
    """Return a row as one line without spaces and without its newline."""
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode()


@dataclass(frozen=True, slots=True)
class Agreed:
    """What both ways said of a file: its faults, and how many rows are valid."""

    faults: Places
    rows: int


def agreed(file: Path, data: bytes, contract: Contract, part: int | None = None) -> Agreed:
    """Read `data` both ways, hold every column and fault of one against the other, return them.

    By columns it is read in parts of about `part` bytes, when that is given and it is not packed.
    """
    file.write_bytes(data)
    source = Input(file.name, file)
    each = list(examine(source, contract))
    good = [(one.line.number, one.row) for one in each if one.row is not None]
    wanted = frames.from_rows([number for number, _ in good], [row for _, row in good], contract)
    told = [(e.line, e.path, e.message) for e in (one.fault for one in each) if e]
    found = list(_in_parts(source, contract, part))
    faults = [
        ((e.line or 0) + before, e.path, e.message) for before, batch in found for e in batch.faults
    ]
    assert faults == told
    line = pl.col(frames.LINE)
    fields = [
        batch.frame.with_columns(line + before) for before, batch in found if batch.frame.height
    ]
    read = frames.joined(fields) if fields else frames.empty(contract)
    assert_frame_equal(frames.plain(read), wanted, check_exact=True)
    return Agreed(told, len(good))


def _in_parts(source: Input, contract: Contract, part: int | None) -> Iterator[tuple[int, Batch]]:
    """Yield the batches that one prover makes of an input, each with the lines before its part."""
    prover, before = Prover(contract), 0
    spans: Sequence[Span | None] = (part and source.spans(part)) or [None]
    for span in spans:
        lines = 0
        for batch in proven(source, prover, span):
            yield before, batch
            lines += batch.lines
        before += lines


def unproven(data: bytes, contract: Contract) -> list[int]:
    """Return the numbers of the lines of `data` that are left to the check by row."""
    prover, before, left = Prover(contract), 0, []
    for chunk in chunks(whole_lines([data])):
        proven = prover.prove(chunk)
        left += [before + index + 1 for index in proven.others]
        before += proven.lines
    return left
