"""The parts of a gate in a contract that nobody shipped: arms without a plan, caps, a bar."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import benchdata
from benchdata.contracts import Contract
from benchdata.contracts.fields import Row as Fields
from benchdata.contracts.gate import ArmNeeds, Bar, Gate
from benchdata.contracts.meaning import Design, Metric, Outcome
from benchdata.gates import judge
from benchdata.gates.bars import hold
from tests.support.drawn import Row, write


class Answer(Fields):
    """One answer of a bot to a question."""

    number: int
    bot: str
    question: str
    limit: int
    kind: Literal["real", "dry"]
    lost: bool
    share: float


ANSWERS = Contract(
    name="answers",
    models={1: Answer},
    identity=("number",),
    group=("kind", "limit"),
    metrics=(Metric("share", "share", "", "higher", bounds=(0, 1)),),
    outcome=Outcome(success="share == 1", unscored="lost"),
    design=Design(compared=("bot",), task="question"),
    gate=Gate(arms=ArmNeeds(tasks=2, repeats=2)),
)


def answers(bots: str = "ab", questions: str = "xy", repeats: int = 2, **fields: Any) -> list[Row]:
    cells = [(b, q) for _ in range(repeats) for q in questions for b in bots]
    return [
        {
            "number": number,
            "bot": bot,
            "question": question,
            "limit": 5,
            "kind": "real",
            "lost": False,
            "share": 1.0,
            **fields,
        }
        for number, (bot, question) in enumerate(cells)
    ]


def test_arms_without_a_plan_are_held_to_the_fullest(tmp_path: Path) -> None:
    full = benchdata.open(write(tmp_path / "full.ndjson", answers()), ANSWERS)
    assert judge(full).ready
    short = benchdata.open(write(tmp_path / "short.ndjson", answers(repeats=3)[:-1]), ANSWERS)
    (group,) = judge(short).groups
    unexplained, unfilled = group.reasons
    assert unexplained.startswith("b: 1 of 6 planned cells without a scored row, and no infra")
    assert unfilled == "b: 1 of 6 planned cells unfilled, more than 10%"


def test_values_and_caps_of_group_fields(tmp_path: Path) -> None:
    gate = Gate(rows=2, only={"kind": "real"}, caps=("limit",))
    contract = replace(ANSWERS, gate=gate, group=("bot", "kind", "limit"))
    rows = answers(bots="a") + [r | {"number": 90 + r["number"], "limit": 9} for r in answers("b")]
    found = judge(benchdata.open(write(tmp_path / "a.ndjson", rows), contract))
    reason = "limit differs between groups that are compared: 5, 9"
    assert [group.reasons for group in found.groups] == [(reason,), (reason,)]
    dry = judge(benchdata.open(write(tmp_path / "b.ndjson", answers("a", kind="dry")), contract))
    assert dry.groups[0].reasons == ("kind is dry: only rows of kind real are published",)


def test_a_bar_of_its_own(tmp_path: Path) -> None:
    bar = Bar("sure", tasks=("x", "y"), repeats=2, metric="share", at_least=0.5, steady=("share",))
    contract = replace(ANSWERS, gate=Gate(bars=(bar,)), group=("kind", "limit", "bot", "question"))
    rows = answers()
    rows[0]["share"] = 0.4
    held = hold(benchdata.open(write(tmp_path / "a.ndjson", rows), contract), "sure")
    assert [(arm.label, arm.state) for arm in held.arms] == [("a", "unstable"), ("b", "met")]
