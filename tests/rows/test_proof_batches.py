"""Blocks of any size, packed files and threads change nothing; nothing is left running."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest
import zstandard
from polars.testing import assert_frame_equal

from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import InputError
from benchdata.rows import sources
from benchdata.rows.batches import batches, in_order
from benchdata.rows.storing import GROUP, store
from tests.support.drawn import drawn
from tests.support.proofs import agreed, compact
from tests.support.trials import TRIAL, trial

ROWS = [compact(row) for row in drawn([6] * 3) + drawn([6] * 3, schema_version=1)]
BAD = [
    b"",
    b" \t",
    b"{",
    b"[]",
    ROWS[0][:-1],
    ROWS[1].replace(b'"platform":"', b'"platform":"x'),
    b"\xff",
]


def dirty(end: bytes) -> bytes:
    """Return rows of both versions with bad and blank lines between them."""
    lines = [line for place, row in enumerate(ROWS) for line in (row, BAD[place % len(BAD)])]
    return b"\xef\xbb\xbf" + end.join(lines)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n"])
@pytest.mark.parametrize("size", [1, 2, 700, 829, 5_000, 4 << 20])
@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_may_break_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: bytes, size: int, threads: int
) -> None:
    monkeypatch.setattr(sources, "BLOCK", size)
    data = dirty(end) if size > 2 else dirty(end)[:4_000]
    told = agreed(tmp_path / "rows.ndjson", data, JEV_SOCIAL, threads)
    assert told.rows >= 3
    assert told.faults


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("size", [999, 4 << 20])
def test_packed_files_are_read_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes], size: int
) -> None:
    monkeypatch.setattr(sources, "BLOCK", size)
    assert agreed(tmp_path / "rows.ndjson", pack(dirty(b"\n")), JEV_SOCIAL).rows == len(ROWS)


def test_a_line_larger_than_many_blocks_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "BLOCK", 10_000)
    long = ROWS[3] + b" " * 300_000
    data = b"\n".join([ROWS[0], long, ROWS[1] + b"x" * 99_999, ROWS[2]])
    told = agreed(tmp_path / "rows.ndjson", data, JEV_SOCIAL)
    assert (told.rows, [line for line, _, _ in told.faults]) == (3, [3])


def test_one_thread_and_two_give_the_same_frames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "BLOCK", 20_000)
    file = tmp_path / "rows.ndjson"
    file.write_bytes(dirty(b"\n") * 8)
    source = sources.Input("rows.ndjson", file)
    one, two = (list(batches(source, JEV_SOCIAL, threads=threads)) for threads in (1, 2))
    assert len(one) == len(two) > 5
    for left, right in zip(one, two, strict=True):
        assert_frame_equal(left.frame, right.frame)
        assert [str(fault) for fault in left.faults] == [str(fault) for fault in right.faults]


def test_results_come_in_order_and_few_items_wait() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(50):
            taken.append(item)
            yield item

    turn = threading.Event()

    def work(item: int) -> int:
        if item % 2:
            turn.wait(0.001)
        return item

    for expected, found in enumerate(in_order(work, items(), 2)):
        assert found == expected
        assert len(taken) <= expected + 4


def fails(item: int) -> int:
    if item == 5:
        raise ValueError("five")
    return item


def test_no_thread_outlives_an_error() -> None:
    before = threading.active_count()
    with pytest.raises(ValueError, match="five"):
        list(in_order(fails, iter(range(100)), 2))
    assert threading.active_count() == before
    found = in_order(fails, iter(range(4)), 2)
    assert next(found) == 0
    found.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_a_damaged_stream_leaves_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK", 5_000)
    before = threading.active_count()
    file = tmp_path / "rows.ndjson.gz"
    file.write_bytes(gzip.compress(dirty(b"\n") * 20)[:-9])
    with pytest.raises(InputError, match="damaged or cut short"):
        list(batches(sources.Input("rows", file), JEV_SOCIAL))
    assert threading.active_count() == before


def test_a_large_file_is_stored_in_several_row_groups(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    count = 2 * GROUP + 5
    line = compact(trial("NAME", ms=7)).decode()
    file.write_text("".join(line.replace("NAME", f"t{number}") + "\n" for number in range(count)))
    with store(tmp_path / "rows.parquet", TRIAL) as rows:
        for batch in batches(sources.Input("rows", file), TRIAL):
            rows.add(batch.frame)
    assert rows.rows == count
    stored = pl.read_parquet(tmp_path / "rows.parquet")
    assert stored["_line"].to_list() == list(range(1, count + 1))
    assert stored["trial"].to_list()[:: count - 1] == ["t0", f"t{count - 1}"]
    assert stored["row_result"].unique().to_list() == ["success"]
