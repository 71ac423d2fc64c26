"""Changing a case: its bytes, its lines, the values in them, and how it is read."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from tests.fuzz.cases import PACKINGS, SQL, Head, head_of
from tests.fuzz.seeds import BLOCKS, TEXTS
from tests.rows.test_proof_agreement import CASES
from tests.support.mutations import (
    INSTANT,
    NUMBERS,
    STRING,
    TIMES,
    VALUE,
    WORDS,
    mutated,
    replaced,
    restyled,
)

VALUES: tuple[tuple[re.Pattern[str], Sequence[str]], ...] = (
    (VALUE, NUMBERS),
    (INSTANT, TIMES),
    (STRING, WORDS),
)
BOM = b"\xef\xbb\xbf"
MOST_LINES = 40
GROWTH = 4_000
"""Bytes that one change may add: large files are read no better than small ones, but slower."""
SQL_WORDS = (
    *("select", "from", "with", "as", "copy", "to", "insert into", "returning", "delete from"),
    *("update t set", "pragma", "call", "attach", "load", "set", "explain", "analyze", "vacuum"),
    *("pivot", "unpivot", "on", "using", "recursive", "materialized", "union all", "values"),
    *("(", ")", ";", ",", "'", '"', "--", "/*", "*/", "$$", "\n", "\x00", "\u00a0", "é", "*"),
    *("read_csv('FOLDER/x')", "'FOLDER/x.csv'", "query('drop table t')", "random()", "t"),
)

Bytewise = Callable[[bytes, int], bytes]


def mutate(case: bytes, longest: int, seed: int, bytewise: Bytewise) -> bytes:
    """Return another case of at most `longest` bytes; `bytewise` is libFuzzer's own way."""
    draw = random.Random(seed)
    line, _, text = case.partition(b"\n")
    room = min(longest - len(line) - 20, len(text) + GROWTH)
    if draw.random() < 0.15:
        text = bytewise(text, room)
    elif line == SQL:
        text = _reworded(draw, text)
    elif head := head_of(line):
        if draw.random() < 0.05:
            sizes = draw.choice(BLOCKS), draw.choice(TEXTS)
            line = bytes(Head(head.contract, draw.choice([*PACKINGS]), *sizes))
        lines = text.split(b"\n")
        for _ in range(draw.choice([1, 8, 24])):
            _change_line(draw, lines, head.contract, bytewise)
        text = b"\n".join(lines)
    return line + b"\n" + text[:room]


def _change_line(
    draw: random.Random, lines: list[bytes], contract: str, bytewise: Bytewise
) -> None:
    """Change the lines of a file in one place."""
    rows = CASES[contract].rows()
    at = draw.randrange(len(lines))
    match draw.randrange(20):
        case 0:
            lines.insert(at, lines[draw.randrange(len(lines))])
        case 1 if len(lines) > 1:
            del lines[at]
        case 2:
            lines[at] = draw.choice([b"", b" ", BOM + lines[at], lines[at] + b"\r"])
        case 3:
            other = draw.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 4 | 5 | 6:
            lines[at] = bytewise(lines[at], len(lines[at]) + 100)
        case 7 | 8 | 9 if len(lines) < MOST_LINES:
            lines.insert(at, restyled(draw, draw.choice(rows)).encode())
        case 10 | 11 | 12 | 13 | 14:
            line = lines[at].decode("utf-8", "replace")
            lines[at] = replaced(draw, *draw.choice(VALUES), line).encode("utf-8", "surrogatepass")
        case _:
            lines[at] = mutated(draw, lines[at].decode("utf-8", "replace"), rows)


def _reworded(draw: random.Random, text: bytes) -> bytes:
    """Put in words, or take some out or twice."""
    words = text.decode("utf-8", "replace").split(" ")
    for _ in range(draw.choice([1, 1, 2, 4])):
        at = draw.randrange(len(words) + 1)
        match draw.randrange(4):
            case 0:
                words[at : at + draw.randrange(4)] = []
            case 1:
                words[at:at] = words[draw.randrange(len(words) + 1) :][: draw.randrange(8)]
            case _:
                words.insert(at, draw.choice(SQL_WORDS))
    return " ".join(words).encode("utf-8", "replace")
