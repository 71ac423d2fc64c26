"""Recorded lines of codex: what they tell, and what they leave unknown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from collectors.harness.agents.codex_events import read
from collectors.harness.agents.driver import Call
from collectors.harness.skills import Skill
from tests.support.recorded import recorded

SKILL = Skill("pelican", Path("pelican"), "0" * 64)
CALL = Call("Draw a pelican.", "gpt-5.5", "agent", skill=SKILL)
NOISE = (b"", b"not JSON", b"[1]", b'{"type": "turn.compl', b'{"type": "item.moved"}', b"\xff")
SLOW = b'{"type": "error", "message": "Reconnecting... 1/2"}'
REMARK = b'{"type": "item.completed", "item": {"type": "error", "message": "no metadata"}}'


def test_input_does_not_count_what_was_cached() -> None:
    report = read(recorded("codex-two-commands"), 0, CALL)
    [usage] = report.usage
    assert (usage.model, usage.input_tokens, usage.output_tokens) == ("gpt-5.5", 1200, 80)
    assert (usage.cache_creation_tokens, usage.cache_read_tokens) == (0, 600)
    assert (report.failed, report.answer, report.skill_read) == (False, "Done.", True)
    assert (report.turns, report.cost_usd) == (None, None)
    assert report.skills_listed is None


def test_a_turn_that_failed_tells_no_usage() -> None:
    report = read(recorded("codex-rate-limited"), 1, CALL)
    assert (report.failed, report.api_status, report.usage) == (True, 429, ())
    assert report.skill_read is None


def test_a_stream_without_its_end_is_a_failure() -> None:
    report = read(recorded("codex-two-commands")[:-1], 0, CALL)
    assert (report.failed, report.usage) == (True, ())
    assert (report.answer, report.said) == (None, "Done.")


@pytest.mark.parametrize("name", ["codex-two-commands", "codex-rate-limited"])
def test_unknown_lines_and_harmless_errors_change_nothing(name: str) -> None:
    """Trap 17."""
    lines = recorded(name)
    noisy = [each for line in lines for each in (*NOISE, SLOW, REMARK, line)]
    assert read(noisy, 0, CALL) == read(lines, 0, CALL)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"input_tokens": 900, "cached_input_tokens": 300}, (600, 300, 0)),
        (
            {
                "input_tokens": 900,
                "cached_input_tokens": 300,
                "cache_write_input_tokens": 100,
            },
            (500, 300, 100),
        ),
        ({"input_tokens": 900}, (None, None, 0)),
        ({"input_tokens": 10, "cached_input_tokens": 30}, (None, 30, 0)),
        ({"cached_input_tokens": 30}, (None, 30, 0)),
        ({"input_tokens": 0, "cached_input_tokens": 0}, (0, 0, 0)),
    ],
)
def test_a_count_that_cannot_be_worked_out_is_unknown(
    counts: dict[str, int], expected: tuple[int | None, ...]
) -> None:
    line = json.dumps({"type": "turn.completed", "usage": counts}).encode()
    [usage] = read([line], 0, CALL).usage
    assert (usage.input_tokens, usage.cache_read_tokens, usage.cache_creation_tokens) == expected
    assert usage.output_tokens is None


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("unexpected status 401 Unauthorized: no, url: http://127.0.0.1/v1/responses", 401),
        ("exceeded retry limit, last status: 429 Too Many Requests", 429),
        ("Connection failed: error sending request", None),
    ],
)
def test_the_status_is_read_from_the_words(words: str, status: int | None) -> None:
    line = json.dumps({"type": "turn.failed", "error": {"message": words}}).encode()
    assert read([line], 1, CALL).api_status == status


def test_a_filtered_answer_is_a_refusal() -> None:
    words = "stream disconnected: Incomplete response returned, reason: content_filter"
    line = json.dumps({"type": "turn.failed", "error": {"message": words}}).encode()
    assert read([line], 1, CALL).refused


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [("use $pelican now", True), ("use $pelicans", None), ("use pelican", None)],
)
def test_a_prompt_that_names_the_skill_reads_it(prompt: str, expected: bool | None) -> None:
    call = Call(prompt, "gpt-5.5", "agent", skill=SKILL)
    assert read([], 0, call).skill_read is expected


@pytest.mark.parametrize(("text", "value"), [('{"score": 3}', {"score": 3}), ("three", None)])
def test_an_answer_in_a_schema_is_read(text: str, value: object) -> None:
    call = Call("Judge.", "gpt-5.5", "none", schema={"type": "object"})
    item = {"type": "agent_message", "text": text}
    events = ({"type": "item.completed", "item": item}, {"type": "turn.completed"})
    report = read([json.dumps(event).encode() for event in events], 0, call)
    assert (report.answer, report.structured) == (text, value)
