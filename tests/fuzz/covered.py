"""Which lines of the reader some cases run, and the cases that are needed to run them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from benchdata import rows
from tests.fuzz.findings import failure

READER = str(Path(rows.__path__[0]))
FIRST_LINES = (3, 7)

Step = tuple[str, int, int]
"""A file, and two of its lines of which one is run after the other."""


def steps(case: bytes) -> set[Step]:
    """Return what runs when a case is checked, nothing when it fails."""
    found: set[Step] = set()

    def enter(frame: FrameType, _event: str, _what: Any) -> Callable[..., Any] | None:
        file = frame.f_code.co_filename
        if not file.startswith(READER):
            return None
        last = 0

        def run(frame: FrameType, event: str, _what: Any) -> Callable[..., Any]:
            nonlocal last
            if event == "line":
                found.add((file, last, frame.f_lineno))
                last = frame.f_lineno
            return run

        return run

    sys.settrace(enter)
    try:
        failed = failure(case)
    finally:
        sys.settrace(None)
    return set() if failed else found


def needed(cases: Iterable[bytes]) -> tuple[list[bytes], set[Step]]:
    """Return the cases, or their beginnings, that run what no smaller one runs, and all steps."""
    kept: list[bytes] = []
    seen: set[Step] = set()
    for part in sorted({part for case in cases for part in _beginnings(case)}, key=len):
        if fresh := steps(part) - seen:
            kept.append(part)
            seen |= fresh
    return kept, seen


def _beginnings(case: bytes) -> Iterator[bytes]:
    """Yield the first lines of a case, more and more of them, and all."""
    lines = case.split(b"\n")
    yield from (b"\n".join(lines[:count]) for count in FIRST_LINES)
    yield case


def reader_lines() -> set[tuple[str, int]]:
    """Return every line of the functions of the reader."""
    return {
        (str(file), line)
        for file in Path(READER).rglob("*.py")
        for line in _lines(compile(file.read_bytes(), file, "exec"), inside=False)
    }


def _lines(code: CodeType, *, inside: bool) -> Iterator[int]:
    """Yield the lines of functions, which are the code that has locals of its own."""
    inside = inside or bool(code.co_flags & 0x2)
    if inside:
        yield from (line for _, _, line in code.co_lines() if line and line > code.co_firstlineno)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _lines(inner, inside=inside)
