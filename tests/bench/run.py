"""`make bench`: what validation costs, as ratios to bare reads of the same bytes in the same run.

Rows come from the generator of the demo dataset: 1,000,000 of them, then 5,000,000 for memory.
Each case runs in a fresh process, one after the other, in several rounds, and its fastest run
counts: other work on the machine can only slow one down.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from tests.bench import build_bench, harness, serving, statistics
from tests.bench.measure import Cost, measured

ROOT = Path(__file__).resolve().parents[2]
FAST = (
    *("bare_five", "validated_five", "bare_all", "validated_all"),
    *("cached_open", "cached_all", "summarized"),
)
CHECKED = ("validated_five", "validated_all")
SLOW = ("msgspec_rows", "pydantic_rows", "per_row")
SLOW_ROWS = 100_000
LIMITS = {
    ("validated_five", "bare_five"): 4.0,
    ("validated_all", "bare_all"): 2.4,
    ("cached_open", "bare_all"): 0.3,
    ("dirty", "validated_five"): 1.3,
}
MEMORY = (600, 900)


def main() -> None:
    """Generate the rows, run every case, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--more", type=int, default=5_000_000, help="0 leaves the second table out")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchdata-bench-") as name:
        folder = Path(name)
        os.environ["BENCHDATA_CACHE"] = str(folder / "cache")
        os.environ.pop("BENCHDATA_NO_CACHE", None)
        _first(folder, options.rows, options.rounds)
        if options.more:
            _second(folder, options.more)
    _start_up()
    statistics.main()
    harness.main()
    serving.main()
    build_bench.main()


def _first(folder: Path, rows: int, rounds: int) -> None:
    """Print the table of every case, and which limits hold."""
    big, small = folder / "rows.ndjson", folder / "some.ndjson"
    _write(big, rows)
    _write(small, SLOW_ROWS)
    print(f"{rows:,} rows, {big.stat().st_size / 1e6:,.0f} MB; {rounds} rounds, the fastest counts")
    measured("cached_all", big)  # fills the cache
    runs = {case: (case, big) for case in (*FAST, "polars_all")}
    runs["dirty"] = "refused", _dirty(big, folder / "dirty.ndjson")
    costs = fastest(runs, rounds)
    for case in SLOW:
        once = measured(case, small)
        scale = rows / SLOW_ROWS
        name = f"{case} (from {SLOW_ROWS:,})"
        costs[name] = Cost(once.wall * scale, once.cpu * scale, once.memory)
    _print(costs, rows)
    for (case, base), limit in LIMITS.items():
        judge(f"{case} / {base}", costs[case].wall / costs[base].wall, limit)
    judge("peak MiB", max(costs[case].memory for case in CHECKED), MEMORY[0])
    big.unlink()


def _second(folder: Path, rows: int) -> None:
    """Print the table of the cases that matter at a larger size, one round, for its memory."""
    big = folder / "more.ndjson"
    _write(big, rows)
    print(f"{rows:,} rows, {big.stat().st_size / 1e6:,.0f} MB; 1 round")
    measured("cached_all", big)  # fills the cache
    costs = fastest({case: (case, big) for case in FAST}, 1)
    _print(costs, rows)
    judge("peak MiB", max(costs[case].memory for case in CHECKED), MEMORY[1])


def _write(file: Path, rows: int) -> None:
    with file.open("wb") as out:
        for chunk in generator().rows(rows):
            out.write(chunk)


def generator() -> ModuleType:
    """Return the program that makes the demo dataset."""
    path = ROOT / "datasets" / "jev-social-demo" / "generate.py"
    spec = importlib.util.spec_from_file_location("generate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fastest(runs: Mapping[str, tuple[str, Path]], rounds: int) -> dict[str, Cost]:
    """Return the cost of the fastest run of each case; its memory is the most of any run."""
    costs: dict[str, list[Cost]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, (case, file) in runs.items():
            costs[name].append(measured(case, file))
    return {
        name: replace(
            min(each, key=lambda cost: cost.wall), memory=max(cost.memory for cost in each)
        )
        for name, each in costs.items()
    }


def _dirty(clean: Path, file: Path) -> Path:
    """Write rows of which one in a thousand is bad."""
    with clean.open("rb") as lines, file.open("wb") as out:
        for number, line in enumerate(lines):
            bad = line.replace(b'"timing_ms":{"jev_total":', b'"timing_ms":{"jev_total":1', 1)
            out.write(bad if number % 1000 == 500 else line)
    return file


def _print(costs: dict[str, Cost], rows: int) -> None:
    print(f"{'case':34} {'s':>7} {'cpu s':>7} {'krows/s':>8} {'MiB':>6} {'x five':>7} {'x all':>7}")
    for case, cost in costs.items():
        ratios = (cost.wall / costs[base].wall for base in ("bare_five", "bare_all"))
        five, every = ratios
        rate = rows / cost.wall / 1000
        print(
            f"{case:34} {cost.wall:7.2f} {cost.cpu:7.2f} {rate:8.0f} {cost.memory:6.0f}"
            f" {five:7.2f} {every:7.2f}"
        )


def judge(what: str, value: float, limit: float) -> None:
    """Print a figure and whether it is within its limit."""
    print(f"{what} = {value:.2f}, {'within' if value <= limit else 'ABOVE'} {limit:g}")


def _start_up() -> None:
    """Print what `benchdata --help` costs beyond a Python that does nothing."""
    program = str(Path(sys.executable).with_name("benchdata"))
    bare = min(_timed([sys.executable, "-c", "pass"]))
    shown = min(_timed([program, "--help"]))
    judge("ms that --help takes beyond bare Python", 1000 * (shown - bare), 150)


def _timed(command: Sequence[str]) -> Iterator[float]:
    for _ in range(10):
        before = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        yield time.perf_counter() - before


if __name__ == "__main__":
    main()
