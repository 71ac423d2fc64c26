"""The collector: every attempt is a valid row on disk, what went wrong too; none is made twice."""

import sys
from collections import Counter
from pathlib import Path

import benchdata
import pytest

from sample_bench import collector
from sample_bench.contract import CONTRACT

PLAN = len(collector.ARMS) * len(collector.TASKS)


def outcomes(rows: Path) -> Counter[str]:
    return Counter(benchdata.open(rows, CONTRACT).frame()["outcome"])


def test_every_attempt_is_a_valid_row_and_none_is_made_twice(tmp_path: Path) -> None:
    rows = tmp_path / "new" / "rows.ndjson"
    for repeats, attempts in ((1, PLAN), (2, 2 * PLAN), (2, 2 * PLAN)):
        assert collector.main(["--out", str(rows), "--repeats", str(repeats)]) == 0
        assert outcomes(rows) == {"passed": attempts}


def test_what_goes_wrong_is_a_row_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "TASKS", {"sum": ("4 + 5", "9")})
    monkeypatch.setattr(collector, "ARMS", {"baseline": ("-I",)})
    rows = tmp_path / "rows.ndjson"
    arguments = ["--out", str(rows), "--repeats", "1"]
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-such-python"))
    assert collector.main(arguments) == collector.COMPLETED_WITH_LOST
    monkeypatch.undo()

    monkeypatch.setattr(collector, "TASKS", {"sum": ("4 + 5", "9")})
    monkeypatch.setattr(collector, "ARMS", {"slow": ("-I",), "wrong": ("-I",)})
    monkeypatch.setattr(collector, "PROGRAM", "print(1)")
    assert collector.main(arguments) == 0
    monkeypatch.setattr(collector, "PROGRAM", "import time; time.sleep(60)")
    monkeypatch.setattr(collector, "LIMIT_S", 0.1)
    assert collector.main([*arguments[:-1], "2"]) == 0
    assert outcomes(rows) == {"lost": 1, "failed": 2, "timeout": 2}


def test_a_row_that_a_crash_tore_is_made_again(tmp_path: Path) -> None:
    rows = tmp_path / "rows.ndjson"
    arguments = ["--out", str(rows), "--repeats", "1"]
    assert collector.main(arguments) == 0
    rows.write_bytes(rows.read_bytes()[:-20])
    assert collector.main(arguments) == 0
    assert outcomes(rows) == {"passed": PLAN}
