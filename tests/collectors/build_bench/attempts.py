"""Attempts of the scripted agent, made by the command itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.reports.scores import scores
from benchdata.stats.scoring import preset
from collectors.build_bench import scripts
from collectors.build_bench.cli import main
from collectors.harness.batches import RUNS, rows_of

T1 = "t1-storefront-api"
AT_OPUS = "claude-opus-4-5"
"""A model of 5 and 25 USD per million tokens."""
Reply = dict[str, Any]


def write(name: str, text: str) -> Reply:
    """Return a call that writes a file."""
    return {"name": "Write", "input": {"file_path": f"{{{{cwd}}}}/{name}", "content": text}}


def bash(command: str) -> Reply:
    """Return a call that runs a command."""
    return {"name": "Bash", "input": {"command": command}}


def turn(*calls: Reply, **rest: Any) -> Reply:
    """Return a message with calls."""
    return {"text": "Working.", "tool_calls": list(calls), **rest}


def start(command: str) -> Reply:
    """Return a message that writes a start script."""
    return turn(write("start.sh", f"#!/bin/sh\n{command}\n"), bash("chmod +x start.sh"))


@dataclass(frozen=True)
class Batch:
    """What a command left: its exit code and its folder."""

    code: int
    folder: Path

    @property
    def rows(self) -> list[dict[str, Any]]:
        lines = rows_of(self.folder).read_text("utf-8").splitlines()
        return [dict(BUILD_RUN.validate(json.loads(line))) for line in lines]

    @property
    def row(self) -> dict[str, Any]:
        (row,) = self.rows
        return row

    def run(self, row: Mapping[str, Any] | None = None) -> Path:
        """Return the folder of the only attempt, or of that of a row."""
        if row is not None:
            return self.folder / RUNS / str(row["run_id"])
        (found,) = (path for path in (self.folder / RUNS).iterdir() if path.is_dir())
        return found


def scripted(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    replies: Sequence[Reply],
    task: str = T1,
    lane: str = "node",
    **more: Reply,
) -> None:
    """Let the scripted agent follow these replies in a task of a lane; see scripted_model."""
    path = folder / "scripted" / lane / f"{task}.json"
    path.parent.mkdir(parents=True)
    script = {"replies": list(replies), "default": {"text": "Done."}, **more}
    path.write_text(json.dumps(script), "utf-8")
    monkeypatch.setattr(scripts, "FOLDER", folder / "scripted")


def made(folder: Path, *options: str, task: str = T1, lane: str = "node") -> Batch:
    """Run the command for a task of a lane."""
    out = folder / "batch"
    cells = ("--lane", lane, "--task", task, "--agent", "scripted")
    return Batch(main(["self", *cells, "--out", str(out), "--yes", *options]), out)


def composite(batch: Batch) -> object:
    """Return the default composite of the one lane of a batch."""
    (line,) = scores(benchdata.open([str(rows_of(batch.folder))]), preset("default")).lines
    return line.summary.estimate


def composite_by_hand(row: Mapping[str, Any]) -> float:
    """Return what the protocol's table makes of a run that is green by its fifth turn."""
    cost, wall = (2 - row["total_cost_usd"]) / (2 - 0.05), (900 - row["wall_s"]) / (900 - 60)
    shares = (row["test_pass_rate"], 1, cost, min(1, wall), row["rubric_pass_rate"])
    weights = (0.45, 0.15, 0.10, 0.10, 0.20)
    return float(sum(weight * share for weight, share in zip(weights, shares, strict=True)))
