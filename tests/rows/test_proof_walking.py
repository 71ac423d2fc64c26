"""Lines cut from left to right by the widths of their values: as by marks, or not at all."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchdata.contracts import Contract
from benchdata.contracts.fields import Count, Label, Row
from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.contracts.meaning import Metric, Outcome
from benchdata.rows.lines import PADDING, chunks, whole_lines
from benchdata.rows.proof.blocks import Block
from benchdata.rows.proof.digits import digit_count
from benchdata.rows.proof.layout import Cut, Layout, cut_lines
from benchdata.rows.proof.learning import Choices, Learner
from benchdata.rows.proof.prover import Prover
from benchdata.rows.proof.walking import walk_lines
from tests.support.drawn import drawn
from tests.support.proofs import agreed, compact


class Wide(Row):
    """A row of a text that may be of any width."""

    id: Label
    level: Count
    ms: Count


WIDE = Contract(
    name="wide",
    models={1: Wide},
    identity=("id",),
    group=("level",),
    metrics=(Metric("ms", "ms", "ms"),),
    outcome=Outcome(success="level == 1"),
)
LINES = [compact(row) for row in drawn([20] * 6)]


def block_of(lines: list[bytes]) -> Block:
    """Return lines as a block of which marks that are not needed are not looked for."""
    data = b"".join(line + b"\n" for line in lines)
    return Block(np.frombuffer(data + PADDING, np.uint8), len(data), sparse=True)


def learned(line: bytes) -> Layout:
    """Return the layout that a valid line teaches."""
    return Learner(JEV_SOCIAL, 2, Choices({"run_id"})).learn(line)


def walked(lines: list[bytes]) -> Cut:
    """Return what a walk makes of lines, held against what their marks make of the same ones."""
    block, layout = block_of(lines), learned(LINES[0])
    cut = walk_lines(block, layout, np.arange(block.lines))
    by_marks = cut_lines(block, layout, cut.records)
    assert all(np.array_equal(one, other) for one, other in zip(cut, by_marks, strict=True))
    return cut


def changed(old: bytes, new: bytes) -> list[bytes]:
    """Return lines of which every second one has other bytes in some place."""
    assert all(old in line for line in LINES)
    return [line.replace(old, new) if at % 2 else line for at, line in enumerate(LINES)]


def test_a_walk_cuts_lines_as_their_marks_do() -> None:
    assert walked(LINES).records.tolist() == list(range(len(LINES)))


@pytest.mark.parametrize("size", [1, 7, 8, 9, 15, 16, 17])
def test_numbers_of_any_length_are_walked_over(tmp_path: Path, size: int) -> None:
    number = b'"media":' + b"1" * size
    lines = [
        re.sub(rb'"media":\d+', number, line) if at % 2 else line for at, line in enumerate(LINES)
    ]
    assert len(walked(lines).records) == len(LINES) // (2 if size > 16 else 1)
    assert agreed(tmp_path / "rows.ndjson", b"\n".join(lines), JEV_SOCIAL).rows >= len(LINES) / 2


@pytest.mark.parametrize(
    ("old", "new", "fits"),
    [
        (b'Z","ended_at"', b'0Z","ended_at"', False),
        (b',"region":"', b',"region":"[', False),
        (b'"task_id":"', b'"task_id":"\xc3\xa9', False),
        (b'"jev_step_latency_ms":[', b'"jev_step_latency_ms":[1,', True),
        (b'"jev_step_latency_ms":[', b'"jev_step_latency_ms":[[', False),
        (b'"media":', b'"media":null', False),
        (b'"media":', b'"media": ', False),
        (b"}", b"", False),
    ],
)
def test_lines_of_other_bytes_are_left_to_their_marks(
    tmp_path: Path, old: bytes, new: bytes, *, fits: bool
) -> None:
    lines = changed(old, new)
    assert len(walked(lines).records) == (len(LINES) if fits else len(LINES) // 2)
    agreed(tmp_path / "rows.ndjson", b"\n".join(lines), JEV_SOCIAL)


def test_no_part_of_a_line_is_proven(tmp_path: Path) -> None:
    parts = [LINES[0][:size] for size in range(1, len(LINES[0]))]
    told = agreed(tmp_path / "rows.ndjson", b"\n".join([*LINES, *parts]), JEV_SOCIAL)
    assert (told.rows, len(told.faults)) == (len(LINES), len(parts))
    for part in (b"", *parts[:200:20]):  # a file of less than the layout's own bytes
        assert len(walked([part]).records) == 0


@pytest.mark.parametrize("byte", [b"", b"1", b",", b'"', b"]"])
def test_every_byte_of_a_line_matters(tmp_path: Path, byte: bytes) -> None:
    line = LINES[1]
    made = [line[:at] + byte + line[at + 1 :] for at in range(0, len(line), 3)]
    data = b"\n".join([*LINES, *made, *LINES * 20])
    told = agreed(tmp_path / "rows.ndjson", data, JEV_SOCIAL)
    assert len(told.faults) > len(made) / 2


def test_times_of_both_lengths_are_walked_over(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = drawn([20] * 6)
    lines = [compact(row | {"started_at": row["started_at"][:19] + "Z"}) for row in rows]
    assert len(walked([*LINES, *lines]).records) == 2 * len(LINES)
    told = agreed(tmp_path / "rows.ndjson", b"\n".join(lines), JEV_SOCIAL)
    assert told.rows > len(LINES) / 2


@pytest.mark.parametrize(("widths", "walks"), [(1, True), (30, False)])
def test_a_layout_is_walked_as_long_as_widths_do_not_vary(
    tmp_path: Path, widths: int, *, walks: bool
) -> None:
    rows = [{"id": f"{at:03}" + "x" * (at % widths), "level": 1, "ms": at} for at in range(300)]
    data = b"".join(compact(row) + b"\n" for row in rows)
    assert agreed(tmp_path / "rows.ndjson", data, WIDE).rows == 300
    prover = Prover(WIDE)
    for chunk in chunks(whole_lines([data, data])):
        assert prover.prove(chunk).frame.height == 300
    assert [template.walks for template in prover.templates] == [walks]


def test_digits_are_counted_up_to_the_first_that_is_none() -> None:
    ends = [bytes([byte]) for byte in range(256) if not 0x30 <= byte <= 0x39]
    words = [b"9" * size + end + b"\xff" * 8 for size in range(8) for end in ends]
    counted = digit_count(np.array([int.from_bytes(word[:8], "little") for word in words], "<u8"))
    assert counted.tolist() == [size for size in range(8) for _ in ends]
    assert digit_count(np.frombuffer(b"01234567", "<u8")).tolist() == [8]
