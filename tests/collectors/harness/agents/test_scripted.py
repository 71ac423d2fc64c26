"""The scripted agent, a real process: it does what a script says and tells exactly that."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import skills
from collectors.harness.agents.registry import driver
from collectors.harness.agents.scripted import PROGRAM
from collectors.harness.failures import reason_of
from collectors.harness.folders import RunFolder
from tests.support.driven import ask, drive, skill_in, tool
from tests.support.messages_api import serving
from tests.support.pixels import PIXEL

SCRIPTED = driver("scripted")
USED = {
    "input_tokens": 900,
    "output_tokens": 30,
    "cache_creation_input_tokens": 70,
    "cache_read_input_tokens": 5,
}


def test_it_writes_files_turn_by_turn_and_counts_what_it_used(folder: RunFolder) -> None:
    replies = [
        {
            "thinking": "hm",
            "text": "two",
            "usage": USED,
            "tool_calls": [
                tool("Write", file_path="{{cwd}}/a/b.txt", content="one\n"),
                tool("Bash", command="cat a/b.txt > c.txt; exit 3"),
            ],
        },
        {"tool_calls": [tool("Read", file_path="{{cwd}}/c.txt")], "usage": USED},
        {"text": "Done.", "usage": USED},
    ]
    with serving({"replies": replies}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED), folder, server.url)
    assert (done.code, done.stderr, done.report.answer) == (0, "", "Done.")
    assert (folder.work / "c.txt").read_text() == "one\n"
    [usage] = done.report.usage
    assert (usage.input_tokens, usage.output_tokens) == (2700, 90)
    assert (usage.cache_creation_tokens, usage.cache_read_tokens) == (210, 15)
    assert done.report.turns == 3
    told = server.asked[1].body["messages"][-1]["content"]
    assert [each["content"] for each in told] == [
        f"wrote {folder.work}/a/b.txt",
        "\n[exit 3]",
    ]


def test_what_a_command_leaves_running_does_not_hold_it_up(folder: RunFolder) -> None:
    replies = [{"tool_calls": [tool("Bash", command="sleep 20 & echo $! > pid")]}]
    with serving({"replies": replies}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED), folder, server.url)
    os.kill(int((folder.work / "pid").read_text()), signal.SIGKILL)
    assert not done.report.failed
    assert done.seconds < 10


def test_it_asks_the_gateway_itself_and_no_proxy(folder: RunFolder) -> None:
    proxies = dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY"), "http://127.0.0.1:9")
    with serving({}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED), folder, server.url, environment=proxies)
    assert not done.report.failed


def test_it_lists_and_reads_its_skill(folder: RunFolder, tmp_path: Path) -> None:
    skill = skills.read(skill_in(tmp_path))
    with serving({"replies": [{"tool_calls": [tool("Skill", skill="pelican")]}]}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED, skill=skill), folder, server.url)
    assert (done.report.skills_listed, done.report.skill_read) == (("pelican",), True)
    assert "Read references/beak.md first." in json.dumps(server.asked[-1].body)


def test_without_a_skill_none_is_listed(folder: RunFolder) -> None:
    with serving({}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED), folder, server.url)
    assert (done.report.skills_listed, done.report.skill_read) == ((), None)


@pytest.mark.parametrize(
    "call",
    [
        tool("Read", file_path="/nowhere/at/all"),
        tool("Write", file_path="a"),
        tool("Teleport", to="elsewhere"),
        tool("Skill", skill="absent"),
    ],
)
def test_a_tool_that_fails_is_told_to_the_model(folder: RunFolder, call: dict[str, Any]) -> None:
    with serving({"replies": [{"tool_calls": [call]}]}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED), folder, server.url)
    [result] = server.asked[1].body["messages"][-1]["content"]
    assert result["is_error"] is True
    assert not done.report.failed


@pytest.mark.parametrize(
    ("reply", "status", "reason"),
    [
        ({"status": 429}, 429, "rate_limited"),
        ({"status": 529}, 529, "api_unavailable"),
        ({"status": 401}, 401, "auth"),
        ({"status": 400}, 400, None),
        ({"drop": True}, None, None),
    ],
)
def test_an_error_of_the_api_ends_it(
    folder: RunFolder, reply: dict[str, Any], status: int | None, reason: str | None
) -> None:
    with serving({"replies": [reply]}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED), folder, server.url)
    assert (done.code, done.report.failed, done.report.api_status) == (1, True, status)
    assert reason_of(None, done.report) == reason
    assert len(server.asked) == 1


def test_an_interrupt_lets_it_tell_what_it_used(folder: RunFolder) -> None:
    def meanwhile(process: subprocess.Popen[bytes]) -> None:
        server.wait_for(2)
        process.send_signal(signal.SIGINT)

    replies = [
        {"tool_calls": [tool("Bash", command="echo x > a")]},
        {"text": "late", "delay_s": 8},
    ]
    with serving({"replies": replies}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED), folder, server.url, meanwhile=meanwhile)
    assert (done.code, done.report.failed) == (1, True)
    assert [usage.input_tokens for usage in done.report.usage] == [100]
    assert done.seconds < 6


def test_usage_that_was_not_told_stays_unknown(folder: RunFolder) -> None:
    replies = [{"tool_calls": [tool("Bash", command="true")], "usage": None}]
    with serving({"replies": replies}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED), folder, server.url)
    assert [usage.input_tokens for usage in done.report.usage] == [None]


def test_the_model_declined(folder: RunFolder) -> None:
    with serving({"default": {"text": "I cannot.", "stop_reason": "refusal"}}) as server:
        done = drive(SCRIPTED, ask(SCRIPTED), folder, server.url)
    assert done.report.refused


def test_a_judge_has_no_tools_sees_images_and_answers_in_the_schema(
    folder: RunFolder, tmp_path: Path
) -> None:
    image = tmp_path / "arm-b.png"
    image.write_bytes(PIXEL)
    call = ask(
        SCRIPTED,
        "Judge it.",
        tools="none",
        images=(image,),
        schema={"type": "object"},
        system="A judge.",
    )
    with serving({"side": {"text": '{"score": 3}'}}) as server:
        done = drive(SCRIPTED, call, folder, server.url)
    assert done.report.structured == {"score": 3}
    body = server.asked[0].body
    assert "tools" not in body
    assert body["system"] == "A judge."
    assert body["messages"][0]["content"][-1]["source"]["media_type"] == "image/png"
    assert "arm-b" not in json.dumps(body)


def test_the_program_needs_nothing_but_the_standard_library() -> None:
    """It runs where no package is: without `site`, and apart from this project."""
    checked = subprocess.run(
        [SCRIPTED.readable()[1] / "bin" / "python3", "-I", "-S", PROGRAM],
        input=b"{}",
        capture_output=True,
        check=False,
        cwd="/",
    )
    assert b"KeyError" in checked.stderr
    assert b"ModuleNotFoundError" not in checked.stderr
