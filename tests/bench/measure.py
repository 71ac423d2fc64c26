"""Runs one case in a process of its own: `measure.py CASE FILE` prints its seconds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """What a case cost, its helpers included: wall and CPU seconds without imports, peak MiB."""

    wall: float
    cpu: float
    memory: float


def measured(case: str, file: Path) -> Cost:
    """Run a case in a fresh process and return what it cost."""
    command = [sys.executable, "-m", "tests.bench.measure", case, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        memory = 0.0
        while process.poll() is None:
            memory = max(memory, peak(process.pid))
            time.sleep(0.01)
        assert process.stdout
        printed = process.stdout.read()
    if process.returncode:
        raise SystemExit(f"{case} failed")
    wall, cpu = json.loads(printed.splitlines()[-1])
    return Cost(wall, cpu, memory)


def main(case: str, file: str) -> None:
    """Run the case and print its seconds as JSON; every case has the same imports behind it."""
    import benchdata.dataset  # noqa: F401
    from tests.bench.cases import CASES

    before = time.perf_counter(), cpu_seconds()
    CASES[case](Path(file))
    after = time.perf_counter(), cpu_seconds()
    print(json.dumps([late - early for early, late in zip(before, after, strict=True)]))


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its helpers that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def cpu_seconds_of(pid: int) -> float:
    """Return the CPU time of another process until now."""
    told = Path("/proc", str(pid), "stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def peak(pid: int) -> float:
    """Return the most memory that a process, and each of its helpers of now, has held, in MiB.

    Not `ru_maxrss`: that counts what the parent held when it started the process.
    """
    held = 0.0
    with suppress(OSError, IndexError):
        process = Path("/proc", str(pid))
        status = (process / "status").read_text("utf-8")
        held = int(status.partition("VmHWM:")[2].split()[0]) / 1024
        for helper in (process / "task" / str(pid) / "children").read_text("utf-8").split():
            held += peak(int(helper))
    return held


if __name__ == "__main__":
    main(*sys.argv[1:])
