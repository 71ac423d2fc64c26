"""Blocks and spans of any size and packed files change nothing."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import zstandard

from benchdata.contracts.jev_social import JEV_SOCIAL
from benchdata.errors import InputError
from benchdata.rows import sources
from benchdata.rows.batches import proven
from benchdata.rows.proof.prover import Prover
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
def test_blocks_may_break_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: bytes, size: int
) -> None:
    monkeypatch.setattr(sources, "BLOCK", size)
    data = dirty(end) if size > 2 else dirty(end)[:4_000]
    told = agreed(tmp_path / "rows.ndjson", data, JEV_SOCIAL)
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


def test_a_damaged_stream_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK", 5_000)
    file = tmp_path / "rows.ndjson.gz"
    file.write_bytes(gzip.compress(dirty(b"\n") * 20)[:-9])
    with pytest.raises(InputError, match="damaged or cut short"):
        list(proven(sources.Input("rows", file), Prover(JEV_SOCIAL)))


@pytest.mark.parametrize("size", [1, 900, 2_000, 10**9])
@pytest.mark.parametrize("block", [50, 1_000, 10**9])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_spans_are_the_lines_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, block: int, end: bytes
) -> None:
    monkeypatch.setattr(sources, "BLOCK", block)
    file = tmp_path / "rows.ndjson"
    file.write_bytes(dirty(b"\n").rstrip() + end)
    source = sources.Input("rows", file)
    spans = source.spans(size)
    assert spans
    assert [span.start for span in spans[1:]] == [span.stop for span in spans[:-1]]
    whole = [chunk.data[: chunk.size] for span in spans for chunk in source.chunks(span)]
    ended = [chunk.ended for span in spans for chunk in source.chunks(span)]
    assert b"".join(whole) == file.read_bytes().removeprefix(b"\xef\xbb\xbf").rstrip() + b"\n"
    assert ended == [True] * (len(ended) - 1) + [end == b"\n"]


def test_the_last_spans_are_short(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    line = b"123456789\n"
    file.write_bytes(line * 2_000)
    sizes = [stop - start for start, stop in sources.Input("rows", file).spans(1_000) or ()]
    assert {abs(size - 1_000) <= len(line) for size in sizes[:12]} == {True}
    assert max(sizes[-4:]) <= 250 + len(line)


def test_packed_files_have_no_spans(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(gzip.compress(ROWS[0]))
    assert sources.Input("rows", file).spans(10) is None
    file.write_bytes(b"")
    assert sources.Input("rows", file).spans(10) == [(0, 0)]
    file.write_bytes(ROWS[0].decode().encode("utf-16") * 3)
    assert len(sources.Input("rows", file).spans(10) or ()) == 1


def test_a_large_file_is_stored_in_several_row_groups(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    count = 2 * GROUP + 5
    line = compact(trial("NAME", ms=7)).decode()
    file.write_text("".join(line.replace("NAME", f"t{number}") + "\n" for number in range(count)))
    with store(tmp_path / "rows.parquet", TRIAL) as rows:
        for batch in proven(sources.Input("rows", file), Prover(TRIAL)):
            rows.add(batch.frame)
    assert rows.rows == count
    stored = pl.read_parquet(tmp_path / "rows.parquet")
    assert stored["_line"].to_list() == list(range(1, count + 1))
    assert stored["trial"].to_list()[:: count - 1] == ["t0", f"t{count - 1}"]
    assert stored["row_result"].unique().to_list() == ["success"]
