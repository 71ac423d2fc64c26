"""Recorded lines of Claude Code: what is taken from them, and from where it is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collectors.harness.agents.claude_events import read
from collectors.harness.agents.driver import Call
from collectors.harness.skills import Skill
from tests.support.recorded import recorded

SKILL = Skill("pelican", Path("pelican"), "0" * 64)
CALL = Call("Draw a pelican.", "claude-sonnet-4-5", "agent", skill=SKILL)
PLAIN = Call("Draw a pelican.", "claude-sonnet-4-5", "agent")
STREAMS = ("two-tools", "subagent", "rate-limited", "terminated", "refusal")
NOISE: tuple[bytes, ...] = (
    b"",
    b"not JSON",
    b"[1]",
    b'{"type": "assist',
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"type": "hologram", "usage": {"input_tokens": 9}}',
    b'{"type": ["assistant"]}',
    b'{"type": "system", "subtype": "compact_boundary"}',
)


def test_tokens_come_from_the_result_and_not_from_the_messages() -> None:
    """Trap 2: a message comes in several lines, each with the usage of the message's start."""
    report = read(recorded("claude-two-tools"), 0, CALL)
    [usage] = report.usage
    assert (usage.input_tokens, usage.output_tokens) == (1800, 60)
    assert (usage.cache_creation_tokens, usage.cache_read_tokens) == (140, 10)
    lines = [json.loads(line) for line in recorded("claude-two-tools")]
    told = [line["message"]["usage"] for line in lines if line["type"] == "assistant"]
    assert sum(each["input_tokens"] for each in told) != 1800
    assert sum(each["output_tokens"] for each in told) < 10
    assert (report.turns, report.skill_read, report.answer) == (2, True, "Done.")


def test_subagents_are_counted_and_every_group_is_read() -> None:
    """Traps 3 and 4: `usage` leaves out subagents, and the first result is not the last."""
    lines = recorded("claude-subagent")
    results = [line for line in map(json.loads, lines) if line["type"] == "result"]
    assert [each["usage"]["input_tokens"] for each in results] == [200, 100]
    report = read(lines, 0, PLAIN)
    assert [usage.input_tokens for usage in report.usage] == [500]
    assert (report.sessions, report.answer, report.failed) == (2, "All done.", False)
    assert report.turns == 3


def test_a_group_without_its_result_leaves_what_was_used_unknown() -> None:
    lines = recorded("claude-subagent")
    report = read(lines[:-1], 0, PLAIN)
    assert (report.failed, report.usage, report.cost_usd, report.answer) == (True, (), None, None)
    assert report.sessions == 2
    assert report.said == read(lines, 0, PLAIN).answer == "All done."


def test_what_it_said_last_is_not_a_subagents() -> None:
    lines = recorded("claude-subagent")
    spoken = next(number for number, line in enumerate(lines, 1) if b'"sub done"' in line)
    assert read(lines[:spoken], None, PLAIN).said == "waiting"


def test_success_in_name_is_no_success() -> None:
    """Trap 5."""
    lines = recorded("claude-rate-limited")
    assert json.loads(lines[-1])["subtype"] == "success"
    report = read(lines, 1, PLAIN)
    assert (report.failed, report.api_status, report.answer) == (True, 429, None)


def test_a_run_that_was_ended_in_the_middle_of_retries_names_their_status() -> None:
    lines = recorded("claude-rate-limited")
    retry = next(at for at, line in enumerate(lines) if b'"api_retry"' in line)
    report = read(lines[: retry + 1], None, PLAIN)
    assert (report.failed, report.api_status, report.usage) == (True, 429, ())


def test_an_error_that_a_retry_mended_is_none() -> None:
    retry = next(line for line in recorded("claude-rate-limited") if b'"api_retry"' in line)
    start, *rest = recorded("claude-two-tools")
    assert read([start, retry, *rest], 0, PLAIN).api_status is None


def test_a_run_that_was_terminated_tells_no_usage() -> None:
    """Trap 15."""
    report = read(recorded("claude-terminated"), 143, CALL)
    assert (report.failed, report.usage, report.cost_usd, report.turns) == (True, (), None, 1)
    assert report.skill_read is False


def test_the_model_declined() -> None:
    report = read(recorded("claude-refusal"), 1, PLAIN)
    assert (report.refused, report.failed, report.answer) == (True, True, None)
    assert not read(recorded("claude-rate-limited"), 1, PLAIN).refused


def test_nothing_printed_is_a_failure_of_which_nothing_is_known() -> None:
    report = read([], 1, CALL)
    assert report.failed
    assert (report.turns, report.skills_listed, report.skill_read) == (None, None, None)
    assert (report.usage, report.sessions) == ((), 0)


@pytest.mark.parametrize("name", STREAMS)
def test_unknown_lines_and_fields_change_nothing(name: str) -> None:
    """Trap 17: events and fields differ between versions."""
    lines = recorded(f"claude-{name}")
    noisy = [
        each
        for line in lines
        for each in (
            *NOISE,
            json.dumps(json.loads(line) | {"novelty": {"usage": [1]}}).encode(),
            *NOISE,
        )
    ]
    assert read(noisy, 0, CALL) == read(lines, 0, CALL)


def changed(line: bytes, **fields: Any) -> bytes:
    return json.dumps(json.loads(line) | fields).encode()


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        "much",
        {"": {"inputTokens": 1}},
        {"claude latest": {}},
        {"a b": {"inputTokens": 1}},
    ],
)
def test_usage_of_a_model_without_a_name_is_unknown(told: object) -> None:
    *lines, last = recorded("claude-two-tools")
    assert read([*lines, changed(last, modelUsage=told)], 0, CALL).usage == ()


@pytest.mark.parametrize("count", [None, -1, "7", 1.5, True, 2**60])
def test_a_count_that_is_none_is_unknown_and_not_zero(count: object) -> None:
    *lines, last = recorded("claude-two-tools")
    told = {"claude-sonnet-4-5": {"inputTokens": count, "outputTokens": 3}}
    report = read([*lines, changed(last, modelUsage=told)], 0, CALL)
    assert [(usage.input_tokens, usage.output_tokens) for usage in report.usage] in (
        [(None, 3)],
        [],  # of a count beyond what a row may hold the whole usage is unknown
    )


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("Skill", {"skill": "pelican"}, True),
        ("Skill", {"skill": "flamingo"}, False),
        ("Read", {"file_path": "/agent/config/skills/pelican/SKILL.md"}, True),
        ("Read", {"file_path": "/agent/config/skills/my-pelican/SKILL.md"}, False),
        ("Read", {"file_path": "/agent/config/skills/pelican/references/beak.md"}, False),
        ("Bash", {"command": "cat $CLAUDE_CONFIG_DIR/skills/pelican/SKILL.md | head"}, True),
        ("Bash", {"command": ["pelican/SKILL.md"]}, False),
        ("Write", {"file_path": "/agent/work/pelican/SKILL.md"}, False),
    ],
)
def test_a_skill_was_read_when_one_of_the_tools_opened_it(
    name: str, given: dict[str, Any], expected: bool
) -> None:
    start = recorded("claude-two-tools")[0]
    block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}
    message = {"id": "msg_1", "model": "claude-sonnet-4-5", "content": [block]}
    line = json.dumps({"type": "assistant", "message": message}).encode()
    assert read([start, line], None, CALL).skill_read is expected


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [("/pelican", True), ("/pelican in blue", True), ("/pelicans", False), ("see /pelican", False)],
)
def test_a_prompt_that_begins_with_the_skill_reads_it(prompt: str, expected: bool) -> None:
    start = recorded("claude-two-tools")[0]
    call = Call(prompt, "claude-sonnet-4-5", "agent", skill=SKILL)
    assert read([start], None, call).skill_read is expected
