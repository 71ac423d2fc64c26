"""The tool `benchmark`: a plan and a token first, a run only with that token, then its result."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchdata.mcp.server import Server
from collectors.harness import batches
from collectors.skill_eval import benchmark, mcp_tool
from collectors.skill_eval.mcp_tool import Benchmarks
from collectors.skill_eval.tokens import LIFETIME_S, Tokens
from tests.support import benched
from tests.support.benchmarks import SUM, collected, skill
from tests.support.mcp_calls import call, data, refused, text, tools, watched

SEED = {
    *("skills", "tasks", "task_file", "category", "task_count", "runs", "agent", "model"),
    *("timeout_ms", "confirmation_token", "confirm"),
}


@dataclass
class Bench:
    """A server that was started in a folder, and what to ask it for."""

    folder: Path
    server: Server
    asked: dict[str, Any]

    def plan(self, **arguments: Any) -> dict[str, Any]:
        """Ask for the plan."""
        found = data(call(self.server, "benchmark", **self.asked, **arguments))
        assert found["status"] == "plan", found
        plan: dict[str, Any] = found["plan"]
        return plan

    def token(self) -> str:
        """Ask for the plan and return its token."""
        token: str = self.plan()["confirmation_token"]
        return token

    def refusal(self, token: str, **arguments: Any) -> str:
        """Return why a token was refused; it must have run nothing."""
        found = call(self.server, "benchmark", **(self.asked | arguments), confirmation_token=token)
        assert (data(found)["status"], data(found)["run"]) == ("refused", None)
        assert not self.evals()
        return text(found)

    def evals(self) -> list[Path]:
        """Return the folders of benchmarks."""
        return sorted((self.folder / "config" / "benchdata" / "evals").glob("*"))


def started(folder: Path, **options: Any) -> Server:
    """Return a server as `benchdata mcp` starts it in a folder."""
    server = Server("")
    mcp_tool.add(server, Benchmarks(folder, **options))
    return server


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    made = Bench(tmp_path, started(tmp_path), benched.place(tmp_path))
    with made.server.closing:
        yield made


def test_it_has_the_arguments_by_which_agents_know_it(bench: Bench) -> None:
    found = tools(bench.server)
    tool = found["benchmark"]
    assert set(tool.input_schema["properties"]) == SEED
    assert tool.input_schema["required"] == ["skills"]
    assert tool.description is not None
    assert "wait for an explicit yes" in tool.description
    assert "invoice-extraction" in tool.description
    assert {
        name: one.annotations and one.annotations.read_only_hint for name, one in found.items()
    } == {
        "benchmark": False,
        "benchmark_status": True,
        "benchmark_result": True,
    }


def test_the_first_call_runs_nothing_and_tells_the_whole_plan(bench: Bench) -> None:
    found = call(bench.server, "benchmark", **bench.asked, runs=3, timeout_ms=60_000)
    plan = data(found)["plan"]
    assert plan["arms"] == ["none", "local:adder"]
    assert [task["prompt"] for task in plan["tasks"]] == ["6 x 7?"]
    assert (plan["executions"], plan["runs"], plan["timeout_ms"]) == (6, 3, 60_000)
    assert plan["worst_case_agent_hours"] == pytest.approx(0.1)
    assert plan["valid_minutes"] == 30
    for said in (*plan["lines"], plan["confirmation_token"], "explicit yes", "Task sum (document"):
        assert said in text(found)
    assert not bench.evals()


def test_one_skill_runs_once_and_several_run_twice(bench: Bench) -> None:
    skill(bench.folder / "other")
    assert bench.plan()["runs"] == 1
    bench.asked["skills"] = ["adder", "other"]
    assert (bench.plan()["runs"], bench.plan()["executions"]) == (2, 6)


def test_the_plan_shows_no_more_of_a_task_than_a_reader_bears(bench: Bench) -> None:
    task = {**SUM, "prompt": "Add.\n\x1b[2J\n" + "9 " * 10_000}
    bench.asked = bench.asked | {"task_file": None, "tasks": [task]}
    (shown,) = bench.plan()["tasks"]
    assert shown["prompt"].startswith("Add. ")
    assert len(shown["prompt"]) == 400
    assert shown["prompt"].isprintable()


def test_with_the_token_it_runs_and_the_expected_lift_is_found(bench: Bench) -> None:
    found = data(call(bench.server, "benchmark", **bench.asked, confirmation_token=bench.token()))
    run = found["run"]
    found = data(call(bench.server, "benchmark_status", run_id=run["run_id"], wait_s=50))
    assert (found["status"], found["run"]["done"], found["run"]["executions"]) == ("finished", 2, 2)
    assert found["run"]["summary"] is None
    result = call(bench.server, "benchmark_result", run_id=run["run_id"])
    (folder,) = bench.evals()
    assert folder.name == run["run_id"]
    assert data(result)["run"]["summary"] == (folder / "report.md").read_text()
    assert data(result)["run"]["report"] == str(folder / "report.html")
    assert "With local:adder" in text(result)
    rows = [json.loads(line) for line in batches.rows_of(folder).read_text().splitlines()]
    assert {(row["arm"], row["score"]) for row in rows} == {("none", 0), ("local:adder", 1)}


def test_where_sharing_is_on_it_is_said_why_a_pipeline_proof_is_not_shared(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHDATA_SHARE_URL", "http://127.0.0.1:9")
    found = data(call(bench.server, "benchmark", **bench.asked, confirmation_token=bench.token()))
    status = {"run_id": found["run"]["run_id"], "wait_s": 50}
    found = data(call(bench.server, "benchmark_status", **status))
    assert (found["status"], len(found["run"]["said"])) == ("finished", 2)
    assert "shared" in found["run"]["said"][1]


def test_a_token_serves_once(bench: Bench) -> None:
    token = bench.token()
    call(bench.server, "benchmark", **bench.asked, confirmation_token=token)
    found = call(bench.server, "benchmark", **bench.asked, confirmation_token=token)
    assert data(found)["status"] == "refused"
    assert "was used before" in text(found)
    assert len(bench.evals()) == 1


@pytest.mark.parametrize("confirm", [True, False])
def test_to_confirm_alone_runs_nothing(bench: Bench, confirm: bool) -> None:
    assert bench.plan(confirm=confirm)["executions"] == 2
    assert not bench.evals()


def test_a_no_runs_nothing_and_leaves_the_token(bench: Bench) -> None:
    token = bench.token()
    assert "confirm: is false" in bench.refusal(token, confirm=False)
    found = call(bench.server, "benchmark", **bench.asked, confirmation_token=token, confirm=True)
    assert data(found)["status"] in {"running", "finished"}


@pytest.mark.parametrize("guess", ["yes", "", "x" * 43])
def test_a_guess_runs_nothing(bench: Bench, guess: str) -> None:
    bench.token()
    assert "is not one of this server's" in bench.refusal(guess)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"runs": 2}, "repeats"),
        ({"timeout_ms": 1_000}, "timeout"),
        ({"model": "another-1"}, "model"),
        ({"skills": ["adder/SKILL.md", "none"], "runs": 5}, "repeats"),
        ({"task_file": None, "tasks": [{**SUM, "prompt": "3 + 3?"}]}, "tasks"),
    ],
)
def test_the_token_of_another_plan_runs_nothing(
    bench: Bench, change: dict[str, Any], named: str
) -> None:
    said = bench.refusal(bench.token(), **change)
    assert "is for another plan, which had other" in said
    assert named in said


@pytest.mark.parametrize(
    ("file", "content", "named"),
    [
        ("cases.jsonl", json.dumps({**SUM, "expected": "5"}), "tasks"),
        ("adder/SKILL.md", "---\nname: adder\ndescription: Other words.\n---\n", "arms"),
        ("adder/more.md", "Added.", "arms"),
    ],
)
def test_files_that_changed_since_the_plan_run_nothing(
    bench: Bench, file: str, content: str, named: str
) -> None:
    token = bench.token()
    (bench.folder / file).write_text(content)
    assert f"is for another plan, which had other {named};" in bench.refusal(token)


@pytest.mark.parametrize("file", ["desk/notes.txt", "grade.py"])
def test_a_workspace_or_grader_that_changed_since_the_plan_runs_nothing(
    bench: Bench, file: str
) -> None:
    (bench.folder / "desk").mkdir()
    (bench.folder / "desk" / "notes.txt").write_text("as it was")
    (bench.folder / "grade.py").write_text("def grade(expected, output):\n    return {}\n")
    task = {"id": "sum", "prompt": "6 x 7?", "mode": "agent", "workspace": "desk"}
    task |= {"grader": "script", "script": "grade.py"}
    bench.asked = bench.asked | {"task_file": None, "tasks": [task]}
    plan = bench.plan()
    assert (plan["tasks"][0]["workspace"], plan["tasks"][0]["script"]) == ("desk", "grade.py")
    (bench.folder / file).write_text("def grade(*as_it_is_now): ...\n")
    assert "which had other tasks;" in bench.refusal(plan["confirmation_token"])


def test_an_agent_of_another_version_runs_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = bench.folder / "bin" / "claude"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "placeholder")
    bench.asked["agent"] = "claude"

    def install(version: str) -> None:
        program.write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n")
        program.chmod(0o755)

    install("2.1.1")
    plan = bench.plan()
    assert (plan["agent"], plan["agent_version"]) == ("claude", "2.1.1")
    install("2.1.2")
    said = bench.refusal(plan["confirmation_token"])
    assert "which had other agent version;" in said
    assert "placeholder" not in said + json.dumps(plan)


def test_a_token_is_gone_with_a_restart(bench: Bench) -> None:
    token = bench.token()
    bench.server = started(bench.folder)
    assert "is not one of this server's" in bench.refusal(token)


def test_a_token_is_too_old_after_half_an_hour(bench: Bench) -> None:
    now = [0.0]
    bench.server = started(bench.folder, tokens=Tokens(lambda: now[0]))
    token = bench.token()
    now[0] = LIFETIME_S
    assert "is older than 30 minutes" in bench.refusal(token)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"skills": []}, "skills: "),
        ({"skills": ["adder"] * 7}, "skills: "),
        ({"skills": ["adder", "adder"]}, "two arms would be named local:adder"),
        ({"skills": ["none"]}, "no skill is named"),
        ({"skills": ["nowhere"]}, "is neither none, a reference owner/repo@skill, nor the path"),
        ({"task_count": 2}, "task_count: goes with category alone"),
        ({"category": "invoice-extraction"}, "exactly one of tasks, task_file and category"),
        ({"task_file": None}, "exactly one of tasks, task_file and category, not none"),
        ({"runs": 0}, "runs: must be greater than or equal to 1"),
        ({"timeout_ms": 10}, "timeout_ms: must be "),
        ({"agent": "gemini"}, "gemini"),
        ({"model": "claude-latest"}, "model: "),
        ({"confirmation_tokn": "x"}, "did you mean `confirmation_token`"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_a_sentence(
    bench: Bench, arguments: dict[str, Any], words: str
) -> None:
    said = refused(call(bench.server, "benchmark", **(bench.asked | arguments)))
    assert words in said
    assert "\n" not in said


def test_a_long_run_goes_on_in_the_background_and_reports_its_progress(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_tool, "AT_ONCE_S", 0.1)
    benched.delay(bench.folder, 1.5)
    found = data(call(bench.server, "benchmark", **bench.asked, confirmation_token=bench.token()))
    assert found["status"] == "running"
    assert "benchmark_status" in found["message"]
    run_id = found["run"]["run_id"]
    assert data(call(bench.server, "benchmark_result", run_id=run_id))["status"] == "running"
    heard: list[tuple[float, float | None, str | None]] = []
    status = {"run_id": run_id, "wait_s": 50}
    found = data(
        watched(bench.server, lambda *one: heard.append(one), "benchmark_status", **status)
    )
    assert found["status"] == "finished"
    assert heard
    assert {total for _, total, _ in heard} == {2}
    assert [done for done, _, _ in heard] == sorted(done for done, _, _ in heard)


def test_what_runs_ends_with_the_server(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_tool, "AT_ONCE_S", 2)
    benched.delay(bench.folder, 300)
    found = data(call(bench.server, "benchmark", **bench.asked, confirmation_token=bench.token()))
    begun = time.monotonic()
    bench.server.closing.close()
    assert time.monotonic() - begun < 20
    found = data(call(bench.server, "benchmark_result", run_id=found["run"]["run_id"]))
    assert (found["status"], found["run"]["summary"]) == ("stopped", None)


def test_a_run_that_is_not_there_is_refused(bench: Bench) -> None:
    (bench.folder / "config" / "benchdata" / "evals").mkdir(parents=True)
    for run_id in ("", ".", "..", "../evals", "/", "0" * 32, str(bench.folder)):
        for tool in ("benchmark_status", "benchmark_result"):
            said = refused(call(bench.server, tool, run_id=run_id))
            assert said.startswith("run_id: no benchmark has the id ")


def test_the_command_line_has_the_same_plan_and_the_same_summary(bench: Bench) -> None:
    folder = batches.new_folder(os.environ, benchmark.KIND)
    done = collected(bench.folder / "spec.json", "--yes", "--out", folder)
    plan = bench.plan()["lines"]
    assert done.err.splitlines()[: len(plan)] == plan
    found = data(call(started(bench.folder), "benchmark_result", run_id=folder.name))
    assert (found["status"], found["run"]["done"]) == ("finished", 2)
    assert found["run"]["summary"] == done.out
