"""Under a clock that jumps by years, back and forth, answers and rows are what they always are."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

import benchdata
from tests.support.command import ROOT
from tests.support.proven import Proven
from tests.support.rendered import files
from tests.support.sized import DATASETS

pytestmark = [pytest.mark.faults, pytest.mark.slow]

DEMO = str(DATASETS / "jev-social-demo")
SPEC = str(ROOT / "collectors/skill_eval/specs/invoice-extraction/spec.json")
BETWEEN_S = 0.05
YEARS = 19
COMMANDS = {
    "export": ("export", DEMO, "-o", "rows.csv"),
    "freeze": ("freeze", DEMO, "--into", "lake"),
    "gate": ("gate", DEMO),
    "summarize": ("summarize", DEMO, "--format", "json"),
    "validate": ("validate", DEMO, "--keep-valid", "good.ndjson", "--rejects", "bad.ndjson"),
}


@contextmanager
def jumping(folder: Path) -> Iterator[Mapping[str, str]]:
    """Yield the environment of a process whose clock jumps; how long things take stays true."""
    library = next(Path("/usr/lib").rglob("libfaketimeMT.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is not installed (Debian: faketime)")
    clock, drawn, end = folder / "clock", random.Random(11), Event()

    def jump() -> None:
        while True:
            new = clock.with_suffix(".new")
            new.write_text(f"{drawn.choice('+-')}{drawn.randint(1, YEARS)}y\n", "utf-8")
            new.replace(clock)
            if end.wait(BETWEEN_S):
                return

    clock.write_text("+0\n", "utf-8")
    thread = Thread(target=jump)
    thread.start()
    try:
        yield os.environ | {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(clock),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
    finally:
        end.set()
        thread.join()


def ran(
    folder: Path, arguments: tuple[str, ...], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    return subprocess.run(
        [sys.executable, "-m", "benchdata", *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_the_clock_of_a_process_jumps_indeed(tmp_path: Path) -> None:
    wait = "select.select([], [], [], 0.1)"  # libfaketime does not bear `time.sleep`
    program = f"import select, time\nfor _ in range(20): print(time.time() // 3e7); {wait}"
    with jumping(tmp_path) as environment:
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert len(set(done.stdout.split())) > 5


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_and_writes_the_same(tmp_path: Path, name: str, proven: Proven) -> None:
    steady = ran(tmp_path / "steady", COMMANDS[name], os.environ)
    with jumping(tmp_path) as environment:
        hurried = ran(tmp_path / "jumping", COMMANDS[name], environment)
    assert (hurried.returncode, hurried.stdout, hurried.stderr) == (
        *(steady.returncode, steady.stdout, steady.stderr),
    )
    assert files(tmp_path / "jumping") == files(tmp_path / "steady")
    proven(f"a clock that jumps by years: {name}", 1, "the same answer, the same bytes")


def test_every_attempt_has_its_row(tmp_path: Path, proven: Proven) -> None:
    arguments = ("collect", "skill-eval", SPEC, "--agent", "scripted", "--out", "out", "--yes")
    with jumping(tmp_path) as environment:
        done = ran(tmp_path / "jumping", arguments, environment)
    assert done.returncode == 0, done.stderr
    rows = benchdata.open(tmp_path / "jumping/out/stage/rows.ndjson").frame()
    assert (rows.height, set(rows["outcome"])) == (16, {"completed"})
    assert rows["timing_ms_total"].lt(60_000).all()
    proven("a clock that jumps by years: collect skill-eval", 16, "every row is there and valid")
