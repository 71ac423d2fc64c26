"""Tasks: prompts that give the whole contract and nothing of the suite, rubrics, digests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from collectors.build_bench import lanes, references, tasks
from collectors.build_bench.suites.probes import Suite
from collectors.build_bench.tasks import TASKS, Task, rubric_digest, suite_digest, task_digest

ALL = list(TASKS.values())
CORE = {
    "t1-storefront-api": [
        *("create-product", "get-product", "list-products", "update-product", "delete-product"),
        *("validation-error", "not-found-error", "referential-integrity"),
        *("persistence-across-restart", "typed-contract-roundtrip"),
    ],
    "t2-saga-queue-cron": [
        *("start-correlated-saga", "saga-emits-payment-job"),
        *("payment-advances-and-queues-inventory", "inventory-completes-saga"),
        *("payment-failure-compensates", "redelivery-is-idempotent", "cron-schedule-contract"),
        *("cron-trigger-enqueues-work", "typed-errors", "durable-across-restart"),
    ],
}
CORE["t2-worker"] = CORE["t2-saga-queue-cron"]
CORE["t3-reactive-dashboard"] = []  # no suite is published for it
SUITES = [task.suite for task in ALL] + [task.browser for task in ALL if task.browser]


@pytest.mark.parametrize("task", ALL, ids=lambda task: task.id)
def test_the_core_is_that_of_the_published_suites(task: Task) -> None:
    assert [probe.id for probe in task.suite.probes if probe.set == "core"] == CORE[task.id]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.sources[-1])
def test_every_probe_says_what_it_asserts_and_has_a_name_of_its_own(suite: Suite) -> None:
    ids = [probe.id for probe in suite.probes]
    assert len(set(ids)) == len(ids)
    for probe in suite.probes:
        assert probe.asserts.endswith(".")
        assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", probe.id)


@pytest.mark.parametrize("task", ALL, ids=lambda task: task.id)
def test_the_prompt_tells_how_the_service_is_started_and_nothing_of_the_suite(task: Task) -> None:
    for word in ("start.sh", "PORT", "DATA_DIR", "/health", "build.sh", "SIGTERM"):
        assert word in task.prompt
    given = task.prompt + "".join(
        lane.context for lane in lanes.lanes().values() if not lane.unobtainable
    )
    assert not [probe.id for probe in task.suite.probes if probe.id in given]
    assert "probe" not in given
    assert "rubric" not in given


@pytest.mark.parametrize("task", ALL, ids=lambda task: task.id)
def test_the_weights_of_each_rubric_list_sum_to_one(task: Task) -> None:
    for items in task.rubric_items().values():
        assert sum(item.weight for item in items) == pytest.approx(1)
        assert all(item.met.endswith(".") for item in items)
    assert len(task.rubric_items()["production"]) == 8


def test_a_task_is_another_one_in_another_lane_with_other_tools_or_another_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    t2 = TASKS["t2-saga-queue-cron"]
    fastapi, node = lanes.lane("fastapi"), lanes.lane("node")
    plain = task_digest(t2, fastapi)
    assert plain == task_digest(t2, fastapi, ())
    others = {task_digest(t2, node), task_digest(t2, fastapi, ["Bash"])}
    others.add(task_digest(TASKS["t1-storefront-api"], fastapi))
    seed = tmp_path / "fastapi" / "t1-storefront-api" / "app.py"
    seed.parent.mkdir(parents=True)
    seed.write_text("another seed", "utf-8")
    monkeypatch.setattr(references, "FOLDER", tmp_path)
    others.add(task_digest(t2, fastapi))
    assert len(others | {plain}) == 5


def test_suites_and_rubrics_have_digests_of_their_own() -> None:
    assert len({suite_digest(suite) for suite in SUITES}) == len(ALL) + 1
    t1, t2, worker, t3 = (rubric_digest(task) for task in ALL)
    assert t1 != t2 == worker
    assert t3 not in (t1, t2)


def test_another_rubric_is_another_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rubric_digest(ALL[0])
    for path in tasks.FOLDER.glob("*.toml"):
        text = path.read_text("utf-8").replace("0.25", "0.20")
        (tmp_path / path.name).write_text(text, "utf-8")
    monkeypatch.setattr(tasks, "FOLDER", tmp_path)
    assert rubric_digest(ALL[0]) != before


@pytest.mark.parametrize("task", [task for task in ALL if task.seed], ids=lambda task: task.id)
def test_a_later_task_starts_from_the_storefront_and_keeps_it(task: Task) -> None:
    assert task.seed == "t1-storefront-api"
    assert "t1-contract-kept" in [probe.id for probe in task.suite.probes]
    assert "working storefront service" in task.prompt
