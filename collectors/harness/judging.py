"""One blind question to a model: a prompt from a file, inputs, images, an answer of a fixed shape.

The model sees what the question holds and nothing else: no tools, no skill, no name of an arm.
"""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from benchdata.errors import BenchdataError, InputError, RowError
from benchdata.rows.strict_json import decode
from benchdata.stats.pricing import known_cost
from collectors.harness import attempt, folders
from collectors.harness.agents.driver import Call, Report
from collectors.harness.attempt import Setting
from collectors.harness.documents import fault

Answer = TypeVar("Answer", bound=BaseModel)
Failure = Literal["malformed", "refused", "error", "timeout"]

ATTEMPTS = 2
"""Of a question whose answer does not fit; every other failure ends it."""
PLACE = re.compile(r"\{\{ *([a-z][a-z0-9_]*) *\}\}")
FENCED = re.compile(r"```(?:json)?[ \t\r]*\n(.*)\n[ \t]*```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Question(Generic[Answer]):
    """What a model is asked; `answer` says the shape of what it is to answer."""

    prompt: str
    model: str
    answer: type[Answer]
    images: tuple[Path, ...] = ()
    system: str | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """What all calls of a question took: how many, in ms, in USD (None when unknown of any)."""

    calls: int
    duration_ms: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Verdict(Generic[Answer]):
    """An answer that fits."""

    answer: Answer
    spent: Spent


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Why there is no answer; `words` say more, without the model's own."""

    failure: Failure
    words: str
    spent: Spent


def prompt(file: Path, inputs: Mapping[str, str]) -> str:
    """Return the text of a prompt file with each `{{ name }}` replaced by the input of that name.

    What an input holds is put in as it is: braces in it are no places.

    Raises:
        InputError: The file cannot be read, or its places and the inputs are not the same.
    """
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8"
        raise InputError(f"{file}: the prompt cannot be read: {reason}") from None
    places = set(PLACE.findall(text))
    if missing := sorted(places - inputs.keys()):
        raise InputError(f"{file}: no input for the place {{{{ {missing[0]} }}}}; give one")
    if unused := sorted(inputs.keys() - places):
        raise InputError(f"{file}: no place for the input {unused[0]}; write {{{{ {unused[0]} }}}}")
    return PLACE.sub(lambda place: inputs[place[1]], text)


def quoted(value: Any) -> str:
    """Return what a prompt is to hold as data: JSON on one line, which no text in it can end.

    What is no character is replaced.
    """
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()


def judge(question: Question[Answer], ask: Callable[[Call], Report]) -> Verdict[Answer] | Unjudged:
    """Ask a question, once more when the answer does not fit, and return the verdict.

    `ask` makes one call in a fresh context. It raises TimeoutError when that took too long, and
    BenchdataError when it could not be made.
    """
    call = Call(
        prompt=question.prompt,
        model=question.model,
        tools="none",
        images=question.images,
        schema=question.answer.model_json_schema(),
        system=question.system,
    )
    began = time.monotonic()
    costs: list[float | None] = []

    def spent() -> Spent:
        known = [cost for cost in costs if cost is not None]
        total = sum(known) if len(known) == len(costs) else None
        return Spent(len(costs), round((time.monotonic() - began) * 1000), total)

    words = ""
    for _ in range(ATTEMPTS):
        costs.append(None)
        try:
            report = ask(call)
        except TimeoutError:
            return Unjudged("timeout", "the call took too long", spent())
        except BenchdataError as error:
            return Unjudged("error", str(error), spent())
        costs[-1] = report.cost_usd
        if report.refused:
            return Unjudged("refused", "the model declined to answer", spent())
        if report.failed:
            status = f", status {report.api_status}" if report.api_status else ""
            return Unjudged("error", f"the call failed{status}", spent())
        try:
            return Verdict(_answer(question.answer, report), spent())
        except ValidationError as error:
            words = fault(error, whole="the answer")
        except RowError as error:
            words = f"the answer: {error.message}"
    return Unjudged("malformed", words, spent())


def through(
    setting: Setting, root: Path, halted: Callable[[], bool] = lambda: False
) -> Callable[[Call], Report]:
    """Return what asks an agent, each time in a new folder of `root`, and prices its answer.

    A program in the weaker sandbox sees the path of `root`, which must not tell of an arm.
    """

    def ask(call: Call) -> Report:
        folder = folders.create(root / str(uuid.uuid4()))
        try:
            done = attempt.run(call, setting, folder, halted=halted)
        finally:
            folder.remove()
        if done.outcome == "timeout":
            raise TimeoutError
        report = replace(done.report, failed=done.report.failed or done.outcome != "completed")
        if setting.prices is None:
            return report
        return replace(report, cost_usd=known_cost(setting.prices, done.usage))

    return ask


def _answer(shape: type[Answer], report: Report) -> Answer:
    """Return the answer: the structured one, else the text.

    Raises:
        ValidationError: It does not fit.
        RowError: It is no strict JSON, such as with two winners, of which no reader knows which.
    """
    if report.structured is not None:
        return shape.model_validate_json(json.dumps(report.structured), strict=True)
    text = (report.answer or "").strip()
    fenced = FENCED.fullmatch(text)
    text = fenced[1] if fenced else text
    answer = shape.model_validate_json(text, strict=True)
    decode(text.encode())
    return answer
