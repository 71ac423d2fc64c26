"""The row of an execution: valid however it ended, and nothing that is unknown made a number."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.contracts.usage import ModelUsage
from collectors.harness.agents.driver import Report
from collectors.harness.attempt import Execution
from collectors.harness.schedule import Attempt, Cell
from collectors.skill_eval.engine import Engine
from collectors.skill_eval.graders.grade import Grade
from collectors.skill_eval.resolved import Resolved
from collectors.skill_eval.row import Clock, Result, instant_now, row_of
from tests.support.benchmarks import ARM, BENCHMARK_ID, SPEC_DIGEST, resolved, written

KNOWN = ModelUsage(
    model="scripted",
    input_tokens=10,
    output_tokens=2,
    cache_creation_tokens=0,
    cache_read_tokens=0,
)
FULL = Grade(passed=True, score=1.0)
CLOCK = Clock(datetime(2026, 12, 1, tzinfo=UTC), agent_ms=900, grading_ms=100, total_ms=1_000)
LOST = "3f0c8f0e-5f6b-4a4e-9a3d-0c5b1d2e7f60"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Resolved:
    return resolved(written(tmp_path_factory.mktemp("spec")))


def execution(report: Report, *usage: ModelUsage) -> Execution:
    return Execution(
        report=report,
        outcome="completed",
        reason=None,
        stopped=None,
        exchanges=(),
        usage=[*usage],
        turns=1,
        agent_s=0.9,
        held_s=0.0,
    )


def row(
    found: Resolved, result: Result, arm: str = ARM, *, retry_of: str | None = None
) -> dict[str, Any]:
    attempt = Attempt(str(uuid.uuid4()), position=3, begun_at="", retry_of=retry_of)
    engine, cell = Engine(found, BENCHMARK_ID, SPEC_DIGEST, Path()), Cell(arm, "sum", 1, 3)
    made = row_of(engine.batch, engine.subject(cell), cell, attempt, result, CLOCK)
    return dict(SKILL_RUN.validate(made))


def done(report: Report, *usage: ModelUsage) -> Result:
    return Result("completed", None, execution(report, *usage), FULL)


@pytest.mark.parametrize(
    ("arm", "report", "facts"),
    [
        (ARM, Report(skills_listed=("mine",), skill_read=True), [True, True, True, 0]),
        (ARM, Report(skills_listed=("mine", "other"), skill_read=False), [True, True, False, 1]),
        (ARM, Report(), [True, None, None, None]),
        ("none", Report(skills_listed=()), [False, False, False, 0]),
        ("none", Report(), [False, None, False, None]),
    ],
)
def test_skill_facts_are_those_the_agent_told(
    found: Resolved, arm: str, report: Report, facts: list[Any]
) -> None:
    made = row(found, done(report, KNOWN), arm)
    names = ("skill_installed", "skill_listed", "skill_read", "other_skills")
    assert [made[name] for name in names] == facts


def test_what_did_not_begin_has_no_facts(found: Resolved) -> None:
    made = row(found, Result("infrastructure", "setup_failed", None, None))
    unknown = ("skill_installed", "skill_listed", "skill_read", "other_skills", "turns")
    assert [made[name] for name in (*unknown, "total_cost_usd", "score", "passed")] == [None] * 8
    assert made["usage"] == []


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        ((), None),
        ((KNOWN,), 0.0),
        ((KNOWN.model_copy(update={"output_tokens": None}),), None),
        ((KNOWN.model_copy(update={"model": "no-such-model"}),), None),
    ],
)
def test_a_cost_that_is_unknown_is_not_zero(
    found: Resolved, usage: tuple[ModelUsage, ...], cost: float | None
) -> None:
    assert row(found, done(Report(), *usage))["total_cost_usd"] == cost


def test_a_retry_names_the_run_it_repeats(found: Resolved) -> None:
    assert row(found, done(Report(), KNOWN), retry_of=LOST)["retry_of"] == LOST


def test_what_it_pins_is_the_plans(found: Resolved) -> None:
    made = row(found, done(Report(), KNOWN))
    assert (made["benchmark_id"], made["spec_digest"]) == (BENCHMARK_ID, SPEC_DIGEST)
    assert made["task_digest"] == found.task_of["sum"].digest
    assert (made["started_at"], made["ended_at"]) == (
        *("2026-12-01T00:00:00.000Z", "2026-12-01T00:00:01.000Z"),
    )
    assert made["timing_ms"] == {"agent": 900, "grading": 100, "total": 1_000}
    assert (made["position"], made["planned_tasks"], made["planned_repeats"]) == (3, 1, 1)


def test_it_is_dated_to_the_millisecond() -> None:
    assert instant_now().microsecond % 1_000 == 0


def test_no_text_of_a_task_is_in_it(found: Resolved, tmp_path: Path) -> None:
    said = str(row(found, done(Report(answer="42"), KNOWN)))
    assert "6 x 7?" not in said
    assert str(tmp_path.parent) not in said
