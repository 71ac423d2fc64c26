"""Broken services turn exactly the probes red that their control names; every probe has one."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Callable, Sequence
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
SUITES = {name: (name, task.suite) for name, task in TASKS.items()} | {
    f"{name}-page": (name, task.browser) for name, task in TASKS.items() if task.browser
}
"""By the names of their files of controls: the task whose reference is broken, and who judges."""
CONTROLS: dict[str, dict[str, Any]] = {
    name: tomllib.loads((Path(__file__).parent / "controls" / f"{name}.toml").read_text("utf-8"))
    for name in SUITES
}
MARKS = {
    "t2-saga-queue-cron": [pytest.mark.slow],
    "t2-worker": [pytest.mark.slow],
    "t3-reactive-dashboard": [pytest.mark.slow],
    "t3-reactive-dashboard-page": [pytest.mark.slow, pytest.mark.browser],
}
QUICK = {"t2-saga-queue-cron": ("no-compensation", "starts-race")}
"""Controls that are tried always, of suites whose others are slow."""
CASES = [
    pytest.param(
        suite,
        name,
        id=f"{suite}-{name}",
        marks=[] if name in QUICK.get(suite, ()) else MARKS.get(suite, []),
    )
    for suite, controls in CONTROLS.items()
    for name in controls
]
AT_ONCE = 4
"""Most of a suite's time is waiting: for starts, for holds, for what must not come."""
UNHURRIED_S = 300
"""Several probes wait for what a control keeps from coming."""

Red = dict[str, str | None]


def lay(suite: str, name: str, work: Path) -> None:
    """Lay the reference into a folder and make the edits of a control, each in one place."""
    references.lay(LANE, SUITES[suite][0], work)
    for edit in CONTROLS[suite][name]["edits"]:
        path = work / edit["file"]
        text = path.read_text("utf-8")
        assert text.count(edit["find"]) == 1, f"{name}: {edit['find']!r} in {edit['file']}"
        path.write_text(text.replace(edit["find"], edit["put"]), "utf-8")


async def judge(suite: str, names: Sequence[str], root: Path) -> dict[str, Red]:
    """Return the probes that each of these controls of a suite turns red, with their reasons."""
    starter = starters.prepare(lanes.lane(LANE))
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(name: str) -> Red:
        place = Place.within(root / name)
        lay(suite, name, place.work)
        async with turn:
            judged = await evaluate(
                SUITES[suite][1], place, starter.path, Host(), seconds=UNHURRIED_S
            )
        return {result.id: result.reason for result in judged.results if result.verdict == "fail"}

    return dict(zip(names, await asyncio.gather(*map(one, names)), strict=True))


@pytest.fixture(scope="module")
def red(
    request: pytest.FixtureRequest,
    node: None,  # noqa: ARG001 - skips
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str], dict[str, Red]]:
    """Judge the controls of a suite that are to be tried, once for all tests of it."""
    tried = {item.name for item in request.session.items if item.path == Path(__file__)}

    @cache
    def of(suite: str) -> dict[str, Red]:
        test = test_exactly_the_named_probes_turn_red.__name__
        names = [name for name in CONTROLS[suite] if f"{test}[{suite}-{name}]" in tried]
        return asyncio.run(judge(suite, names, tmp_path_factory.mktemp(suite)))

    return of


@pytest.mark.parametrize(("suite", "name"), CASES)
def test_exactly_the_named_probes_turn_red(
    suite: str, name: str, red: Callable[[str], dict[str, Red]]
) -> None:
    got = red(suite)[name]
    assert sorted(got) == sorted(CONTROLS[suite][name]["red"]), got


def test_every_probe_is_turned_red_by_a_control() -> None:
    named = {
        probe for each in CONTROLS.values() for control in each.values() for probe in control["red"]
    }
    assert named == {probe.id for _, suite in SUITES.values() for probe in suite.probes}
