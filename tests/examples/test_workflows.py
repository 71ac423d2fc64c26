"""The example workflows: they parse, their commands exist, those that need no agent run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.armed import uuid
from tests.support.command import ROOT, run
from tests.support.drawn import Row, write
from tests.support.options import unknown
from tests.support.planned import plan
from tests.support.sized import DATASETS

FOLDER = ROOT / "docs" / "workflows"
FILES = ("build-agent-run.yml", "build-conformance.yml", "gate.yml")
EXPRESSION = re.compile(r"\$\{\{.*?\}\}")
ROWS = ("$ROWS", "rows", "results/rows")


def workflow(name: str) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load((FOLDER / name).read_text("utf-8"))
    return found


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


def commands(name: str) -> Iterator[list[str]]:
    """Yield every benchdata command of a workflow as its arguments."""
    for step in steps(name):
        for line in step.get("run", "").splitlines():
            if line.startswith("benchdata "):
                yield shlex.split(EXPRESSION.sub("x", line))[1:]


def test_all_of_them_are_tested() -> None:
    assert sorted(file.name for file in FOLDER.iterdir()) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_every_step_does_one_thing_and_every_command_exists(name: str) -> None:
    assert all(("run" in step) != ("uses" in step) for step in steps(name))
    found = [*commands(name)]
    assert found
    assert [(each, gone) for each in found if (gone := unknown(each))] == []


def test_conformance_needs_no_key_and_runs_per_push_and_release() -> None:
    text = (FOLDER / "build-conformance.yml").read_text("utf-8")
    assert "secrets." not in text
    assert {*workflow("build-conformance.yml")[True]} == {"push", "release"}  # YAML 1.1: on is true
    lanes = workflow("build-conformance.yml")["jobs"]["conformance"]["strategy"]["matrix"]["lane"]
    assert sorted(lanes) == sorted(
        path.name for path in (ROOT / "collectors" / "build_bench" / "references").iterdir()
    )


def test_the_key_is_seen_by_the_one_step_that_builds() -> None:
    name = "build-agent-run.yml"
    assert {*workflow(name)[True]} == {"workflow_dispatch", "schedule"}
    with_key = [step for step in steps(name) if "secrets." in str(step)]
    assert [step["name"] for step in with_key] == ["Let the agent build"]
    assert "env" not in workflow(name)["jobs"]["build"]
    assert "secrets." not in str(workflow(name)["env"])


@pytest.mark.parametrize("name", FILES[:2])
def test_what_needs_no_agent_runs_on_rows(name: str) -> None:
    demo = str(DATASETS / "build-run-demo")
    for arguments in commands(name):
        if arguments[0] in {"collect", "report"}:  # the guides run these
            continue
        done = run(*[demo if word in ROWS else word for word in arguments])
        assert done.code in {0, 3}, (arguments, done.err)


def test_the_gate_of_a_pull_request_needs_no_key_and_may_only_read() -> None:
    text = (FOLDER / "gate.yml").read_text("utf-8")
    assert "secrets." not in text
    assert {*workflow("gate.yml")[True]} == {"pull_request"}
    assert workflow("gate.yml")["permissions"] == {"contents": "read"}


@pytest.mark.parametrize(("score", "codes"), [(0.9, [0, 0, 0, 0]), (0.3, [0, 0, 3, 0])])
def test_the_gate_of_a_pull_request_runs_on_new_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, score: float, codes: list[int]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = workflow("gate.yml")["env"]["ROWS"]
    for folder, first, reached in (("before", 0, 0.9), (".", 500, score)):
        write(Path(folder, rows), scored(first, reached))
    done = [
        run(*[word.replace("$ROWS", rows) for word in takewhile(">>".__ne__, arguments)])
        for arguments in commands("gate.yml")
    ]
    assert [each.code for each in done] == codes, [each.out + each.err for each in done]
    (upload,) = (step for step in steps("gate.yml") if "upload-artifact" in step.get("uses", ""))
    files = sorted(path.name for path in Path(upload["with"]["path"]).iterdir())
    assert files == ["compare.xml", "gate.xml", "validate.xml"]


def scored(first: int, score: float) -> list[Row]:
    """Return runs of one skill and none, that a gate lets pass; those with the skill reach this."""
    rows = plan(tasks=8)
    return [
        row
        | {
            "run_id": uuid(first + number),
            "benchmark_id": uuid(90_000 + first),
            "score": score + number % 5 / 100,
            "grader": "exact",
            "fields_correct": None,
            "fields_total": None,
        }
        for number, row in enumerate(rows)
    ]
