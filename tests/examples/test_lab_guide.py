"""The guide to the lab: its recipes run in one notebook, and give what the commands give."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from benchdata.charts.bundle import LAB_TYPE
from benchdata.reports import execution, templates
from tests.support.command import run
from tests.support.options import unknown
from tests.support.sized import DATASETS
from tests.support.templates import written

ROOT = DATASETS.parent
GUIDE = (ROOT / "docs" / "lab.md").read_text("utf-8")
RECIPES = re.findall(r"^```python\n(.*?)\n```", GUIDE, re.MULTILINE | re.DOTALL)
RUNS = DATASETS / "skill-run-demo"
# What the recipes are held to: printed as JSON by a last cell.
ASKED = """
import json, sys
json.dumps({
    "percentiles": percentiles.select("metric", "n", "p50", "p95").rows(),
    "rates": rates.select("rate", "low", "high").rows(),
    "lift": [found.mean, found.interval.low, found.interval.high, found.p],
    "judged": judged.rows(),
    "priced": priced.rows(),
    "frames": [len(runs), len(as_pandas), as_arrow.num_rows],
    "telemetry": "posthog" in sys.modules,
})
"""


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The cells of a notebook of all recipes, run; their pictures lie in the working folder."""
    folder = tmp_path_factory.mktemp("lab")
    recipes = [recipe.replace("datasets/", f"{DATASETS}/") for recipe in RECIPES]
    notebook = written(folder / "recipes.ipynb", *recipes, "chart", ASKED)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = execution.execute(templates.find(str(notebook)), {})
    assert (folder / "total-time.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "total-time.svg").read_text("utf-8").startswith("<svg")
    return list(done.cells)


@pytest.fixture(scope="module")
def answers(cells: list[Any]) -> dict[str, Any]:
    """What the recipes found."""
    text: str = cells[-1].outputs[0].data["text/plain"]
    found: dict[str, Any] = json.loads(text.strip("'"))
    return found


def summary() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("summarize", RUNS, "--format", "json").out)
    return found


@pytest.mark.slow
def test_percentiles_and_failure_rates_are_those_of_the_summary(answers: dict[str, Any]) -> None:
    groups = summary()["groups"]
    (rate, low, high), *_ = answers["rates"]
    assert [round(rate * 100, 1) for rate, *_ in answers["rates"]] == [
        group["failureRatePercent"] for group in groups
    ]
    assert 0 < low < rate < high
    assert len(answers["percentiles"]) > len(groups)


@pytest.mark.slow
def test_the_lift_is_that_of_the_comparison(answers: dict[str, Any]) -> None:
    done = run("compare", RUNS, "--by", "arm", "--metric", "score", "--format", "json")
    found = [
        [one["estimate"], one["interval"]["low"], one["interval"]["high"], one["p"]]
        for one in json.loads(done.out)["comparisons"]
        if "low" in one["interval"]
    ]
    assert [one == pytest.approx(answers["lift"]) for one in found].count(True) == 1


@pytest.mark.slow
def test_runs_meet_their_judgments_and_a_table_of_the_reader(answers: dict[str, Any]) -> None:
    assert [(arm, n) for arm, n, *_ in answers["judged"]] == [
        ("acme/skills@page-maker", 12),
        ("none", 14),
    ]
    assert len(answers["priced"]) == 4
    assert all(usd > 0 for _, usd in answers["priced"])


@pytest.mark.slow
def test_frames_hold_every_row_and_nothing_reports_home(answers: dict[str, Any]) -> None:
    assert answers["frames"] == [115, 115, 115]
    assert answers["telemetry"] is False


@pytest.mark.slow
def test_a_chart_is_live_in_the_lab(cells: list[Any]) -> None:
    (shown,) = cells[-2].outputs
    assert {LAB_TYPE, "image/svg+xml"} <= shown.data.keys()


def test_the_command_of_the_guide_has_these_options() -> None:
    (command,) = re.findall(r"^benchdata (lab .*)$", GUIDE, re.MULTILINE)
    named = re.findall(r"`(--[a-z]+)", GUIDE)
    assert unknown([*command.split(), *named]) == []
    assert (ROOT / command.split()[1]).is_dir()
