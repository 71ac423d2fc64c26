"""Broken services turn exactly the probes red that their control names; every probe has one."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from collectors.build_bench import lanes, references, starters
from collectors.build_bench.evaluation import evaluate
from collectors.build_bench.grounds import Host
from collectors.build_bench.service import Place
from collectors.build_bench.tasks import TASKS

LANE = "node"
CONTROLS: dict[str, dict[str, Any]] = {
    task: tomllib.loads((Path(__file__).parent / "controls" / f"{task}.toml").read_text("utf-8"))
    for task in TASKS
}
SLOW = {"t2-worker": [pytest.mark.slow]}
CASES = [
    pytest.param(task, name, id=f"{task}-{name}", marks=SLOW.get(task, []))
    for task, controls in CONTROLS.items()
    for name in controls
]
AT_ONCE = 4
"""Most of a suite's time is waiting: for starts, for holds, for what must not come."""
UNHURRIED_S = 300
"""Several probes wait for what a control keeps from coming."""

Red = dict[str, str | None]


def lay(task: str, name: str, work: Path) -> None:
    """Lay the reference into a folder and make the edits of a control, each in one place."""
    references.lay(LANE, task, work)
    for edit in CONTROLS[task][name]["edits"]:
        path = work / edit["file"]
        text = path.read_text("utf-8")
        assert text.count(edit["find"]) == 1, f"{name}: {edit['find']!r} in {edit['file']}"
        path.write_text(text.replace(edit["find"], edit["put"]), "utf-8")


async def judge(task: str, root: Path) -> dict[str, Red]:
    """Return the probes that each control of a task turns red, with their reasons."""
    starter = starters.prepare(lanes.lane(LANE))
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(name: str) -> Red:
        place = Place.within(root / name)
        lay(task, name, place.work)
        async with turn:
            judged = await evaluate(
                TASKS[task].suite, place, starter.path, Host(), seconds=UNHURRIED_S
            )
        assert judged.not_ready is None, f"{name}: {judged.not_ready}"
        return {result.id: result.reason for result in judged.results if result.verdict == "fail"}

    names = list(CONTROLS[task])
    return dict(zip(names, await asyncio.gather(*map(one, names)), strict=True))


@pytest.fixture(scope="module")
def red(
    node: None,  # noqa: ARG001 - skips
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], dict[str, Red]]:
    """Judge the controls of a task, once for all tests of it."""

    @cache
    def of(task: str) -> dict[str, Red]:
        return asyncio.run(judge(task, tmp_path_factory.mktemp(task)))

    return of


@pytest.mark.parametrize(("task", "name"), CASES)
def test_exactly_the_named_probes_turn_red(
    task: str, name: str, red: Callable[[str], dict[str, Red]]
) -> None:
    got = red(task)[name]
    assert sorted(got) == sorted(CONTROLS[task][name]["red"]), got


def test_every_probe_is_turned_red_by_a_control() -> None:
    named = {
        probe for each in CONTROLS.values() for control in each.values() for probe in control["red"]
    }
    assert named == {probe.id for task in TASKS.values() for probe in task.suite.probes}
