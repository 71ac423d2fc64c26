"""A gate that a contract declares: what it may ask, and the shipped ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from benchdata import contracts
from benchdata.contracts.gate import ArmNeeds, Bar, Gate, Judged, Judging
from benchdata.contracts.judgment import JUDGMENT
from benchdata.contracts.meaning import Design
from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.errors import ContractError
from tests.support.probe import PROBE

BAR = Bar("b", tasks=("t1",), repeats=3, metric="wall", at_least=0.9)


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        (Gate(rows=0), "a gate of no rows would let anything through"),
        (Gate(only={"nope": "x"}), "gate name `nope`, no field of it"),
        (Gate(only={"seq": "x"}), "gate names `seq`, which is not in group"),
        (Gate(caps=("seq",)), "gate names `seq`, which is not in group"),
        (Gate(bars=(replace(BAR, metric="walls"),)), "gate names `walls`, which is no metric"),
        (
            Gate(arms=ArmNeeds(6, 2)),
            "a gate of arms needs a design that names what is compared and the task",
        ),
        (Gate(judged=Judged("judgment", "nope == 1")), "rules name `nope`, no field of it"),
    ],
)
def test_a_gate_that_asks_what_no_row_answers_is_refused(gate: Gate, words: str) -> None:
    with pytest.raises(ContractError, match=words):
        replace(PROBE, gate=gate)


@pytest.mark.parametrize("path", ["task_digests", "usage"])
def test_the_fields_of_arms_are_fields_with_one_value(path: str) -> None:
    needs = ArmNeeds(6, 2, by_task=(path,))
    with pytest.raises(ContractError, match=f"gate name `{path}`"):
        replace(SKILL_RUN, gate=Gate(arms=needs))


def test_an_arm_is_told_by_the_design() -> None:
    with pytest.raises(ContractError, match="needs a design"):
        replace(SKILL_RUN, design=Design(task="task_id"))


def test_the_pins_of_an_instrument_are_shared_by_a_group() -> None:
    judging = Judging(of="skill-run", pins=("attempt",), score="quality", tolerance=0.25)
    with pytest.raises(ContractError, match="gate names `attempt`, which is not in group"):
        replace(JUDGMENT, gate=Gate(judging=judging))


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("jev-social", {"rows": 10, "versions": {2}}),
        ("skill-run", {"rows": 1, "arms": (6, 2, 0.1), "judged": "judgment"}),
        ("judgment", {"rows": 1, "judging": "skill-run"}),
        ("build-run", {"rows": 10, "only": {"kind": "agent"}, "bars": ("self-bench",)}),
    ],
)
def test_the_shipped_gates(name: str, asked: Mapping[str, Any]) -> None:
    gate = contracts.get(name).gate
    assert gate is not None
    arms = gate.arms and (gate.arms.tasks, gate.arms.repeats, gate.arms.unfilled)
    said = {
        "rows": gate.rows,
        "versions": set(gate.versions),
        "only": dict(gate.only),
        "arms": arms,
        "judged": gate.judged and gate.judged.by,
        "judging": gate.judging and gate.judging.of,
        "bars": tuple(bar.name for bar in gate.bars),
    }
    assert said == {
        "versions": {1},
        "only": {},
        "arms": None,
        "judged": None,
        "judging": None,
        "bars": (),
        **asked,
    }


@pytest.mark.parametrize("name", ["trial", "shared-result"])
def test_a_contract_that_is_not_published_has_none(name: str) -> None:
    assert contracts.get(name).gate is None
