"""`benchdata collect skill-eval router`: its plan, its refusals, its rows and records."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from collectors.harness import skills
from collectors.harness.user_settings import ENDPOINT
from collectors.skill_eval.catalog import MIRROR
from collectors.skill_eval.router import arms
from collectors.skill_eval.router.listing import ENDPOINT as SEARCH
from tests.collectors.harness.conftest import installed
from tests.collectors.skill_eval.router.conftest import (
    EXCLUDED,
    OPEN,
    SECRET,
    Connectable,
    events,
    source_of,
)
from tests.support import catalog_stand_in, connector_stand_in, messages_api, open_tasks
from tests.support.benchmarks import bash
from tests.support.command import Done
from tests.support.driven import tool

LOADS = bash(f"npx skills find slides; npx skills add acme/skills@{OPEN} -g -y")
DONE = {"text": "Done."}
DRAWS = bash("cp good.png page.png")
SCRIPT: Mapping[str, Any] = {
    "routes": [{"when": "Skills: find-skills", "replies": [LOADS, DRAWS]}],
    "replies": [bash("cp bad.png page.png")],
    "default": DONE,
}


@pytest.fixture
def variables(catalog: catalog_stand_in.Catalog, tmp_path: Path) -> Mapping[str, str]:
    """What leads the search, and what it finds, to stand-ins."""
    source_of(tmp_path, catalog.url)
    return {SEARCH: catalog.url, MIRROR: str(tmp_path / "mirror")}


def routed(
    folder: Path, variables: Mapping[str, str], *arguments: str, agent: str = "scripted"
) -> Done:
    """Run the command on a suite of one task, where there is none yet."""
    if not (folder / "suite").exists():
        open_tasks.suite(folder / "suite", ("one",), script=SCRIPT)
    flags = ("--suite", folder / "suite", "--out", folder / "out", "--agent", agent)
    with patch.dict(os.environ, variables):
        return open_tasks.commanded("router", *flags, *open_tasks.JUDGED_BY, *arguments)


@pytest.mark.agents
@pytest.mark.usefixtures("skills_program")
def test_two_arms_without_a_connector(tmp_path: Path, variables: Mapping[str, str]) -> None:
    done = routed(tmp_path, variables, "--exclude", f"acme/skills@{EXCLUDED}", "--yes")
    assert done.code == 0, done.err
    assert "4 executions" in done.err
    for said in (
        f"Excluded: {EXCLUDED}, in whatever repository.",
        "Connector: none is given, so the arm edge is left out.",
        f"Search: find-skills asks {variables[SEARCH]}, by `skills` 1.",
    ):
        assert said in done.err
    out = tmp_path / "out"
    rows = open_tasks.runs(out)
    assert sorted((row["arm"], row["repeat"]) for row in rows) == [
        (arm, repeat) for arm in ("base", "find-skills") for repeat in (1, 2)
    ]
    for row in rows:
        found = row["arm"] == "find-skills"
        assert (row["stage"], row["outcome"]) == ("router", "completed")
        assert (row["skill_digest"] is None, row["skill_installed"]) == (not found, found)
        kept = out / ".runs" / row["run_id"]
        loaded = [("search", "slides"), ("load", f"acme/skills@{OPEN}")]
        assert events(kept) == (loaded if found else [])
        assert (kept / "artefact" / "page.png").exists()
    spec = json.loads((out / "stage.json").read_text())["experiment"]["spec"]
    assert [*spec["arms"]] == ["base", "find-skills"]
    assert spec["arms"]["find-skills"]["excluded"] == [EXCLUDED]
    again = routed(tmp_path, variables, "--exclude", "another", "--yes")
    assert again.code == 1
    assert len(open_tasks.runs(out)) == 4


@pytest.mark.agents
@pytest.mark.slow
@pytest.mark.usefixtures("skills_program")
def test_three_arms_of_a_real_agent(
    tmp_path: Path, variables: Mapping[str, str], connector: Connectable
) -> None:
    installed("claude")
    found = [
        {"tool_calls": [tool("mcp__edge__find_skill", query="slides")]},
        {"tool_calls": [tool("mcp__edge__use_skill", skill=OPEN)]},
        {"tool_calls": [tool("mcp__edge__use_skill", skill=EXCLUDED)]},
    ]
    routes = [
        {"when": connector_stand_in.INSTRUCTIONS, "replies": [*found, DONE] * 2},
        {"when": "find-skills", "replies": [LOADS, DONE] * 2},
    ]
    open_tasks.suite(tmp_path / "suite", ("one",))
    with messages_api.serving({"routes": routes, "default": DONE}) as server:
        done = routed(
            tmp_path,
            {**variables, ENDPOINT: server.url},
            *("--exclude", EXCLUDED, "--connector", connector.command, "--yes"),
            agent="claude",
        )
        asked = "".join(json.dumps(each.body) for each in server.asked)
    assert done.code == 0, done.err
    assert "Connector: stand-in 1.2.3 of env, with 3 tools." in done.err
    assert SECRET not in asked
    out = tmp_path / "out"
    wanted = {
        "base": [],
        "find-skills": [("search", "slides"), ("load", f"acme/skills@{OPEN}")],
        "edge": [("search", "slides"), ("load", OPEN), ("refusal", EXCLUDED)],
    }
    rows = open_tasks.runs(out)
    assert sorted(row["arm"] for row in rows) == sorted([*wanted, *wanted])
    for row in rows:
        assert events(out / ".runs" / row["run_id"]) == wanted[row["arm"]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--connector", "env x"), "connector: the agent scripted speaks no MCP"),
        (("--exclude", "a,b/c"), "exclude: b/c: must be a skill's name, or owner/repo@skill"),
    ],
)
def test_what_cannot_be_carried_out_is_refused(
    tmp_path: Path, arguments: tuple[str, str], said: str
) -> None:
    done = routed(tmp_path, {}, *arguments, "--yes")
    assert done.code == 1
    assert said in done.err
    assert not (tmp_path / "out").exists()


def test_the_shipped_skill_is_one_and_says_what_the_desk_answers() -> None:
    text = (arms.SKILL / "SKILL.md").read_text()
    assert skills.read(arms.SKILL).name == "find-skills"
    assert "npx skills find KEYWORDS" in text
    assert "npx skills add owner/repo@skill -g -y" in text
