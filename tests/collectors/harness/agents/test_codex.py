"""The real codex, as its driver starts it: what it sees, does, uses and tells."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from benchdata.contracts.usage import ModelUsage
from collectors.harness import skills
from collectors.harness.agents.codex import TOKEN
from collectors.harness.agents.driver import AgentDriver
from collectors.harness.failures import reason_of
from collectors.harness.folders import RunFolder
from tests.support.driven import MODEL, PLACEHOLDER, ask, drive, invoked, skill_in
from tests.support.pixels import PIXEL
from tests.support.responses_api import serving
from tests.support.scripted_api import Server

pytestmark = pytest.mark.agents

CANARY = "canary-4c1d"
USED = {"input_tokens": 900, "cached_tokens": 300, "output_tokens": 40, "reasoning_tokens": 8}


def shown(server: Server) -> str:
    """Return all that the model was told."""
    return json.dumps([asked.body for asked in server.asked])


def shell(command: str) -> dict[str, Any]:
    return {"name": "exec_command", "arguments": {"cmd": command}}


def test_usage_is_that_of_the_script_without_what_was_cached(
    codex: AgentDriver, folder: RunFolder
) -> None:
    """Trap 16: the model is pinned."""
    replies: list[dict[str, Any]] = [
        {"reasoning": "hm", "tool_calls": [shell("echo 1 > a"), shell("echo 2 > b")]},
        {"text": "Done."},
    ]
    with serving({"replies": [reply | {"usage": USED} for reply in replies]}) as server:
        done = drive(codex, ask(codex), folder, server.url)
    assert (done.code, done.report.failed, done.report.answer) == (0, False, "Done.")
    assert done.report.usage == (
        ModelUsage(
            model=MODEL["responses"],
            input_tokens=1200,
            output_tokens=80,
            cache_creation_tokens=0,
            cache_read_tokens=600,
        ),
    )
    assert {asked.body["model"] for asked in server.asked} == {MODEL["responses"]}
    assert [(folder.work / name).read_text() for name in "ab"] == ["1\n", "2\n"]


def test_commands_run_although_the_run_lies_under_the_temporary_folder(
    codex: AgentDriver, folder: RunFolder
) -> None:
    """Trap 1: with its settings within the temporary folder it says nothing and runs nothing."""
    environment = invoked(codex, ask(codex), folder, "http://127.0.0.1").environment
    assert not Path(environment["CODEX_HOME"]).is_relative_to(environment["TMPDIR"])
    with serving({"replies": [{"tool_calls": [shell("echo ran > proof")]}]}) as server:
        done = drive(codex, ask(codex), folder, server.url)
    assert (folder.work / "proof").read_text() == "ran\n"
    assert "PATH aliases" not in done.stderr


def test_the_skill_is_shown_and_its_references_can_be_read(
    codex: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    """Traps 6 and 8."""
    skill = skills.read(skill_in(tmp_path))
    place = folder.skills / "pelican"
    command = shell(f"cat {place}/SKILL.md {place}/references/beak.md")
    with serving({"replies": [{"tool_calls": [command]}]}) as server:
        done = drive(codex, ask(codex, skill=skill), folder, server.url)
    first, last = (json.dumps(server.asked[at].body) for at in (0, -1))
    assert "Draws pelicans well." in first
    assert "BEAK-AND-POUCH" in last
    assert first.count("SKILL.md") >= 1
    assert done.report.skill_read is True
    assert done.report.skills_listed is None


def test_whether_an_unopened_skill_was_read_is_unknown(
    codex: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    skill = skills.read(skill_in(tmp_path))
    with serving({}) as server:
        done = drive(codex, ask(codex, skill=skill), folder, server.url)
    assert done.report.skill_read is None


def test_without_a_skill_none_is_shown_and_nothing_leaks_from_above(
    codex: AgentDriver, folder: RunFolder
) -> None:
    """Traps 6 and 7; the tools for subagents, the web and goals are off."""
    for place in (folder.root, folder.agent, folder.work):
        (place / "AGENTS.md").write_text("LEAK")
        (place / "CLAUDE.md").write_text("LEAK")
    for place in (folder.root, folder.agent):
        (place / ".agents" / "skills" / "leaky").mkdir(parents=True)
        (place / ".agents" / "skills" / "leaky" / "SKILL.md").write_text(
            "---\nname: leaky\ndescription: LEAK\n---\n"
        )
    with serving({}) as server:
        drive(codex, ask(codex), folder, server.url)
    assert "LEAK" not in shown(server)
    assert "SKILL.md" not in shown(server)
    tools = {each.get("name", each["type"]) for each in server.asked[0].body["tools"]}
    assert tools == {
        *("exec_command", "write_stdin", "request_user_input", "apply_patch", "view_image")
    }


def test_the_placeholder_is_sent_and_commands_do_not_see_it(
    codex: AgentDriver, folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Traps 11 and 12."""
    for name in ("OPENAI_API_KEY", "CODEX_API_KEY", "GITHUB_TOKEN", TOKEN):
        monkeypatch.setenv(name, CANARY)
    with serving({"replies": [{"tool_calls": [shell("env")]}]}) as server:
        drive(codex, ask(codex), folder, server.url)
    assert server.asked[0].headers["authorization"] == f"Bearer {PLACEHOLDER}"
    assert "CODEX_HOME=" in shown(server)
    assert PLACEHOLDER not in shown(server)
    assert CANARY not in shown(server)


@pytest.mark.parametrize(
    ("status", "told", "reason"),
    [
        (401, 401, "auth"),
        (429, 429, "rate_limited"),
        (503, 503, "api_unavailable"),
        (500, None, "api_unavailable"),
        (400, None, None),
    ],
)
def test_an_error_of_the_api_ends_the_run(
    codex: AgentDriver, folder: RunFolder, status: int, told: int | None, reason: str | None
) -> None:
    """Of some statuses codex tells no number; the gateway knows them all."""
    with serving({"replies": [{"status": status, "consume": False}]}) as server:
        done = drive(codex, ask(codex), folder, server.url)
    assert (done.code, done.report.failed, done.report.api_status) == (1, True, told)
    assert done.report.usage == ()
    assert reason_of(status, done.report) == reason
    assert len(server.asked) <= 9
    assert done.seconds < 20


def test_a_model_that_nobody_serves_ends_the_run(codex: AgentDriver, folder: RunFolder) -> None:
    """By default codex asks for ever."""
    with serving({}) as server:
        gone = server.url
    done = drive(codex, ask(codex), folder, gone)
    assert (done.code, done.report.failed) == (1, True)
    assert done.seconds < 20


def test_a_setting_that_it_does_not_know_keeps_it_from_beginning(
    codex: AgentDriver, folder: RunFolder
) -> None:
    """Trap 17: else a version that calls a switch otherwise would run with what it switches."""
    extra = ("--config", "skills.gathered.enabled=false")
    with serving({}) as server:
        done = drive(codex, ask(codex), folder, server.url, extra=extra)
    assert not server.asked
    assert reason_of(None, done.report) == "setup_failed"


def test_without_its_placeholder_it_is_not_logged_in(codex: AgentDriver, folder: RunFolder) -> None:
    with serving({}) as server:
        done = drive(codex, ask(codex), folder, server.url, environment={TOKEN: ""})
    assert not server.asked
    assert reason_of(None, done.report) == "auth"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ended_by_a_signal_it_tells_no_usage(
    codex: AgentDriver, folder: RunFolder, number: signal.Signals
) -> None:
    """Trap 15: there only the gateway knows, either way."""

    def meanwhile(process: Popen[bytes]) -> None:
        server.wait_for(1)
        process.send_signal(number)

    with serving({"replies": [{"text": "late", "delay_s": 8}]}) as server:
        done = drive(codex, ask(codex), folder, server.url, meanwhile=meanwhile)
    assert (done.report.failed, done.report.usage) == (True, ())
    assert done.code in (1, -number)


def test_a_judge_sees_prompt_and_images_and_answers_in_the_schema(
    codex: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    images = (tmp_path / "arm-a.png", tmp_path / "arm-b.png")
    for image in images:
        image.write_bytes(PIXEL)
    schema = {
        "type": "object",
        "properties": {"score": {"type": "integer"}},
        "required": ["score"],
        "additionalProperties": False,
    }
    call = ask(
        codex,
        "Judge it.",
        tools="none",
        images=images,
        schema=schema,
        system='You are "the" judge. ü',
    )
    answer = {"text": '{"score": 3}'}
    with serving({"default": answer, "side": answer}) as server:
        done = drive(codex, call, folder, server.url)
    assert done.report.structured == {"score": 3}
    body = server.asked[0].body
    assert {each["name"] for each in body["tools"]} == {"request_user_input", "apply_patch"}
    assert body["text"]["format"]["schema"] == schema
    said = json.dumps(body, ensure_ascii=False)
    assert 'You are \\"the\\" judge. ü' in said
    assert "You are Codex" not in said
    assert said.count("data:image/png;base64,") == 2
    assert "arm-" not in said


@pytest.mark.parametrize(("tools", "written"), [("agent", ["x"]), ("none", [])])
def test_a_patch_of_a_judge_is_refused(
    codex: AgentDriver, folder: RunFolder, tools: str, written: list[str]
) -> None:
    """There is no switch for `apply_patch`."""
    patch = f"*** Begin Patch\n*** Add File: {folder.work}/x\n+x\n*** End Patch\n"
    replies = [{"tool_calls": [{"name": "apply_patch", "input": patch}]}]
    with serving({"replies": replies}) as server:
        done = drive(codex, ask(codex, tools=tools), folder, server.url)
    assert len(server.asked) == 2
    assert not done.report.failed
    assert [path.name for path in folder.work.iterdir()] == written


def test_a_prompt_reaches_the_model_as_it_is(codex: AgentDriver, folder: RunFolder) -> None:
    prompt = 'Use @a.txt, "ü" and -- \N{SNOWMAN}\n\n  as they are.'
    with serving({}) as server:
        drive(codex, ask(codex, prompt), folder, server.url)
    assert server.asked[0].body["input"][-1]["content"][-1]["text"] == prompt


def test_all_that_it_leaves_lies_in_the_run(codex: AgentDriver, folder: RunFolder) -> None:
    """Trap 18."""
    with serving({"replies": [{"tool_calls": [shell("echo x > $TMPDIR/left")]}]}) as server:
        drive(codex, ask(codex), folder, server.url)
    assert (folder.tmp / "left").exists()
    assert any(folder.config.glob("*.sqlite"))
    folder.remove()
    assert sorted(path.name for path in folder.root.iterdir()) == ["raw"]
