"""Runs one case in a process of its own: `measure.py CASE FILE` prints its seconds and memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """What a case cost: wall and CPU seconds without imports of the interpreter, peak MiB."""

    wall: float
    cpu: float
    memory: float


def measured(case: str, file: Path) -> Cost:
    """Run a case in a fresh process and return what it cost."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.measure", case, str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{case} failed:\n{done.stderr}")
    return Cost(*json.loads(done.stdout.splitlines()[-1]))


def main(case: str, file: str) -> None:
    """Run the case and print its costs as JSON."""
    from tests.bench.cases import CASES

    before, cpu = time.perf_counter(), time.process_time()
    CASES[case](Path(file))
    print(json.dumps([time.perf_counter() - before, time.process_time() - cpu, peak()]))


def peak() -> float:
    """Return the most memory this process has held, in MiB.

    Not `ru_maxrss`: that counts what the parent held when it started this process.
    """
    status = Path("/proc/self/status").read_text("utf-8").splitlines()
    [line] = [line for line in status if line.startswith("VmHWM:")]
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main(*sys.argv[1:])
