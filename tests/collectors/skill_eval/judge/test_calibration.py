"""Good and bad artefacts of every screen task, by the real renderers, before a judge that looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.judgment import CHECK_TOLERANCE
from collectors.harness.sandbox.probe import bubblewrap_fault
from collectors.skill_eval.judge.judge import Judge, fields, pairwise, pointwise
from collectors.skill_eval.judge.resolving import ENDPOINT, resolve
from collectors.skill_eval.renderers.needs import lacking
from collectors.skill_eval.renderers.rendering import render
from collectors.skill_eval.suite.suite import SuiteTask, load
from tests.support.command import ROOT
from tests.support.judge_stand_in import judging

pytestmark = pytest.mark.slow

SUITES = ROOT / "collectors" / "skill_eval" / "suites"


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    with judging("chat", tmp_path_factory.mktemp("judge")) as stand_in:
        yield resolve("openai", "stand-in-1", {ENDPOINT: f"{stand_in.url}/v1"})


def pictures(task: SuiteTask, which: str, out: Path) -> tuple[Path, ...]:
    rendering = render(SUITES / "calibration" / task.id / which, task.file.render, out / which)
    assert not rendering.blank
    return rendering.images


@pytest.mark.parametrize("task", load(SUITES / "screen").tasks, ids=lambda task: task.id)
def test_the_good_artefact_beats_the_bad_one(task: SuiteTask, judge: Judge, tmp_path: Path) -> None:
    if fault := bubblewrap_fault() or lacking(task.file.render.kind):
        pytest.skip(fault)
    good, bad = (pictures(task, which, tmp_path) for which in ("good", "bad"))

    def marks(images: tuple[Path, ...]) -> Mapping[str, Any]:
        return fields(pointwise(judge, task.file, images))

    best, worst = marks(good), marks(bad)
    assert best["outcome"] == worst["outcome"] == "judged"
    assert best["quality"] >= worst["quality"] + 2 * CHECK_TOLERANCE
    assert best["critical_failures"] == []
    for order in ("ab", "ba"):
        assert fields(pairwise(judge, task.file, good, bad, order))["winner"] == "a"
        assert fields(pairwise(judge, task.file, bad, good, order))["winner"] == "b"
