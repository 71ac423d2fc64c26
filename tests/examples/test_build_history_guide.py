"""The guide to a build bench's history: its commands run, its weights are those of the presets."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from benchdata.stats.scoring import AXES, PRESETS
from tests.support.command import ROOT
from tests.support.options import unknown

GUIDE = (ROOT / "docs" / "build-history.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
TABLE = re.findall(r"^\| `([a-z-]+)` \|((?: [\d. ]*\|)+)$", GUIDE, re.MULTILINE)
PLAN = (ROOT / "docs" / "build-bench.md").read_text("utf-8")
NAMES = re.findall(r"^\| `(?:bench:|--)[^|]*\|[^|]*?`(benchdata [^`]+)`", PLAN, re.MULTILINE)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every command of the guide was run."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "datasets").symlink_to(ROOT / "datasets")
    command = folder / "bin" / "benchdata"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m benchdata "$@"\n', "utf-8")
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    for block in BLOCKS:
        done = subprocess.run(
            ["sh", "-ec", block],
            cwd=folder,
            env=os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (block, done.stderr)
    return folder


@pytest.mark.slow
def test_its_commands_leave_a_history_and_two_reports(reader: Path) -> None:
    (record,) = (reader / "results" / "history").glob("*.json")
    assert json.loads(record.read_text("utf-8")) == json.loads(
        (reader / "results" / "latest.json").read_text("utf-8")
    )
    summary = (reader / "results" / "summary.md").read_text("utf-8")
    (columns,) = re.findall(r"its runs as a table \((.*?)\)", GUIDE)
    assert f"| {' | '.join(columns.split(', '))} |" in summary
    pages = sorted(page.read_text("utf-8") for page in (reader / "reports").glob("*/report.html"))
    assert len(pages) == 2
    assert sum("Asked of the lane" in page for page in pages) == 1


def test_its_weights_are_those_of_the_presets() -> None:
    written = {name: [cell.strip() for cell in cells.split("|")[:-1]] for name, cells in TABLE}
    axes = ("test_pass_rate", "turns_to_green", "cost_usd", "wall_s", "rubric_pass_rate")
    assert {*axes} == {*AXES}
    weights = {
        name: {axis.name: f"{axis.weight:.2f}" for axis in preset.axes}
        for name, preset in PRESETS.items()
    }
    assert written == {
        name: [each.get(axis, "") for axis in axes] for name, each in weights.items()
    }


def test_the_names_of_the_plan_are_commands_that_exist() -> None:
    assert len(NAMES) >= 6
    assert [(name, gone) for name in NAMES if (gone := unknown(shlex.split(name)[1:]))] == []
