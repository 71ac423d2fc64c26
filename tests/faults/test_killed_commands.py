"""Commands that write are killed at random moments: all is there or nothing, never half."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import benchdata
from benchdata.reports import manifest as report_manifest
from benchdata.rows import manifest
from collectors.skill_eval.leaderboard import LeaderboardFile
from tests.support.armed import skills
from tests.support.command import ROOT, run
from tests.support.drawn import write
from tests.support.intake import lines
from tests.support.jev_social import numbered_row
from tests.support.killing import Kills, kill_again_and_again
from tests.support.proven import Proven
from tests.support.sized import DATASETS
from tests.support.templates import written

pytestmark = [pytest.mark.faults, pytest.mark.slow]

TIMES = 100
ROWS = 400
MERGE = """
import sys
from pathlib import Path
import benchdata
from collectors.skill_eval.leaderboard import merge
for file in sys.argv[2:]:
    merge(Path(sys.argv[1]), benchdata.open(file))
    print(file, flush=True)
"""


def command(*arguments: str | Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def rows_of(folder: Path, number: int) -> Path:
    """Return a file of rows that no other number has."""
    file = folder / f"{number}.ndjson"
    if not file.exists():
        numbers = range(ROWS * number, ROWS * (number + 1))
        file.write_bytes(lines(map(numbered_row, numbers)))
    return file


def test_a_lake_holds_whole_files(tmp_path: Path, proven: Proven) -> None:
    lake = tmp_path / "lake"

    def holds() -> None:
        if manifest.is_lake(lake):
            assert benchdata.open(lake).rows % ROWS == 0

    def start(number: int) -> subprocess.Popen[bytes]:
        return command("-m", "benchdata", "freeze", rows_of(tmp_path, number), "--into", lake)

    kills = kill_again_and_again(start, TIMES, holds)
    files = sorted(tmp_path.glob("*.ndjson"))
    assert run("freeze", *files, "--into", lake).code == 0
    assert benchdata.open(lake).rows == ROWS * len(files)
    proven(
        "SIGKILL: freeze",
        kills.killed,
        f"{len(files) * ROWS:,} rows, each once",
    )


def test_a_cache_answers_as_if_there_were_none(
    tmp_path: Path, proven: Proven, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.delenv("BENCHDATA_NO_CACHE")
    monkeypatch.setenv("BENCHDATA_CACHE", str(tmp_path / "cache"))

    def start(number: int) -> subprocess.Popen[bytes]:
        asked.append(rows_of(tmp_path, number))
        return command("-m", "benchdata", "validate", asked[-1])

    def holds() -> None:
        found = benchdata.open(asked[-1]).frame()
        assert (found.height, found["run_id"].n_unique()) == (ROWS, ROWS)

    kills = kill_again_and_again(start, TIMES, holds)
    proven("SIGKILL: cache", kills.killed, f"{len(asked):,} answers, each that of the rows")


def test_a_report_is_whole_or_not_there(tmp_path: Path, proven: Proven) -> None:
    out = tmp_path / "out"
    template = written(tmp_path / "mine.ipynb", "from pathlib import Path", "times")

    def start(number: int) -> subprocess.Popen[bytes]:
        asked = ("report", template, DATASETS / "jev-social-demo", "--out", out)
        return command("-m", "benchdata", *asked, "-p", f"times={number}")

    def holds() -> None:
        for folder in visible(out):
            found = report_manifest.read(folder)
            assert report_manifest.folder_name(found) == folder.name
            assert (folder / "report.html").read_text("utf-8").rstrip().endswith("</html>")
            for name in ("summary.json", "report.ipynb"):
                json.loads((folder / name).read_bytes())

    kills = kill_again_and_again(start, TIMES, holds)
    assert run("report", template, DATASETS / "jev-social-demo", "--out", out).code == 0
    assert not [entry.name for entry in out.iterdir() if entry.name.startswith(".")]
    proven(
        "SIGKILL: report",
        kills.killed,
        f"{len(visible(out)):,} reports, all whole",
    )


def visible(out: Path) -> list[Path]:
    there = out.iterdir() if out.is_dir() else ()
    return [entry for entry in there if not entry.name.startswith(".")]


def test_a_leaderboard_keeps_what_was_merged(tmp_path: Path, proven: Proven) -> None:
    board = tmp_path / "board.json"
    arms = {"none": 0.2, "acme/skills@reader": 0.5}
    merged: set[str] = set()

    def start(number: int) -> subprocess.Popen[bytes]:
        models = [f"acme/model-{number}-{one}" for one in "abcd"]
        files = [
            write(
                tmp_path / f"{model.rpartition('/')[2]}.ndjson", skills(arms, tasks=2, model=model)
            )
            for model in models
        ]
        return command("-c", MERGE, board, *files)

    def holds() -> None:
        if board.exists():
            found = LeaderboardFile.model_validate_json(board.read_bytes())
            models = {each.key["model"] for each in found.benchmarks}
            assert merged <= models
            merged.update(models)

    kills = kill_again_and_again(start, TIMES, holds)
    proven(
        "SIGKILL: leaderboard merge",
        kills.killed,
        f"{len(merged):,} results, none lost",
    )


def test_kills_are_counted_and_a_broken_promise_is_found(tmp_path: Path) -> None:
    """A program that writes its file in two halves does not pass."""
    file = tmp_path / "file"
    program = (
        f"import time\nfor half in 'ab':\n open({str(file)!r}, 'a').write(half)\n time.sleep(.3)"
    )

    def holds() -> None:
        assert file.read_text() in {"", "ab" * (len(file.read_text()) // 2)}

    def start(_number: int) -> subprocess.Popen[bytes]:
        return command("-c", program)

    with pytest.raises(AssertionError):
        kill_again_and_again(start, 20, holds)
    file.write_text("")
    assert kill_again_and_again(start, 1, lambda: None) == Kills(1, 0)
