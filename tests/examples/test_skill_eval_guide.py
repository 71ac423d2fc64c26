"""The guide to benchmarking a skill: its commands run as they stand, and show what it says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from collectors.harness import batches
from collectors.harness.gateway.script_file import Reply, Route, ScriptFile
from collectors.harness.user_settings import ENDPOINT, PRICES
from collectors.skill_eval.spec import MOST_EXECUTIONS, SpecFile
from collectors.skill_eval.tasks import TaskLine
from tests.collectors.harness.conftest import installed
from tests.support.benchmarks import collected, rows_of, written
from tests.support.command import ROOT, Done, run
from tests.support.messages_api import serving

GUIDE = (ROOT / "docs" / "skill-eval.md").read_text("utf-8")
SKILL, TASKS, SPEC, DRY_RUN, REAL_RUN, PUBLISH, MERGE = re.findall(
    r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL
)
PLAN, LIFT, GATE = re.findall(r"^```text\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
(JUDGE,) = re.findall(r"^```json\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
LINKS = re.findall(r"\]\(([^)]+)\)", GUIDE)


class Reader(NamedTuple):
    """Someone who follows the guide in an empty folder."""

    folder: Path

    def run(self, *blocks: str, **variables: str) -> Done:
        """Run blocks of the guide."""
        done = subprocess.run(
            ["sh", "-c", "".join(blocks)],
            cwd=self.folder,
            env=os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"} | variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    @property
    def benchmark(self) -> Path:
        return self.folder / "my-benchmark"


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    command = tmp_path / "benchdata"
    script = f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m benchdata "$@"\n'
    command.write_text(script, "utf-8")
    command.chmod(0o755)
    return Reader(tmp_path)


@pytest.mark.slow
def test_a_skill_becomes_a_result_a_report_and_a_leaderboard(reader: Reader) -> None:
    done = reader.run(SKILL, TASKS, SPEC, DRY_RUN)
    assert done.code == 0, done.err
    assert done.err.startswith(PLAN)
    assert LIFT.strip() in done.out
    rows = rows_of(reader.benchmark / "result")
    assert len(rows) == 24
    assert {row["score"] for row in rows if row["arm"] != "none"} == {1.0}
    assert {row["skill_read"] for row in rows if row["arm"] != "none"} == {True}

    done = reader.run(PUBLISH)
    assert done.code == 3, done.err
    assert done.out.partition("\n")[2].startswith(GATE)
    (page,) = (reader.benchmark / "reports").glob("*-skill-leaderboard-*/report.html")
    assert "local:version-bump" in page.read_text("utf-8")

    before = batches.rows_of(reader.benchmark / "result").read_bytes()
    done = reader.run(MERGE)
    assert done.code == 0, done.err
    assert batches.rows_of(reader.benchmark / "result").read_bytes() == before
    board = json.loads((reader.benchmark / "leaderboard.json").read_text("utf-8"))
    assert [one["key"]["category"] for one in board["benchmarks"]] == ["version-bumps"]


def test_a_scripted_judge_answers_as_the_guide_says(tmp_path: Path) -> None:
    task = {"id": "sum", "prompt": "6 x 7?", "grader": "llm-judge", "reference": "It is 42."}
    script = {"routes": [json.loads(JUDGE)], "default": {"text": "42"}}
    file = written(tmp_path / "spec", tasks=[task], script=script)
    done = collected(file, "--yes", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    assert {(row["grader"], row["score"]) for row in rows_of(tmp_path / "out")} == {
        ("llm-judge", 1.0)
    }


@pytest.mark.agents
def test_the_real_run_is_the_same_with_a_real_agent(reader: Reader) -> None:
    installed("claude")
    with serving({"default": {"text": '{"bump": "patch", "version": "1.4.3"}'}}) as server:
        done = reader.run(SKILL, TASKS, SPEC, REAL_RUN, **{ENDPOINT: server.url})
        assert done.code == 1
        assert done.err.startswith(PLAN)
        assert "--yes: is needed where nobody can be asked" in done.err
        done = reader.run(REAL_RUN.replace("\n", " --yes --runs 1\n"), **{ENDPOINT: server.url})
    assert done.code == 0, done.err
    rows = rows_of(reader.benchmark / "measured")
    assert {(row["agent"], row["score"]) for row in rows if row["task_id"] == "repair"} == {
        ("claude", 1.0)
    }
    assert {row["skill_read"] for row in rows} == {False}


def test_the_guide_names_the_variables_the_keys_of_a_script_and_the_limit() -> None:
    keys = {*ScriptFile.model_fields, *Route.model_fields}
    told = {"text", "thinking", "tool_calls", "usage", "delay_s", "status", "error_type", "consume"}
    assert told <= {*Reply.model_fields}
    assert [name for name in {*keys, *told, ENDPOINT, PRICES} if name not in GUIDE] == []
    assert f"{MOST_EXECUTIONS:,} executions" in GUIDE


def test_the_guide_names_every_flag_and_key() -> None:
    keys = {
        field.alias or name
        for model in (SpecFile, TaskLine)
        for name, field in model.model_fields.items()
    }
    flags = re.findall(r"--[a-z-]+", run("collect", "skill-eval", "--help").out)
    assert "--leaderboard" in flags
    assert [name for name in {*flags, *keys} - {"--help"} if name not in GUIDE] == []


def test_its_links_lead_somewhere() -> None:
    assert [link for link in LINKS if not (ROOT / "docs" / link).is_file()] == []
