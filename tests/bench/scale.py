"""`make bench-scale`: that a row costs the same at 50 million rows as at one, in bounded memory.

Rows are written compressed, in files of as many as the smallest size has: blocks of distinct rows
again and again, each with run ids of its own. Every size reads the first of the same files, each
case in a fresh process. Times are compared with those of the bare DuckDB read of the same files in
the same run. What others do a row at a time, or in memory, is measured at the smallest size only.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from tests.bench.cases import EXPORTED
from tests.bench.measure import Cost
from tests.bench.run import fastest, generator, judge

SIZES = (1_000_000, 10_000_000, 50_000_000)
BLOCK_ROWS = 100_000
ID_DIGITS = 8
"""Of a run id, the first ones: in them each block has its number."""
BEFORE_ID = b'{"schema_version":2,"run_id":"'
NAMES = "*.ndjson.zst"
BYTES_A_ROW = 250
"""On disk at once at most: compressed rows, their columns while checked, and the export."""

EVERY_SIZE = ("bare_all", "validated_all", "exported", "requeried")
SMALLEST_ONLY = ("polars_all", "pandas_all", "per_row")
FLAT = 1.2
MEMORY = 600
"""MiB beyond the bare read, which itself holds every value that it ranks: 8 bytes each."""
REQUERIED = 0.3
"""Of the time of the bare read of the same rows as NDJSON."""


def main() -> None:
    """Generate the rows, run every case at every size, print the tables and what holds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=SIZES, help="multiples of the first")
    parser.add_argument("--rounds", type=int, default=2, help="at the first; one at the others")
    options = parser.parse_args()
    first, *more = options.rows
    if any(size % first for size in more):
        parser.error("--rows: each must be a multiple of the first")
    _require_room(max(options.rows))
    os.environ["BENCHDATA_NO_CACHE"] = "1"
    with tempfile.TemporaryDirectory(prefix="benchdata-scale-") as name:
        files = _written(Path(name), first, max(options.rows) // first)
        found = {first: _costs(files[:1], first, options.rounds, SMALLEST_ONLY)}
        for size in more:
            found[size] = _costs(files[: size // first], size, 1)
    _judge_all(found)


def _require_room(rows: int) -> None:
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if free < rows * BYTES_A_ROW:
        raise SystemExit(
            f"{rows:,} rows need {rows * BYTES_A_ROW / 1e9:.0f} GB among the temporary files, and"
            f" {free / 1e9:.0f} are free; set TMPDIR to a larger disk, or give smaller --rows"
        )


def _written(folder: Path, rows: int, files: int) -> list[Path]:
    """Write so many files of so many rows each, and say how large they are."""
    before, plain = time.perf_counter(), 0
    paths = [folder / f"rows-{number:03}.ndjson.zst" for number in range(files)]
    blocks = _blocks(rows)
    for path in paths:
        with pa.CompressedOutputStream(str(path), "zstd") as out:
            left = rows
            while left > 0:
                block = next(blocks)
                plain += len(block)
                out.write(block)
                left -= min(rows, BLOCK_ROWS)
    packed = sum(path.stat().st_size for path in paths)
    print(
        f"{files * rows:,} rows, {plain / 1e9:,.1f} GB in {packed / 1e9:,.1f} GB of Zstandard,"
        f" written in {time.perf_counter() - before:,.0f} s"
    )
    return paths


def _blocks(rows: int) -> Iterator[memoryview]:
    """Yield the block of distinct rows for ever, each time with other run ids; not to be kept."""
    block = np.frombuffer(b"".join(generator().rows(min(rows, BLOCK_ROWS))), np.uint8).copy()
    starts = np.flatnonzero(block == ord("\n"))[:-1] + 1
    ids = np.concatenate(([0], starts)) + len(BEFORE_ID)
    digits = ids[:, None] + np.arange(ID_DIGITS)
    number = 0
    while True:
        block[digits] = np.frombuffer(f"{number:0{ID_DIGITS}x}".encode(), np.uint8)
        yield block.data
        number += 1


def _costs(
    files: Sequence[Path], rows: int, rounds: int, once: Sequence[str] = ()
) -> Mapping[str, Cost]:
    """Return what each case costs on the first files, some of them in one round, and print it."""
    folder = files[0].parent / f"{rows}"
    folder.mkdir()
    for file in files:
        os.link(file, folder / file.name)
    read = {case: (case, folder / NAMES) for case in (*EVERY_SIZE, *once)}
    read["requeried"] = "requeried", folder / EXPORTED
    costs = fastest({case: read[case] for case in EVERY_SIZE}, rounds)
    costs |= fastest({case: read[case] for case in once}, 1)
    shutil.rmtree(folder)
    print(f"\n{rows:,} rows")
    print(f"{'case':16} {'s':>8} {'cpu s':>8} {'µs/row':>7} {'MiB':>6} {'x bare':>7}")
    for case, cost in costs.items():
        print(
            f"{case:16} {cost.wall:8.2f} {cost.cpu:8.2f} {1e6 * cost.wall / rows:7.2f}"
            f" {cost.memory:6.0f} {cost.wall / costs['bare_all'].wall:7.2f}"
        )
    return costs


def _judge_all(found: Mapping[int, Mapping[str, Cost]]) -> None:
    """Print whether time per row is flat, memory bounded, and a lake quicker than its rows."""
    print()
    smallest = min(found)
    for case in EVERY_SIZE:
        for rows in found.keys() - {smallest}:
            growth = found[rows][case].wall / rows / (found[smallest][case].wall / smallest)
            judge(f"{case}: time per row, {rows:,} / {smallest:,}", growth, FLAT)
    for rows, costs in found.items():
        most = max(costs[case].memory for case in EVERY_SIZE)
        judge(f"{rows:,} rows: peak MiB beyond bare_all", most - costs["bare_all"].memory, MEMORY)
        ratio = costs["requeried"].wall / costs["bare_all"].wall
        judge(f"{rows:,} rows: requeried / bare_all", ratio, REQUERIED)


if __name__ == "__main__":
    main()
