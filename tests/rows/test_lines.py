"""Bytes to numbered lines: ends, blanks, byte-order marks, other encodings, endless lines."""

from __future__ import annotations

import random
import tracemalloc
from itertools import pairwise

import pytest

from benchdata.rows.lines import split
from benchdata.rows.strict_json import LONGEST_LINE

BOM = b"\xef\xbb\xbf"


def numbered(*blocks: bytes) -> list[tuple[int, bytes, bool]]:
    """Return (number, bytes, ended) of every line; no line may have a fault."""
    lines = list(split(blocks))
    assert [line.fault for line in lines] == [None] * len(lines)
    return [(line.number, line.data, line.ended) for line in lines]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", []),
        (b"\n\n \n\t\r\n", []),
        (b"a", [(1, b"a", False)]),
        (b"a\n", [(1, b"a", True)]),
        (b"a\r\n", [(1, b"a", True)]),
        (b"a\nb", [(1, b"a", True), (2, b"b", False)]),
        (b"a\r\nb\r\n", [(1, b"a", True), (2, b"b", True)]),
        (b"a\r\nb\r", [(1, b"a", True), (2, b"b", False)]),
        (b"a\rb\r", [(1, b"a\rb", False)]),
        (b"\n\na\n\n\nb\n\n", [(3, b"a", True), (6, b"b", True)]),
        (b" \n\t a \n", [(2, b"\t a ", True)]),
        (b"a\x0bb\x0c\x85\n", [(1, b"a\x0bb\x0c\x85", True)]),
        ("a\u2028b\u2029c\u0085d\n".encode(), [(1, "a\u2028b\u2029c\u0085d".encode(), True)]),
        (BOM + b"a\n", [(1, b"a", True)]),
        (BOM, []),
        (BOM + b"\na\n", [(2, b"a", True)]),
        (BOM + b"\r\n" + BOM + b"a\n", [(2, BOM + b"a", True)]),
        (BOM + BOM + b"a\n", [(1, BOM + b"a", True)]),
    ],
)
def test_lines_are_split_and_numbered(data: bytes, lines: list[tuple[int, bytes, bool]]) -> None:
    assert numbered(data) == lines
    assert numbered(*(data[place : place + 1] for place in range(len(data)))) == lines


def test_blocks_may_break_anywhere() -> None:
    draw = random.Random(5)
    data = BOM + b"".join(
        draw.choice([b"ab", b"\r\n", b"\n", b" ", b"\r", b"\xc3"]) for _ in range(400)
    )
    for _ in range(50):
        cuts = sorted({0, len(data), *draw.sample(range(len(data)), 20)})
        blocks = [data[start:end] for start, end in pairwise(cuts)]
        assert numbered(*blocks) == numbered(data)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_another_encoding_is_named_once(encoding: str, mark: str) -> None:
    (line,) = split([(mark + '{"a":1}\n{"a":2}\n').encode(encoding)])
    assert line.fault is not None
    assert (line.number, line.fault.path) == (1, "row")
    assert "convert it to UTF-8" in line.fault.message


def test_a_line_beyond_the_limit_is_told_once_and_the_next_is_read() -> None:
    long = b"x" * (LONGEST_LINE + 1)
    first, second, third = split([b"a\n" + long, b"y" * 10, b"\nb\n"])
    assert (first.number, first.data) == (1, b"a")
    assert (second.number, second.data) == (2, b"")
    assert second.fault is not None
    assert second.fault.message == "the line is longer than 16 MiB"
    assert (third.number, third.data, third.fault) == (3, b"b", None)


def test_an_endless_line_does_not_fill_the_memory() -> None:
    block = b"x" * 1024**2
    tracemalloc.start()
    try:
        (line,) = split(block for _ in range(300))
        assert tracemalloc.get_traced_memory()[1] < 100 * 1024**2
    finally:
        tracemalloc.stop()
    assert line.fault is not None
