"""The record of a run: a line each in order, bounded, and a run that no full disk ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from collectors.skill_eval.router.retrieval import (
    FILE,
    LONGEST,
    MOST_CALLS,
    MOST_NAMED,
    Retrieval,
)
from tests.collectors.skill_eval.router.conftest import record


def test_each_line_says_what_happened(tmp_path: Path) -> None:
    with Retrieval(tmp_path / FILE) as retrieval:
        retrieval.search("bar\ncharts", ["a/b@c"], ["d/e@f"])
        retrieval.load("a/b@c", "Hello")
        retrieval.refusal("d/e@f", "excluded")
        retrieval.failure("g", "no answer")
    assert record(tmp_path) == [
        {
            "event": "search",
            "asked": "bar\N{REPLACEMENT CHARACTER}charts",
            "found": ["a/b@c"],
            "withheld": ["d/e@f"],
        },
        {
            "event": "load",
            "asked": "a/b@c",
            "characters": 5,
            "digest": "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969",
        },
        {"event": "refusal", "asked": "d/e@f", "because": "excluded"},
        {"event": "failure", "asked": "g", "because": "no answer"},
    ]


def test_lines_and_their_number_are_bounded(tmp_path: Path) -> None:
    with Retrieval(tmp_path / FILE) as retrieval:
        retrieval.search("q" * 10_000, ["n" * 10_000] * 1_000, [])
        admitted = [retrieval.admits() for _ in range(MOST_CALLS + 50)]
    assert admitted == [True] * MOST_CALLS + [False] * 50
    first, *rest = record(tmp_path)
    assert (len(first["asked"]), len(first["found"])) == (LONGEST, MOST_NAMED)
    assert len(first["found"][0]) == LONGEST
    assert rest == [{"event": "refusal", "asked": "", "because": "limit"}]


def test_what_is_no_character_erases_no_line(tmp_path: Path) -> None:
    with Retrieval(tmp_path / FILE) as retrieval:
        retrieval.refusal("a/b@c -a \udc80", "excluded")
    assert [line["event"] for line in record(tmp_path)] == ["refusal"]


def test_a_record_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("kept")
    with pytest.raises(FileExistsError):
        Retrieval(tmp_path / FILE)
    assert (tmp_path / FILE).read_text() == "kept"


@pytest.mark.skipif(sys.platform != "linux", reason="has no device that is full")
def test_a_full_disk_loses_lines_and_not_the_run(tmp_path: Path) -> None:
    retrieval = Retrieval(tmp_path / FILE)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, retrieval._file.fileno())
    os.close(full)
    with retrieval:
        retrieval.load("a/b@c", "x")
    retrieval.load("after the end", "x")
