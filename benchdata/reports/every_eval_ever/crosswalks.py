"""Which fields of a contract's rows are which fields of Every Eval Ever."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchdata.contracts import Contract
from benchdata.errors import ContractError

MODEL = "model"
"""The field that names the model, in every contract that has a crosswalk."""


@dataclass(frozen=True, slots=True)
class Crosswalk:
    """The paths of one contract, and what they mean.

    `evaluation` names the evaluation, else the contract does. `library` is the program that ran it,
    else benchdata, and `version` its version. `duration` is how long the agent took, `ms` of these
    make a unit. `turns` are those of the agent. Values of `failure` are errors, but for `answers`,
    which say that the agent came to its end. `told` are fields that stand with every run.
    """

    duration: str
    ms: int
    failure: str
    answers: tuple[str, ...]
    told: tuple[str, ...]
    evaluation: str = ""
    library: str = ""
    version: str = ""
    turns: str = ""


CROSSWALKS: Mapping[str, Crosswalk] = {
    "trial": Crosswalk(
        evaluation="study",
        library="source",
        duration="wall_s",
        ms=1_000,
        failure="outcome",
        answers=("completed",),
        told=("domain", "difficulty", "source_commit"),
    ),
    "skill-run": Crosswalk(
        evaluation="category",
        version="harness_version",
        duration="timing_ms.agent",
        ms=1,
        turns="turns",
        failure="failure_reason",
        answers=(),
        told=("task_digest", "mode", "grader", "grader_model"),
    ),
    "build-run": Crosswalk(
        version="harness_version",
        duration="wall_s",
        ms=1_000,
        turns="turns",
        failure="stop_cause",
        answers=("green", "agent_ended", "max_turns", "max_wall"),
        told=("task_digest", "suite_digest"),
    ),
}


def of(contract: Contract) -> Crosswalk:
    """Return the crosswalk of a contract.

    Raises:
        ContractError: It has none.
    """
    if contract.name not in CROSSWALKS:
        known = ", ".join(CROSSWALKS)
        raise ContractError(
            f"{contract.name} rows have no place in Every Eval Ever, which holds scores of models:"
            f" those of {known} have"
        )
    return CROSSWALKS[contract.name]
