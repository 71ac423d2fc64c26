"""The shipped specs on the scripted agent: a known lift, by the command that a user types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchdata.contracts.usage import TOKEN_FIELDS
from collectors.harness import batches, stage_file, trees
from collectors.harness.schedule import interleaved
from collectors.skill_eval import benchmark
from tests.support.benchmarks import SPECS, collected, rows_of
from tests.support.command import Done


class Shipped(NamedTuple):
    """What a spec comes to: the baseline's score by task, and what one run of each arm uses."""

    name: str
    skill: str
    baseline: Mapping[str, float]
    tokens: Mapping[str, int]
    turns: Mapping[str, int]
    grader: str
    mode: str


INVOICES = Shipped(
    name="invoice-extraction",
    skill="local:invoice-fields",
    baseline={
        "kiosk-supplies": 5 / 8,
        "river-print": 4 / 8,
        "cloud-month": 6 / 8,
        "atelier": 4 / 8,
    },
    tokens={"none": 850 + 110, "local:invoice-fields": 900 + 30 + 1_400 + 120},
    turns={"none": 1, "local:invoice-fields": 2},
    grader="json-fields",
    mode="document",
)
SECURITY = Shipped(
    name="security-review",
    skill="local:security-checklist",
    baseline={"notes-api": 3 / 5, "upload-service": 1 / 4},
    tokens={
        "none": 650 + 40 + 1_500 + 120,
        "local:security-checklist": 700 + 60 + 2_100 + 180,
    },
    turns={"none": 2, "local:security-checklist": 2},
    grader="script",
    mode="agent",
)
RUNS = 2


class Ran(NamedTuple):
    """A spec that was run: what was expected, how the command ended, and its folder."""

    spec: Shipped
    done: Done
    out: Path
    sources: tuple[str, str]

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        return rows_of(self.out)


@pytest.fixture(scope="module", params=[INVOICES, SECURITY], ids=lambda spec: spec.name)
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    spec = request.param
    out = tmp_path_factory.mktemp("evals") / spec.name
    before = trees.digest(SPECS / spec.name)
    done = collected(SPECS / spec.name / "spec.json", "--agent", "scripted", "--yes", "--out", out)
    return Ran(spec, done, out, (before, trees.digest(SPECS / spec.name)))


def test_every_score_is_the_one_of_the_script(ran: Ran) -> None:
    assert ran.done.code == 0, ran.done.err
    expected = {
        (arm, task, repeat): score if arm == "none" else 1.0
        for task, score in ran.spec.baseline.items()
        for arm in ("none", ran.spec.skill)
        for repeat in range(1, RUNS + 1)
    }
    found = {(row["arm"], row["task_id"], row["repeat"]): row["score"] for row in ran.rows}
    assert found == expected
    assert len(ran.rows) == len(expected)
    assert {row["outcome"] for row in ran.rows} == {"completed"}
    assert {row["passed"] for row in ran.rows if row["arm"] == "none"} == {False}
    assert {row["passed"] for row in ran.rows if row["arm"] != "none"} == {True}
    assert {(row["grader"], row["mode"]) for row in ran.rows} == {(ran.spec.grader, ran.spec.mode)}


def test_the_lift_is_that_of_the_scores(ran: Ran) -> None:
    report = json.loads((ran.out / benchmark.REPORT_JSON).read_text())
    (board,) = report["summary"]["leaderboards"]
    best, baseline = board["entries"]
    mean = sum(ran.spec.baseline.values()) / len(ran.spec.baseline)
    assert (best["arm"], baseline["arm"]) == (ran.spec.skill, "none")
    assert (best["mean"], baseline["mean"]) == pytest.approx((1.0, mean))
    assert best["lift"]["estimate"] == pytest.approx(1 - mean)
    assert best["lift"]["kind"] == "none"  # a pipeline proof has no verdict
    assert ran.done.out.startswith("# skill-run summary\n\n**SYNTHETIC")
    assert ran.done.out == benchmark.summary(ran.out)


def test_skill_tokens_turns_and_cost_are_told(ran: Ran) -> None:
    for row in ran.rows:
        own = row["arm"] == ran.spec.skill
        facts = ("skill_installed", "skill_listed", "skill_read", "other_skills")
        assert [row[name] for name in facts] == [own, own, own, 0]
        (usage,) = row["usage"]
        assert sum(usage[name] for name in TOKEN_FIELDS) == ran.spec.tokens[row["arm"]]
        assert row["turns"] == ran.spec.turns[row["arm"]]
        assert row["total_cost_usd"] == 0


def test_every_arm_has_the_same_budget(ran: Ran) -> None:
    names = ("timeout_ms", "model", "agent", "agent_version", "planned_repeats", "sandbox")
    alike = {tuple(row[name] for name in names) for row in ran.rows}
    assert len(alike) == 1
    by_task = {(row["task_id"], row["task_digest"]) for row in ran.rows}
    assert len(by_task) == len(ran.spec.baseline)


def test_arms_take_turns_in_a_seeded_order(ran: Ran) -> None:
    facts = stage_file.read(ran.out / batches.STAGE)
    assert facts
    arms, tasks = facts.experiment.arms, facts.experiment.tasks
    assert facts.order == interleaved(arms, tasks, RUNS, facts.seed)
    for start in range(0, len(facts.order), len(arms)):
        block = facts.order[start : start + len(arms)]
        assert {cell.arm for cell in block} == set(arms)
        assert len({(cell.task, cell.repeat) for cell in block}) == 1
    placed = {(cell.arm, cell.task, cell.repeat): cell.position for cell in facts.order}
    rows = {(row["arm"], row["task_id"], row["repeat"]): row["position"] for row in ran.rows}
    assert rows == placed
    assert {row["spec_digest"] for row in ran.rows} == {facts.spec_digest}
    assert {row["benchmark_id"] for row in ran.rows} == {facts.stage_id}


def test_the_folder_is_private_and_holds_what_was_recorded(ran: Ran) -> None:
    assert ran.out.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in ran.out.iterdir()) == [
        *(".runs", "report.html", "report.json", "report.md", "stage")
    ]
    runs = [*(ran.out / ".runs").glob("[!.]*")]
    assert sorted(run.name for run in runs) == sorted(row["run_id"] for row in ran.rows)
    for run in runs:
        assert sorted(path.name for path in run.iterdir()) == ["grade.json", "output.txt", "raw"]
        assert sorted(path.name for path in (run / "raw").iterdir()) == [
            *("egress.jsonl", "requests.jsonl", "sandbox.json", "stderr.txt", "stdout.jsonl")
        ]
    report = json.loads((ran.out / benchmark.REPORT_JSON).read_text())
    assert len(report["executions"]) == len(ran.rows)
    for execution in report["executions"]:
        for name in ("output", "grade", "transcript"):
            assert (ran.out / execution[name]).is_file()


def test_its_sources_are_as_they_were(ran: Ran) -> None:
    before, after = ran.sources
    assert before == after


def test_the_plan_comes_first(ran: Ran) -> None:
    said = ran.done.err.splitlines()
    tasks = len(ran.spec.baseline)
    total = 2 * tasks * RUNS
    assert said[0] == f"Runs: 2 arms × {tasks} tasks × 2 repeats = {total} executions, 2 at once."
    assert said[1].startswith("Time: at most 10 min each")
    assert said[2] == "Cost: nothing: the list price of the model is 0."
    assert said[6] == "Baseline: an arm without a skill is added."
    assert said[7].startswith(f"[skill-eval] 1 of {total}: ")
    assert said[-3:] == [
        f"{total} of {total} cells done",
        f"Rows: {batches.rows_of(ran.out)}",
        f"Report: {ran.out / benchmark.REPORT_HTML}",
    ]
