"""Tiny contracts of one version, as a user would write them: no version field, no checks."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from benchdata.contracts import Contract
from benchdata.contracts.columns import of_model
from benchdata.contracts.fields import Count, Label, Number, Row
from benchdata.contracts.meaning import Metric, Outcome


class Trial(Row):
    """One trial."""

    trial: Label
    arm: Literal["a", "b"]
    ms: Count
    score: Number | None
    passed: bool


TRIAL = Contract(
    name="trial",
    models={1: Trial},
    identity=("trial",),
    group=("arm",),
    metrics=(Metric("ms", "ms", "ms"),),
    outcome=Outcome(success="passed", unscored="score is None"),
)


def trial(name: str = "t1", **changes: Any) -> dict[str, Any]:
    """Return a valid row of `TRIAL`."""
    return {"trial": name, "arm": "a", "ms": 5, "score": 0.5, "passed": True} | changes


def bare(model: type[BaseModel], **changes: Any) -> Contract:
    """Return a contract that says nothing of `model` but what it must, and `changes`."""
    columns = list(of_model(model))
    key = columns[0].path
    numbers = (column.path for column in columns if column.kind in {"integer", "number"})
    number = next(numbers, key)
    parts: dict[str, Any] = {
        "identity": (key,),
        "group": (key,),
        "metrics": (Metric(number, number, ""),),
        "outcome": Outcome(success="True"),
    }
    return Contract(name="bare", models={1: model}, **(parts | changes))
