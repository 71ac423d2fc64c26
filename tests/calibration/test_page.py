"""The committed page: every scenario is on it and holds, and a rerun gives the same lines."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tests.calibration import page, suite
from tests.calibration.mutants import mutants
from tests.calibration.scenario import Measured, Scenario, measured

CHEAP = ("T = 6,", "n = 6", "4 against 4", "look 1", "correlation 0.3, T = 10")


@pytest.fixture(scope="module")
def committed(root: Path) -> list[str]:
    """The lines of docs/calibration.md."""
    return (root / "docs" / "calibration.md").read_text("utf-8").splitlines(keepends=True)


def masked(line: str) -> str:
    """Hide what was measured."""
    return "|".join(line.split("|")[:3]) if line.startswith("|") else line


def test_the_page_has_every_scenario_and_mutant_in_order(committed: list[str]) -> None:
    blank = [Measured(scenario, {"": 1}, None) for scenario in suite.scenarios()]
    wrong = [(mutant, Measured(mutant.scenario, {"": 1}, None)) for mutant in mutants()]
    expected = page.document(blank, wrong).splitlines(keepends=True)
    assert [masked(line) for line in committed] == [masked(line) for line in expected]


def test_every_row_holds(committed: list[str]) -> None:
    assert not [line for line in committed if "| NO |" in line]


def test_names_tell_scenarios_apart() -> None:
    names = [scenario.name for scenario in suite.scenarios()]
    assert len({*names}) == len(names)


def test_every_scenario_can_be_sent_to_another_process() -> None:
    every = [*suite.scenarios(), *(mutant.mutated for mutant in mutants())]
    assert [scenario.name for scenario in pickle.loads(pickle.dumps(every))] == [
        scenario.name for scenario in every
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario",
    [each for each in suite.scenarios() if any(word in each.name for word in CHEAP)],
    ids=lambda scenario: scenario.name,
)
def test_a_rerun_gives_the_committed_line(committed: list[str], scenario: Scenario) -> None:
    assert page.row(measured(scenario)) in committed
