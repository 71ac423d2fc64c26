"""The real Claude Code, as its driver starts it: what it sees, does, costs and tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts.usage import ModelUsage
from collectors.harness import skills
from collectors.harness.agents.claude import CREDENTIAL
from collectors.harness.agents.driver import AgentDriver
from collectors.harness.folders import RunFolder
from tests.support.driven import MODEL, PLACEHOLDER, ask, drive, invoked, skill_in, tool
from tests.support.messages_api import serving
from tests.support.pixels import PIXEL
from tests.support.scripted_api import Server

pytestmark = pytest.mark.agents

CANARY = "canary-4c1d"
USED = {
    "input_tokens": 900,
    "output_tokens": 30,
    "cache_creation_input_tokens": 70,
    "cache_read_input_tokens": 5,
}


def shown(server: Server) -> str:
    """Return all that the model was told."""
    return json.dumps([asked.body for asked in server.asked])


def test_usage_and_cost_are_those_of_the_script(claude: AgentDriver, folder: RunFolder) -> None:
    """Traps 2, 5 and 16: no sum of `assistant` lines, no word of success, a pinned model."""
    replies = [
        {
            "thinking": "hm",
            "text": "two at once",
            "usage": USED,
            "tool_calls": [
                tool("Write", file_path="{{cwd}}/a.svg", content="<svg/>"),
                tool("Bash", command="cp a.svg b.svg"),
            ],
        },
        {"text": "Done.", "usage": USED},
    ]
    with serving({"replies": replies}) as server:
        done = drive(claude, ask(claude), folder, server.url)
    assert (done.code, done.report.failed, done.report.answer) == (0, False, "Done.")
    assert done.report.usage == (
        ModelUsage(
            model=MODEL["messages"],
            input_tokens=1800,
            output_tokens=60,
            cache_creation_tokens=140,
            cache_read_tokens=10,
        ),
    )
    assert (done.report.turns, done.report.sessions) == (2, 1)
    assert done.report.cost_usd is not None
    assert {asked.body["model"] for asked in server.asked} == {MODEL["messages"]}
    assert (folder.work / "b.svg").read_text() == "<svg/>"
    lines = folder.stdout.read_bytes().splitlines()
    naive = [json.loads(line) for line in lines]
    assert sum(line["type"] == "assistant" for line in naive) > done.report.turns


def test_the_skill_is_listed_and_its_references_can_be_read(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    """Trap 8: files beside a skill lie outside the work folder."""
    skill = skills.read(skill_in(tmp_path))
    place = folder.skills / "pelican" / "references" / "beak.md"
    replies = [
        {"tool_calls": [tool("Skill", skill="pelican")]},
        {"tool_calls": [tool("Read", file_path=str(place))]},
        {"tool_calls": [tool("Bash", command=f"cat {place}")]},
    ]
    with serving({"replies": replies}) as server:
        done = drive(claude, ask(claude, skill=skill), folder, server.url)
    assert done.report.skills_listed == ("pelican",)
    assert done.report.skill_read is True
    assert "Draws pelicans well." in shown(server)
    last = json.dumps(server.asked[-1].body)
    assert last.count("BEAK-AND-POUCH") == 2


def test_without_a_skill_none_is_listed_and_nothing_leaks_from_above(
    claude: AgentDriver, folder: RunFolder
) -> None:
    """Traps 6 and 7: bundled skills, and instructions and skills of the folders above."""
    for place in (folder.root, folder.agent, folder.work):
        (place / "CLAUDE.md").write_text("LEAK")
        (place / "AGENTS.md").write_text("LEAK")
        (place / ".claude" / "skills" / "leaky").mkdir(parents=True)
        (place / ".claude" / "skills" / "leaky" / "SKILL.md").write_text(
            "---\nname: leaky\ndescription: LEAK\n---\n"
        )
    with serving({}) as server:
        done = drive(claude, ask(claude), folder, server.url)
    assert done.report.skills_listed == ()
    assert done.report.skill_read is None
    assert "LEAK" not in shown(server)
    tools = {each["name"] for each in server.asked[0].body["tools"]}
    assert tools == {"Bash", "Edit", "Glob", "Grep", "Read", "Skill", "Write"}


def test_a_skill_that_nobody_opens_is_installed_and_listed_but_not_read(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    skill = skills.read(skill_in(tmp_path))
    with serving({}) as server:
        done = drive(claude, ask(claude, skill=skill), folder, server.url)
    assert (done.report.skills_listed, done.report.skill_read) == (("pelican",), False)


def test_a_prompt_that_names_the_skill_has_it_read(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    skill = skills.read(skill_in(tmp_path))
    with serving({}) as server:
        done = drive(claude, ask(claude, "/pelican now", skill=skill), folder, server.url)
    assert done.report.skill_read is True
    assert "Read references/beak.md first." in shown(server)


@pytest.mark.parametrize(
    ("billing", "header", "value"),
    [
        ("subscription", "authorization", f"Bearer {PLACEHOLDER}"),
        ("api-key", "x-api-key", PLACEHOLDER),
    ],
)
def test_one_credential_is_sent_and_it_is_the_placeholder(
    claude: AgentDriver,
    folder: RunFolder,
    monkeypatch: pytest.MonkeyPatch,
    billing: Any,
    header: str,
    value: str,
) -> None:
    """Traps 11 and 12: of two the API key wins, and the agent's commands see the environment."""
    for name in (*CREDENTIAL.values(), "ANTHROPIC_AUTH_TOKEN", "GITHUB_TOKEN"):
        monkeypatch.setenv(name, CANARY)
    replies = [{"tool_calls": [tool("Bash", command="env")]}]
    with serving({"replies": replies}) as server:
        done = drive(claude, ask(claude), folder, server.url, billing=billing)
    sent = server.asked[-1].headers
    assert not done.report.failed
    assert {name: sent[name] for name in ("authorization", "x-api-key") if name in sent} == {
        header: value
    }
    assert "CLAUDE_CONFIG_DIR=" in shown(server)
    assert CANARY not in shown(server)


def test_subagents_are_in_the_usage_and_every_group_is_read(
    claude: AgentDriver, folder: RunFolder
) -> None:
    """Traps 3 and 4; the driver leaves subagents out, so the test puts their tool back."""
    brief = tool("Agent", description="sub", prompt="You are ZED", subagent_type="general-purpose")
    script = {
        "replies": [{"tool_calls": [brief]}, {"text": "waiting"}, {"text": "All done."}],
        "routes": [
            {
                "opening": "You are ZED",
                "replies": [{"tool_calls": [tool("Bash", command="sleep 1; echo sub")]}],
                "default": {"text": "sub done"},
            }
        ],
    }
    with serving(script) as server:
        done = drive(claude, ask(claude), folder, server.url, extra=("--tools", "Agent,Bash"))
    assert (done.report.sessions, done.report.answer) == (2, "All done.")
    assert len(server.asked) == 5
    assert [each.input_tokens for each in done.report.usage] == [500]
    assert done.report.turns == 3


def test_a_judge_sees_prompt_and_images_and_answers_in_the_schema(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    image = tmp_path / "arm-b.png"
    image.write_bytes(PIXEL)
    schema = {
        "type": "object",
        "properties": {"score": {"type": "integer"}},
        "required": ["score"],
        "additionalProperties": False,
    }
    call = ask(
        claude,
        "Judge it.",
        tools="none",
        images=(image,),
        schema=schema,
        system="You are the judge.",
    )
    script = {"default": {"tool_calls": [tool("StructuredOutput", score=3)]}}
    with serving(script) as server:
        done = drive(claude, call, folder, server.url)
    assert done.report.structured == {"score": 3}
    body = server.asked[0].body
    assert [each["name"] for each in body["tools"]] == ["StructuredOutput"]
    assert body["system"][-1]["text"] == "You are the judge."
    assert '"image/png"' in shown(server)
    assert "arm-b" not in shown(server)


def test_a_prompt_reaches_the_model_as_it_is(claude: AgentDriver, folder: RunFolder) -> None:
    (folder.work / "a.txt").write_text("CONTENTS")
    prompt = 'Use @a.txt, "ü" and -- \N{SNOWMAN}\n\n  as they are.\n'
    with serving({}) as server:
        drive(claude, ask(claude, prompt), folder, server.url)
    said = server.asked[0].body["messages"][-1]["content"][-1]["text"]
    assert said.strip() == prompt.strip()
    assert "CONTENTS" not in shown(server)


def test_all_that_it_leaves_lies_in_the_run(claude: AgentDriver, folder: RunFolder) -> None:
    """Trap 18."""
    with serving({"replies": [{"tool_calls": [tool("Bash", command="date")]}]}) as server:
        drive(claude, ask(claude), folder, server.url)
    environment = invoked(claude, ask(claude), folder, server.url).environment
    assert environment["TMPDIR"] == str(folder.tmp)
    assert any(folder.tmp.iterdir())
    folder.remove()
    assert sorted(path.name for path in folder.root.iterdir()) == ["raw"]
