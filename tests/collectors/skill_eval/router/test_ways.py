"""Whole runs of agents in their arms: what they find and load, what reaches them, what is kept."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import pytest

from collectors.harness import attempt, skills
from collectors.harness.attempt import Execution
from collectors.harness.failures import NotBegun
from collectors.harness.folders import RunFolder
from collectors.harness.sandbox.workspace import Workspace
from collectors.skill_eval.router import arms, ways
from collectors.skill_eval.router import connector as connectors
from collectors.skill_eval.router.connector import TAG
from collectors.skill_eval.router.desk import Source
from collectors.skill_eval.router.exclusion import Exclusion
from collectors.skill_eval.stages.arms import Ready
from tests.collectors.harness.conftest import installed, whole
from tests.collectors.skill_eval.router.conftest import (
    BODY,
    EXCLUDED,
    OPEN,
    SECRET,
    Connectable,
    events,
)
from tests.support import catalog_stand_in, connector_stand_in
from tests.support.whole import Reply, Whole

__all__ = ["whole"]

FIND_SKILLS = skills.read(arms.SKILL)
LOADS = f"npx skills add acme/skills@{OPEN} -g -y"


def ran(
    whole: Whole, ready: Ready, folder: RunFolder, *replies: Reply, **call: Any
) -> tuple[Execution, list[str]]:
    """Run an agent in an arm; return what came of it, and each request of its model."""
    with (
        whole.serving(*replies) as server,
        ready(whole.call(**call), whole.setting(server), folder) as (made, setting),
    ):
        ended = attempt.run(made, setting, folder)
        return ended, [json.dumps(each.body) for each in server.asked]


@pytest.mark.agents
def test_an_agent_searches_and_loads(
    whole: Whole, searching: Source, exclusion: Exclusion, folder: RunFolder
) -> None:
    ended, asked = ran(
        whole,
        ways.BySearch(searching, exclusion),
        folder,
        whole.shell("npx -y skills find slide design"),
        whole.shell(f"npx skills@latest add acme/skills@{OPEN} -g -y"),
        whole.shell(f"cat $SKILLS_FOLDER/{OPEN}/SKILL.md $SKILLS_FOLDER/{OPEN}/references/more.md"),
        whole.shell(f"npx skills add acme/skills@{EXCLUDED} -g -y"),
        skill=FIND_SKILLS,
    )
    assert (ended.outcome, ended.report.answer) == ("completed", "Done.")
    assert "find-skills" in asked[0]
    assert f"acme/skills@{OPEN} 40 installs" in asked[1]
    assert BODY in asked[3]
    assert f"MORE-OF-{OPEN}" in asked[3]
    assert EXCLUDED not in "".join(asked[:4])
    assert "This skill is not available." in asked[4]
    assert SECRET not in "".join(asked)
    assert events(folder.root) == [
        ("search", "slide design"),
        ("load", f"acme/skills@{OPEN}"),
        ("refusal", f"acme/skills@{EXCLUDED} -g -y"),
    ]


@pytest.mark.agents
@pytest.mark.parametrize(("name", "form"), [("claude", "command"), ("codex", "url")])
def test_an_agent_has_a_connector(
    name: str, form: str, connector: Connectable, exclusion: Exclusion, folder: RunFolder
) -> None:
    whole = Whole(installed(name))

    def tool(called: str, **given: Any) -> Reply:
        if name == "claude":
            return whole.message({"name": f"mcp__edge__{called}", "input": given})
        return whole.message({"name": called, "namespace": "mcp__edge", "arguments": given})

    served: AbstractContextManager[str] = (
        connector_stand_in.serving(connector.file)
        if form == "url"
        else nullcontext(connector.command)
    )
    with served as given:
        ended, asked = ran(
            whole,
            ways.ByConnector(connectors.parse(given), {}, exclusion),
            folder,
            tool("find_skill", query="slides"),
            tool("use_skill", skill=OPEN),
            tool("use_skill", skill=17),
            tool("use_skill", skill=EXCLUDED),
            tool("find_skill", query="more"),
        )
    assert (ended.outcome, ended.report.answer) == ("completed", "Done.")
    assert connector_stand_in.INSTRUCTIONS in asked[0]
    assert OPEN in asked[1]
    assert EXCLUDED not in asked[1]
    assert "Makes slides" not in "".join(asked)
    assert BODY in asked[2]
    assert SECRET not in "".join(asked)
    assert events(folder.root) == [
        ("search", "slides"),
        ("load", OPEN),
        ("refusal", '{"skill": 17}'),
        ("refusal", EXCLUDED),
        ("search", "more"),
    ]
    called = [noted["tool"] for noted in connector.noted()]
    assert called == ["find_skill", "use_skill", "find_skill"]
    assert {noted["client"] for noted in connector.noted()} == {TAG}


def test_an_agent_adds_to_the_record_only_what_it_asks_for(
    scripted: Whole, source: Source, exclusion: Exclusion, folder: RunFolder
) -> None:
    _, asked = ran(
        scripted,
        ways.BySearch(source, exclusion),
        folder,
        scripted.shell(LOADS),
        scripted.shell(
            "find / -name retrieval.jsonl 2>/dev/null; ls /agent; echo x > /agent/bin/npx"
        ),
        scripted.shell('rm -rf /agent/bin; rm -rf "$(dirname /agent)"/agent/*; echo gone'),
    )
    assert "retrieval" not in asked[2].partition("echo x")[2]
    assert "Read-only file system" in asked[2]
    assert "gone" in asked[3]
    assert events(folder.root) == [("load", f"acme/skills@{OPEN}")]


def test_in_the_weaker_sandbox_it_finds_the_same(
    scripted: Whole, source: Source, exclusion: Exclusion, folder: RunFolder
) -> None:
    weaker = Workspace("it is asked for")

    def ready(call: Any, setting: Any, where: RunFolder) -> Any:
        return ways.BySearch(source, exclusion)(call, replace(setting, sandbox=weaker), where)

    _, asked = ran(
        scripted,
        ready,
        folder,
        scripted.shell(LOADS),
        scripted.shell(f"cat {folder.skills}/{OPEN}/SKILL.md"),
    )
    assert BODY in asked[2]
    assert events(folder.root) == [("load", f"acme/skills@{OPEN}")]


def test_without_a_way_the_record_is_there_and_empty(scripted: Whole, folder: RunFolder) -> None:
    ended, asked = ran(scripted, ways.without, folder, scripted.shell("env"))
    assert ended.outcome == "completed"
    assert "SKILLS_" not in asked[1]
    assert events(folder.root) == []


def test_what_does_not_answer_keeps_a_run_from_beginning(
    scripted: Whole,
    source: Source,
    catalog: catalog_stand_in.Catalog,
    exclusion: Exclusion,
    folder: RunFolder,
) -> None:
    catalog.status = 503
    with pytest.raises(NotBegun, match=f"the catalog {catalog.url}: answers with status 503"):
        ran(scripted, ways.BySearch(source, exclusion), folder)
    (folder.root / "retrieval.jsonl").unlink()
    dead = connectors.parse("sh -c 'exit 1'")
    with pytest.raises(NotBegun, match="connector sh: does not answer"):
        ran(scripted, ways.ByConnector(dead, {}, exclusion), folder)
