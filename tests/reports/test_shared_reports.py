"""Published data in the reports: the honest figures, and no verdict where the guard speaks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchdata.reports import open_skill_leaderboard
from benchdata.reports.subjects import lift_tables
from tests.support import subjects

pytestmark = pytest.mark.shared_data


def test_a_curated_skill_is_better_by_the_honest_figures(
    root: Path, shared_data: Path, tmp_path: Path
) -> None:
    source = shared_data / "edge-skillsbench" / "trials.jsonl"
    example = root / "docs" / "examples" / "skillsbench.py"
    done = subprocess.run([sys.executable, example, source], capture_output=True, check=True)
    file = tmp_path / "trials.ndjson"
    file.write_bytes(done.stdout)
    report = open_skill_leaderboard([str(file)])
    (line,) = report.first_lines()
    assert "scored 23.96 points more in passed (+9.646 to +38.27 points, p 0.0020)" in line
    assert line.endswith("over 32 tasks, 15 of which moved: better.")
    (board,) = report.boards
    intervals = {entry.label: entry.summary.interval for entry in board.entries}
    ends = {name: (found.low, found.high) for name, found in intervals.items()}  # type: ignore[union-attr]
    assert ends["none"] == pytest.approx((0.176883, 0.465758), abs=5e-7)
    assert ends["curated"] == pytest.approx((0.387986, 0.687809), abs=5e-7)
    assert len(lift_tables.paired(board).rows) == 32
    shown = subjects.charts(subjects.parts(report, "skill_leaderboard"))
    assert shown == ["forest", "dumbbell", "heatmap", "tradeoff", "reach"]
