"""Inputs made to exhaust the reader: each ends with one clear message, in bounded memory."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from benchdata.dataset import grouping
from tests.support.cases import mostly_slow
from tests.support.command import measured, run
from tests.support.jev_social import SUCCESS

MIB = 1024**2
MOST_MEMORY = 400 * MIB
"""An interpreter with polars and DuckDB has about 130 MiB; a line may have 16 MiB."""

Write = Callable[[Path], None]


def plain(text: str) -> Write:
    """Return what writes one text."""

    def write(path: Path) -> None:
        path.write_text(text)

    return write


def gz(block: bytes, times: int) -> Write:
    """Return what writes one block over and over, packed small."""

    def write(path: Path) -> None:
        with gzip.open(path, "wb", compresslevel=1) as file:
            for _ in range(times):
                file.write(block)

    return write


def zst(block: bytes, times: int) -> Write:
    """Return what writes one block over and over, packed small."""

    def write(path: Path) -> None:
        with path.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as packed:
            for _ in range(times):
                packed.write(block)

    return write


def keys(count: int) -> str:
    """Return that many members of an object."""
    return ",".join(f'"k{number}":1' for number in range(count))


VALID = json.dumps(SUCCESS)
CASES: dict[str, tuple[str, Write, str]] = {
    "a gz bomb of one line": ("a.ndjson.gz", gz(b" " * MIB, 512), "longer than 16 MiB"),
    "a zst bomb of one line": ("a.ndjson.zst", zst(b"x" * MIB, 512), "longer than 16 MiB"),
    "a gz bomb of bad lines": (
        "a.ndjson.gz",
        gz((b"x" * 49 + b"\n") * 20_000, 10),
        "200,000 invalid",
    ),
    "a gz bomb of blank lines": ("a.ndjson.gz", gz(b"\n" * MIB, 4), "holds no row"),
    "a line of 100 MB": ("a.ndjson", plain(f'{{"a":"{"x" * 10**8}"}}\n'), "longer than 16 MiB"),
    "100,000 keys": ("a.ndjson", plain(f"{VALID[:-1]},{keys(100_000)}}}\n"), "k0: is not a field"),
    "100,000 deep arrays": ("a.ndjson", plain("[" * 10**5 + "]" * 10**5 + "\n"), "nested deeper"),
    "100,000 deep objects": (
        "a.ndjson",
        plain('{"a":' * 10**5 + "1" + "}" * 10**5 + "\n"),
        "nested deeper",
    ),
    "a list of 2 million": (
        "a.ndjson",
        plain(VALID.replace("[600,", "[" + "1," * 2_000_000) + "\n"),
        "jev_step_latency_ms",
    ),
}


@pytest.mark.parametrize("name", mostly_slow(reversed(CASES), 3))
def test_a_hostile_input_ends_with_a_message_in_bounded_memory(name: str, tmp_path: Path) -> None:
    file, write, message = CASES[name]
    write(tmp_path / file)
    done, peak = measured("validate", tmp_path / file, "--contract", "jev-social")
    assert (done.code, done.out) == (1, ""), done
    assert re.search(message, done.err)
    assert "Traceback" not in done.err
    assert len(done.err) < 20_000
    assert peak < MOST_MEMORY


def rows_of_regions(count: int) -> str:
    """Return valid rows, each a group of its own."""
    rows: list[dict[str, Any]] = [
        SUCCESS | {"run_id": f"{number:08x}-51c6-4c1a-9f52-3d9e4a6b8c10", "region": f"r{number}"}
        for number in range(count)
    ]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.mark.parametrize("command", ["summarize", "gate", "sql grouped"])
def test_too_many_groups_are_refused_with_the_field_that_makes_them(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouping, "MOST_GROUPS", 3)
    file = tmp_path / "rows.ndjson"
    file.write_text(rows_of_regions(4))
    verb, *query = command.split()
    done = run(verb, *(f"select * from {name}" for name in query), file)
    assert done.code == 1
    assert "the rows fall into 4 groups, more than 3: region alone has 4 values" in done.err
    assert "Traceback" not in done.err


def test_rows_of_too_many_groups_can_still_be_queried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouping, "MOST_GROUPS", 3)
    file = tmp_path / "rows.ndjson"
    file.write_text(rows_of_regions(4))
    done = run("sql", "select count(*) as n from rows", file, "--format", "csv")
    assert (done.code, done.out.split()) == (0, ["n", "4"])


@pytest.mark.slow
def test_a_million_groups_are_refused_in_bounded_memory(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_text(rows_of_regions(1_000_000))
    done, peak = measured("summarize", file)
    assert done.code == 1
    assert "the rows fall into 1,000,000 groups" in done.err
    assert peak < 3 * MOST_MEMORY
