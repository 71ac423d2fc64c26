"""Grades an answer with the grader that its task names."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from pydantic import Field

from benchdata.errors import BenchdataError
from collectors.harness import judging
from collectors.harness.agents.driver import Call, Report
from collectors.harness.documents import Document
from collectors.harness.judging import Question, Unjudged
from collectors.skill_eval.graders import exact, json_fields, script
from collectors.skill_eval.graders.grade import Grade, GradingFailed
from collectors.skill_eval.tasks import Task

PROMPT = Path(__file__).with_name("llm_judge.md")

Ask = Callable[[Call], Report]
"""Makes one blind call of the model that grades."""


class Opinion(Document):
    """What the model that grades answers."""

    passed: bool = Field(alias="pass")
    score: float = Field(ge=0, le=1, strict=False)


def prompt_digest() -> str:
    """Return the SHA-256 of what the model that grades is told besides the texts."""
    return hashlib.sha256(PROMPT.read_bytes()).hexdigest()


def grade(task: Task, output: str, *, judge_model: str | None, ask: Ask | None) -> Grade:
    """Grade an answer; nothing of its arm is known here. An empty answer fails.

    Raises:
        GradingFailed: The grader failed, so nothing is known of the answer.
    """
    line = task.line
    if line.grader == "exact":
        return exact.grade(line.expected, output)
    if line.grader == "json-fields":
        return json_fields.grade(line.expected, output)
    if not output.strip():
        return Grade(passed=False, score=0.0)
    if line.grader == "script":
        return _scripted(task, output)
    assert line.reference is not None
    return _judged(output, line.reference, judge_model, ask)


def _scripted(task: Task, output: str) -> Grade:
    assert task.script is not None
    try:
        task.check("script", task.script)
    except BenchdataError as changed:
        raise GradingFailed(str(changed)) from None
    return script.grade(task.script, task.line.expected, output)


def _judged(output: str, reference: str, model: str | None, ask: Ask | None) -> Grade:
    """Let a model compare an answer with its reference; it sees nothing else.

    Both stand in the prompt as JSON, so that no text of an answer can end where it stands.
    """
    assert model is not None
    assert ask is not None
    texts = {"output": output, "reference": reference}
    text = judging.prompt(PROMPT, {name: judging.quoted(told) for name, told in texts.items()})
    verdict = judging.judge(Question(text, model, Opinion), ask)
    if isinstance(verdict, Unjudged):
        raise GradingFailed(f"the judge's verdict is {verdict.failure}: {verdict.words}")
    return Grade(verdict.answer.passed, verdict.answer.score)
