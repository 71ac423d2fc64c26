"""One blind question: what is asked, what fits as an answer, and how everything else is named."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from benchdata.errors import InputError
from benchdata.stats.pricing import Price, Prices
from collectors.harness import billing, folders, judging
from collectors.harness.agents.driver import AgentDriver, Call, Report
from collectors.harness.agents.registry import driver
from collectors.harness.attempt import Setting
from collectors.harness.failures import SetupFailed
from collectors.harness.judging import Question, Unjudged, Verdict, judge
from collectors.harness.sandbox import probe
from tests.support import messages_api, responses_api
from tests.support.driven import MODEL, drive
from tests.support.pixels import PIXEL


class Marks(BaseModel):
    """An answer as a judge of pages gives it."""

    model_config = ConfigDict(extra="forbid")

    craft: int = Field(ge=0, le=3)
    verdict: Literal["ship", "rework"]


FITS = {"craft": 2, "verdict": "ship"}
QUESTION = Question("Judge the page.", "acme/judge-3", Marks)
ASKED = Call(
    prompt="Judge the page.",
    model="acme/judge-3",
    tools="none",
    schema=Marks.model_json_schema(),
)


class Replies:
    """Answers calls one by one, by a report or by raising."""

    def __init__(self, *replies: Report | Exception) -> None:
        self._replies: Iterator[Report | Exception] = iter(replies)
        self.calls: list[Call] = []

    def __call__(self, call: Call) -> Report:
        self.calls.append(call)
        reply = next(self._replies)
        if isinstance(reply, Exception):
            raise reply
        return reply


@pytest.mark.parametrize(
    "report",
    [
        Report(structured=FITS),
        Report(answer=' {"craft": 2, "verdict": "ship"}\n'),
        Report(answer='```json\n{"craft": 2, "verdict": "ship"}\n```'),
        Report(answer='```\n\n{"craft": 2, "verdict": "ship"}\n\n ```'),
    ],
)
def test_an_answer_that_fits_is_the_verdict(report: Report) -> None:
    replies = Replies(report)
    verdict = judge(QUESTION, replies)
    assert isinstance(verdict, Verdict)
    assert verdict.answer == Marks(craft=2, verdict="ship")
    assert replies.calls == [ASKED]


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (Report(structured={"craft": 4, "verdict": "ship"}), "craft: must be less than"),
        (Report(structured={"craft": "2", "verdict": "ship"}), "craft: must be a valid"),
        (Report(structured={"craft": 2}), "verdict: is missing"),
        (Report(structured=FITS | {"arm": "x"}), "arm: is not a key here"),
        (Report(structured=[]), "the answer: must be an object"),
        (Report(answer="It is the page SECRET made."), "the answer: Invalid JSON"),
        (Report(answer='{"craft": 2, "verdict": "ship"} I hope'), "the answer: Invalid JSON"),
        (Report(), "the answer: Invalid JSON"),
        (
            Report(answer='{"craft": 0, "craft": 2, "verdict": "ship"}'),
            "the answer: a key stands twice",
        ),
    ],
)
def test_an_answer_that_does_not_fit_twice_is_malformed(report: Report, words: str) -> None:
    replies = Replies(report, report)
    unjudged = judge(QUESTION, replies)
    assert isinstance(unjudged, Unjudged)
    assert unjudged.failure == "malformed"
    assert unjudged.words.startswith(words)
    assert "SECRET" not in unjudged.words
    assert replies.calls == [ASKED, ASKED]


def test_an_answer_of_empty_lines_is_refused_at_once() -> None:
    began = time.monotonic()
    found = judge(QUESTION, lambda _: Report(answer="```" + "\n" * 100_000 + "x"))
    assert isinstance(found, Unjudged)
    assert time.monotonic() - began < 5


def test_an_answer_that_fits_the_second_time_is_the_verdict_and_both_are_paid() -> None:
    verdict = judge(
        QUESTION,
        Replies(Report(answer="hm", cost_usd=0.25), Report(structured=FITS, cost_usd=0.5)),
    )
    assert isinstance(verdict, Verdict)
    assert (verdict.spent.calls, verdict.spent.cost_usd) == (2, 0.75)


def test_a_cost_that_is_unknown_once_is_unknown() -> None:
    verdict = judge(QUESTION, Replies(Report(answer="hm", cost_usd=0.25), Report(structured=FITS)))
    assert (verdict.spent.calls, verdict.spent.cost_usd) == (2, None)


FAILURES: dict[str, tuple[Report | Exception, str, str]] = {
    "refused": (
        Report(refused=True, failed=True, answer="no"),
        *("refused", "the model declined to answer"),
    ),
    "status": (Report(failed=True, api_status=529), "error", "the call failed, status 529"),
    "no status": (Report(failed=True), "error", "the call failed"),
    "answer of a failure": (Report(failed=True, structured=FITS), "error", "the call failed"),
    "setup": (SetupFailed("claude: is not installed"), "error", "claude: is not installed"),
    "timeout": (TimeoutError(), "timeout", "the call took too long"),
}


@pytest.mark.parametrize("case", FAILURES)
def test_every_other_failure_ends_the_question(case: str) -> None:
    reply, failure, words = FAILURES[case]
    replies = Replies(reply)
    unjudged = judge(QUESTION, replies)
    assert isinstance(unjudged, Unjudged)
    assert (unjudged.failure, unjudged.words) == (failure, words)
    assert (unjudged.spent.calls, len(replies.calls)) == (1, 1)


def test_a_fault_of_the_program_is_no_verdict() -> None:
    with pytest.raises(ZeroDivisionError):
        judge(QUESTION, Replies(ZeroDivisionError()))


def test_a_prompt_takes_its_inputs_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "judge.md"
    file.write_text("Brief: {{ brief }}\nPage: {{page}} and {{ brief }}, {not} {{ This }}", "utf-8")
    inputs = {"brief": "{{page}} \\1 \\g<0>", "page": "{{ brief }} ä"}
    assert judging.prompt(file, inputs) == (
        "Brief: {{page}} \\1 \\g<0>\nPage: {{ brief }} ä and {{page}} \\1 \\g<0>, {not} {{ This }}"
    )


@pytest.mark.parametrize(
    ("content", "inputs", "words"),
    [
        (b"{{ page }}", {}, r"judge\.md: no input for the place \{\{ page \}\}"),
        (b"Judge.", {"page": "x"}, r"judge\.md: no place for the input page; write \{\{ page \}\}"),
        (b"\xff", {}, r"judge\.md: the prompt cannot be read: is not UTF-8"),
        (None, {}, r"judge\.md: the prompt cannot be read: No such file"),
    ],
)
def test_a_prompt_that_cannot_be_filled_is_refused(
    tmp_path: Path, content: bytes | None, inputs: dict[str, str], words: str
) -> None:
    file = tmp_path / "judge.md"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError, match=words):
        judging.prompt(file, inputs)


def in_sandbox(tmp_path: Path, reply: dict[str, Any], **fields: Any) -> Verdict[Marks] | Unjudged:
    """Judge by the scripted agent, in the sandbox of this machine and by way of the gateway."""
    setting = Setting(
        driver=driver("scripted"),
        sandbox=probe.choose(),
        payer=billing.choose("scripted", {}, allowed=()),
        script={"side": reply},
        **{"timeout_s": 30, **fields},
    )
    question = Question("Judge the page.", "scripted", Marks)
    found = judge(question, judging.through(setting, tmp_path / "calls"))
    assert all((call / "raw").is_dir() for call in (tmp_path / "calls").iterdir())
    assert not list((tmp_path / "calls").glob("*/agent"))
    return found


def test_an_agent_in_a_sandbox_is_asked_and_its_answer_priced(tmp_path: Path) -> None:
    price = Price(
        input=2, output=10, cache_write=1, cache_read=1, as_of=date(2026, 1, 1), source="this test"
    )
    used = {"input_tokens": 1_000, "output_tokens": 100}
    reply = {"text": json.dumps(FITS), "usage": used}
    verdict = in_sandbox(tmp_path, reply, prices=Prices({"scripted": price}))
    assert isinstance(verdict, Verdict), verdict
    assert verdict.answer == Marks(craft=2, verdict="ship")
    assert verdict.spent.cost_usd == pytest.approx(0.003)


def test_an_answer_of_a_model_without_a_price_is_a_verdict_all_the_same(tmp_path: Path) -> None:
    verdict = in_sandbox(tmp_path, {"text": json.dumps(FITS)}, prices=Prices({}))
    assert isinstance(verdict, Verdict), verdict
    assert verdict.spent.cost_usd is None


def test_an_agent_that_takes_too_long_is_a_timeout(tmp_path: Path) -> None:
    unjudged = in_sandbox(tmp_path, {"text": "late", "delay_s": 30}, timeout_s=1.5)
    assert isinstance(unjudged, Unjudged), unjudged
    assert (unjudged.failure, unjudged.spent.calls) == ("timeout", 1)
    assert unjudged.spent.duration_ms < 20_000


SCRIPTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "claude": lambda text: {
        "tool_calls": [{"name": "StructuredOutput", "input": json.loads(text)}]
    },
    "codex": lambda text: {"text": text},
}
"""How a model answers in a shape: by a tool of the program, or as its text."""


@pytest.fixture(params=SCRIPTS)
def judge_driver(request: pytest.FixtureRequest) -> AgentDriver:
    """Each real agent program that judges."""
    program: AgentDriver = request.getfixturevalue(request.param)
    return program


def judged_by(
    program: AgentDriver, tmp_path: Path, *replies: dict[str, Any], **fields: Any
) -> tuple[Verdict[Marks] | Unjudged, str]:
    """Judge by a program against a stand-in, and return all that the model was told too."""
    api = messages_api if program.shape == "messages" else responses_api
    last = replies[-1]
    script = {"replies": replies, "default": last, "side": last}
    with api.serving(script) as server:

        def ask(call: Call) -> Report:
            folder = folders.create(tmp_path / "calls" / str(len(server.asked)))
            return drive(program, call, folder, server.url).report

        question = Question("Judge the page.", MODEL[program.shape], Marks, **fields)
        return judge(question, ask), json.dumps([asked.body for asked in server.asked])


@pytest.mark.agents
def test_a_program_judges_an_image_and_is_told_nothing_of_its_arm(
    judge_driver: AgentDriver, tmp_path: Path
) -> None:
    image = tmp_path / "arm-acme-reader.png"
    image.write_bytes(PIXEL)
    reply = SCRIPTS[judge_driver.name](json.dumps(FITS))
    verdict, told = judged_by(judge_driver, tmp_path, reply, images=(image,))
    assert isinstance(verdict, Verdict), verdict
    assert verdict.answer == Marks(craft=2, verdict="ship")
    assert verdict.spent.calls == 1
    assert "Judge the page." in told
    assert "image/png" in told
    assert "acme-reader" not in told


@pytest.mark.agents
def test_a_program_whose_model_never_answers_in_shape_is_malformed(
    judge_driver: AgentDriver, tmp_path: Path
) -> None:
    unjudged, _ = judged_by(judge_driver, tmp_path, {"text": "A fine page."})
    assert isinstance(unjudged, Unjudged), unjudged
    assert (unjudged.failure, unjudged.spent.calls) == ("malformed", 2)


@pytest.mark.agents
def test_a_model_of_claude_that_declines_is_refused(claude: AgentDriver, tmp_path: Path) -> None:
    reply = {"text": "I cannot.", "stop_reason": "refusal"}
    unjudged, _ = judged_by(claude, tmp_path, reply)
    assert isinstance(unjudged, Unjudged), unjudged
    assert (unjudged.failure, unjudged.spent.calls) == ("refused", 1)


@pytest.mark.agents
def test_a_program_whose_requests_fail_is_an_error(
    judge_driver: AgentDriver, tmp_path: Path
) -> None:
    fault = {"status": 400, "error_type": "invalid_request_error", "error": "no", "consume": False}
    unjudged, _ = judged_by(judge_driver, tmp_path, fault)
    assert isinstance(unjudged, Unjudged), unjudged
    assert (unjudged.failure, unjudged.spent.calls) == ("error", 1)
