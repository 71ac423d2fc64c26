"""From what is asked to what is bound: agent, model, who pays, runs, and the digest of it all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchdata.errors import BenchdataError
from benchdata.stats import pricing
from collectors.harness import stage_file
from collectors.harness.agents import programs
from collectors.harness.user_settings import ENDPOINT, MODELS, PRICES
from collectors.skill_eval.catalog import MIRROR
from collectors.skill_eval.graders import grading
from tests.collectors.skill_eval.conftest import commit
from tests.support.benchmarks import SUM, resolved, skill, written

STAND_IN = {ENDPOINT: "http://127.0.0.1:9"}


def programs_in(folder: Path, *names: str) -> Path:
    """Return a folder of programs that name a version."""
    folder.mkdir()
    for name in names:
        (folder / name).write_text("#!/bin/sh\necho 1.2.3\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let only the named programs be installed."""

    def only(*names: str) -> None:
        place = programs_in(tmp_path / "bin", *names)
        monkeypatch.setattr(programs, "PINNED", place)
        monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")

    return only


@pytest.mark.parametrize(
    ("there", "agent", "model"),
    [
        (("claude", "codex"), "claude", "claude-opus-5-5"),
        (("codex",), "codex", "gpt-5.5"),
    ],
)
def test_the_agent_is_whichever_is_installed(
    tmp_path: Path, bare: Callable[..., None], there: tuple[str, ...], agent: str, model: str
) -> None:
    bare(*there)
    found = resolved(written(tmp_path / "spec", agent=None), STAND_IN)
    assert (found.setting.driver.name, found.model, found.agent_version) == (agent, model, "1.2.3")


def test_without_an_agent_it_says_what_to_do(tmp_path: Path, bare: Callable[..., None]) -> None:
    bare()
    with pytest.raises(BenchdataError, match=r"none of claude, codex is installed; .* scripted"):
        resolved(written(tmp_path / "spec", agent=None))
    with pytest.raises(BenchdataError, match="claude: not found on PATH"):
        resolved(written(tmp_path / "spec", agent="claude"))


@pytest.mark.parametrize(
    ("changes", "skills", "runs"),
    [({}, 1, 1), ({}, 2, 2), ({}, 6, 2), ({"runs": 5}, 1, 5), ({"runs": 1}, 3, 1)],
)
def test_several_skills_are_run_twice_where_nobody_says(
    tmp_path: Path, changes: dict[str, Any], skills: int, runs: int
) -> None:
    names = [skill(tmp_path / "spec" / f"skill-{number}").name for number in range(skills)]
    found = resolved(written(tmp_path / "spec", skills=names, **changes))
    assert (found.runs, len(found.arms)) == (runs, skills + 1)
    assert found.plan().executions == (skills + 1) * runs


def test_a_plan_has_its_largest_size(tmp_path: Path) -> None:
    tasks = [SUM | {"id": f"sum-{number}"} for number in range(51)]
    found = resolved(written(tmp_path / "spec", tasks=tasks[:50], runs=1_000))
    assert found.plan().executions == 100_000
    with pytest.raises(BenchdataError, match="are 102,000 executions; at most 100,000 fit"):
        resolved(written(tmp_path / "spec", tasks=tasks, runs=1_000))


def test_an_api_key_pays_for_nothing(tmp_path: Path, bare: Callable[..., None]) -> None:
    bare("claude")
    file = written(tmp_path / "spec", agent="claude")
    keys = {"ANTHROPIC_API_KEY": "sk-1", "OPENAI_API_KEY": "sk-2"}
    with pytest.raises(BenchdataError, match="subscription needs CLAUDE_CODE_OAUTH_TOKEN"):
        resolved(file, keys)
    found = resolved(file, keys | {"CLAUDE_CODE_OAUTH_TOKEN": "token-1"})
    assert found.setting.payer.billing == "subscription"
    assert "Paid by the claude subscription of CLAUDE_CODE_OAUTH_TOKEN" in "".join(found.shown(2))
    assert "not used: ANTHROPIC_API_KEY, OPENAI_API_KEY." in "".join(found.shown(2))
    assert not [name for name in found.setting.payer.headers if name.lower() == "x-api-key"]


def test_the_scripted_agent_needs_its_script(tmp_path: Path) -> None:
    file = written(tmp_path / "spec")
    (tmp_path / "spec" / "scripted.json").unlink()
    with pytest.raises(BenchdataError, match=r"needs scripted\.json in "):
        resolved(file)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ([], "must be an object"),
        ({"replys": []}, "replys: is not a key here; did you mean `replies`?"),
        ({"routes": [{"whn": "x"}]}, "routes.0.whn: is not a key here"),
        ({"default": {"txt": "42"}}, "default.txt: is not a key here"),
        ({"replies": [{"status": 9}]}, "replies.0.status: must be greater than or equal to 100"),
        ({"default": None}, "default: must be an object"),
    ],
)
def test_a_script_with_another_key_is_refused(tmp_path: Path, script: Any, said: str) -> None:
    file = written(tmp_path / "spec")
    (tmp_path / "spec" / "scripted.json").write_text(json.dumps(script))
    with pytest.raises(BenchdataError) as failure:
        resolved(file)
    assert str(failure.value) == f"scripted.json: {said}"


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, True),
        ({"runs": 7}, True),
        ({"concurrency": 4}, True),
        ({"name": "other"}, True),
        ({"timeout": 5_000}, False),
        ({"model": "scripted-2"}, False),
        ({"category": "other"}, False),
        ({"tasks": [SUM | {"expected": "43"}]}, False),
        ({"script": {"default": {"text": "x"}}}, False),
    ],
)
def test_the_digest_is_of_what_makes_results_comparable(
    tmp_path: Path, changes: dict[str, Any], same: bool
) -> None:
    before = resolved(written(tmp_path / "spec"))
    after = resolved(written(tmp_path / "spec", **changes))
    digests = {stage_file.digest(found.spec) for found in (before, after)}
    assert (len(digests) == 1) == same


def test_the_digest_is_of_the_skills_bytes(tmp_path: Path) -> None:
    before = resolved(written(tmp_path / "spec"))
    (tmp_path / "spec" / "mine" / "more.md").write_text("More.\n")
    assert resolved(written(tmp_path / "spec")).spec != before.spec


def test_the_judge_is_pinned_by_model_and_prompt(tmp_path: Path) -> None:
    task = {"id": "sum", "prompt": "6 x 7?", "grader": "llm-judge", "reference": "42"}
    found = resolved(written(tmp_path / "spec", tasks=[task]))
    assert found.spec["judge"] == {"model": "scripted", "prompt": grading.prompt_digest()}
    assert resolved(written(tmp_path / "spec")).spec["judge"] is None


def test_references_come_from_the_mirror(tmp_path: Path, mirror: Path) -> None:
    file = written(tmp_path / "spec", skills=["edge:acme/skills@reader"])
    found = resolved(file, {MIRROR: str(mirror)})
    assert [arm.name for arm in found.arms] == ["none", "acme/skills@reader"]
    assert len(found.notes) == 1


def test_the_plan_names_the_commit_of_a_skill(tmp_path: Path, mirror: Path) -> None:
    head = commit(mirror / "acme" / "skills")
    file = written(tmp_path / "spec", skills=["acme/skills@reader", "none", "mine"])
    found = resolved(file, {MIRROR: str(mirror)})
    assert found.notes == (f"Skill: acme/skills@reader of commit {head}.",)


def test_prices_may_be_ones_own(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        "scripted = { input = 1.0, output = 1.0, cache_write = 1.0, cache_read = 1.0,"
        ' as_of = 2026-12-01, source = "a test" }\n'
    )
    file = written(tmp_path / "spec")
    plan = resolved(file, {PRICES: str(prices)}).plan()
    assert plan.estimate
    assert plan.estimate.usd_each == pytest.approx(0.0148, abs=1e-5)
    free = resolved(file).plan()
    assert free.estimate
    assert free.estimate.usd_each == 0


def test_the_plan_can_be_kept(tmp_path: Path) -> None:
    found = resolved(written(tmp_path / "spec"))
    assert json.loads(json.dumps(found.spec)) == found.spec
    assert found.shown(2)[-1] == "Baseline: an arm without a skill is added."
    assert ", 1 still to run" in found.shown(1)[0]


def test_the_models_where_none_is_named_have_a_price() -> None:
    prices = pricing.load()
    for model in MODELS.values():
        assert prices.of(model).as_of
