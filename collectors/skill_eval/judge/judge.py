"""The blind judge's two questions, and what of its answers stands in a row.

The judge gets a brief, what must be there, and pictures. It gets no name, path, date or number of
anything, so no arm can be told by it; each question is a fresh context of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel

from benchdata.contracts.grammar import Endpoint
from benchdata.contracts.judgment import SCORES
from benchdata.errors import counted
from collectors.harness import judging
from collectors.harness.agents.driver import Call, Report
from collectors.harness.judging import Question, Unjudged, Verdict
from collectors.skill_eval.judge import rubric
from collectors.skill_eval.judge.rubric import Marks, Preference, prompt_version

__all__ = ["Brief", "Judge", "Marks", "Preference", "pairwise", "pointwise", "prompt_version"]

Answer = TypeVar("Answer", bound=BaseModel)
Order = Literal["ab", "ba"]
SAID = (*SCORES, "winner")
"""What a row holds of an answer; each is null where there is none."""
SWAPPED = {"a": "b", "b": "a", "tie": "tie"}


class Brief(Protocol):
    """All that the judge is told of a task; a suite's `TaskFile` is one."""

    @property
    def prompt(self) -> str:
        """What was asked for."""

    @property
    def required(self) -> Sequence[str]:
        """What the artefact must show."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A model that judges, and the way to it; `resolving.resolve` makes one.

    `endpoint` is what a row says of it, `paid` is a sentence for the plan. `ask` makes one call in
    a fresh context, from any thread.
    """

    name: str
    model: str
    endpoint: Endpoint
    paid: str
    ask: Callable[[Call], Report]


def pointwise(judge: Judge, brief: Brief, images: Sequence[Path]) -> Verdict[Marks] | Unjudged:
    """Let the judge mark one artefact by its pictures, in reading order.

    A rendering that is blank is asked about like any other, so that an instrument check tests the
    judge and not the renderer. One that failed has no picture: its row is `render_failed`, and the
    judge is not asked.
    """
    told = {"pictures": counted(len(images), "picture")}
    return _asked(judge, brief, rubric.POINTWISE, told, images, Marks)


def pairwise(
    judge: Judge, brief: Brief, a: Sequence[Path], b: Sequence[Path], order: Order
) -> Verdict[Preference] | Unjudged:
    """Let the judge choose between two artefacts; callers ask in both orders.

    To the judge the one that comes first is A. The winner that is returned is one of the arguments
    `a` and `b` in either order, as a row has it.
    """
    first, second = (a, b) if order == "ab" else (b, a)
    told = {"first": counted(len(first), "picture"), "second": counted(len(second), "picture")}
    found = _asked(judge, brief, rubric.PAIRWISE, told, (*first, *second), Preference)
    if order == "ab" or isinstance(found, Unjudged):
        return found
    winner = SWAPPED[found.answer.winner]
    return replace(found, answer=found.answer.model_copy(update={"winner": winner}))


def fields(found: Verdict[Marks] | Verdict[Preference] | Unjudged) -> dict[str, Any]:
    """Return what a judgment row says of a verdict.

    That is `outcome`, the scores and `winner` (null where it has none), `total_cost_usd` and
    `duration_ms`.
    """
    answer = found.answer if isinstance(found, Verdict) else None
    said = {name: getattr(answer, name, None) for name in SAID}
    return {
        "outcome": found.failure if isinstance(found, Unjudged) else "judged",
        **said,
        "total_cost_usd": found.spent.cost_usd,
        "duration_ms": found.spent.duration_ms,
    }


def _asked(
    judge: Judge,
    brief: Brief,
    file: Path,
    told: dict[str, str],
    images: Sequence[Path],
    answer: type[Answer],
) -> Verdict[Answer] | Unjudged:
    """Ask one question; what a task's author wrote is JSON in it, and so cannot end early."""
    texts = told | {
        "brief": judging.quoted(brief.prompt),
        "required": judging.quoted(list(brief.required)),
        "rubric": rubric.rubric_text(),
        "critical": rubric.critical_text(),
    }
    question = Question(
        judging.prompt(file, texts),
        judge.model,
        answer,
        images=tuple(images),
        system=judging.prompt(rubric.SYSTEM, {}),
    )
    return judging.judge(question, judge.ask)
