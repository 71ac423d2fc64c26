"""How every agent program is started: with paths that it sees, and with all it needs readable."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.harness import skills
from collectors.harness.agents.claude import BUNDLED
from collectors.harness.agents.driver import AgentDriver
from collectors.harness.billing import Access
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder
from tests.support.driven import PLACEHOLDER, ask, invoked, skill_in
from tests.support.pixels import PIXEL

ACCESS = Access("http://127.0.0.1:1", PLACEHOLDER, "subscription")


@pytest.mark.parametrize("tools", ["agent", "none"])
def test_no_path_leads_out_of_what_it_sees(
    any_agent: AgentDriver, folder: RunFolder, tmp_path: Path, tools: str
) -> None:
    image = tmp_path / "arm-b.png"
    image.write_bytes(PIXEL)
    call = ask(
        any_agent,
        tools=tools,
        skill=skills.read(skill_in(tmp_path)),
        images=(image,),
        schema={"type": "object"},
        system="Be brief.",
    )
    invocation = any_agent.invocation(
        call, folder, ACCESS, lambda path: f"/agent/{path.relative_to(folder.agent)}"
    )
    program, *arguments = invocation.argv
    written = [path.read_bytes() for path in folder.config.glob("*.toml")]
    told = [
        *(each.encode() for each in (*arguments, *invocation.environment.values())),
        *(invocation.stdin, *written),
    ]
    assert not [each for each in told if str(tmp_path).encode() in each or b"arm-b" in each]
    readable = any_agent.readable()
    assert any(Path(program).is_relative_to(path) for path in readable)
    assert all(path.is_absolute() and path.exists() for path in readable)


def test_the_skill_is_installed_as_it_was_read(
    any_agent: AgentDriver, folder: RunFolder, tmp_path: Path
) -> None:
    skill = skills.read(skill_in(tmp_path))
    invoked(any_agent, ask(any_agent, skill=skill), folder, "http://127.0.0.1:1")
    assert skills.digest_of(folder.skills / "pelican") == skill.digest


def test_the_prompt_is_no_argument(any_agent: AgentDriver, folder: RunFolder) -> None:
    """Arguments can be seen from outside and are bounded."""
    prompt = "secret task " * 100_000
    invocation = invoked(any_agent, ask(any_agent, prompt), folder, "http://127.0.0.1:1")
    assert prompt.encode() in invocation.stdin
    assert not any("secret task" in argument for argument in invocation.argv)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_skill_with_the_name_of_a_bundled_one_is_refused(
    claude: AgentDriver, folder: RunFolder, tmp_path: Path, name: str
) -> None:
    """Trap 6: its name would be switched off with it."""
    skill = skills.read(skill_in(tmp_path, name))
    with pytest.raises(SetupFailed, match="has a skill of this name"):
        invoked(claude, ask(claude, skill=skill), folder, "http://127.0.0.1:1")
