"""The real claude and codex against stand-ins: what a skill changes is what the rows say."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import judging
from collectors.harness.user_settings import ENDPOINT
from collectors.skill_eval import benchmark
from collectors.skill_eval.graders import grading
from tests.collectors.harness.conftest import installed
from tests.support import messages_api, responses_api
from tests.support.benchmarks import collected, rows_of, skill, written
from tests.support.command import Done
from tests.support.scripted_api import Server

pytestmark = pytest.mark.agents

SKILL = "kestrel-notes"
ARM = f"local:{SKILL}"
SHOWN = f"Says how {SKILL} is done."
BODY = "PLUMAGE-IS-RUFOUS"
JUDGE = "You compare an answer with a reference."
RIGHT, WRONG = "It hovers, and its back is rufous.", "It runs, and its back is green."
DOCUMENT = {
    "id": "describe",
    "prompt": "Describe the kestrel in one sentence.",
    "grader": "llm-judge",
    "reference": "The bird hovers. Its back is rufous.",
}
WORK = {
    "id": "count",
    "prompt": "How many birds does birds.txt hold?",
    "mode": "agent",
    "workspace": "field",
    "grader": "exact",
    "expected": "3",
}
CELLS = [(arm, task) for task in ("describe", "count") for arm in (ARM, "none")]


@dataclass(frozen=True)
class Agent:
    """How one agent's stand-in is scripted, and what it then costs in USD per million tokens."""

    name: str
    serving: Callable[[Mapping[str, Any]], AbstractContextManager[Server]]
    suffix: str
    load: dict[str, Any]
    look: dict[str, Any]
    verdict: Callable[[str], dict[str, Any]]
    used: Callable[[int, int, int], dict[str, int]]
    price: tuple[float, float, float]
    listed: tuple[bool | None, bool | None]


CLAUDE = Agent(
    name="claude",
    serving=messages_api.serving,
    suffix="",
    load={"name": "Skill", "input": {"skill": SKILL}},
    look={"name": "Bash", "input": {"command": "wc -l < birds.txt", "description": "counts"}},
    verdict=lambda text: {"tool_calls": [{"name": "StructuredOutput", "input": json.loads(text)}]},
    used=lambda given, cached, out: {
        "input_tokens": given,
        "cache_read_input_tokens": cached,
        "output_tokens": out,
    },
    price=(4.0, 0.2, 20.0),
    listed=(True, False),
)
CODEX = Agent(
    name="codex",
    serving=responses_api.serving,
    suffix="/v1",
    load={
        "name": "exec_command",
        "arguments": {"cmd": f"cat $CODEX_HOME/skills/{SKILL}/SKILL.md"},
    },
    look={"name": "exec_command", "arguments": {"cmd": "wc -l < birds.txt"}},
    verdict=lambda text: {"text": text},
    used=lambda given, cached, out: {
        "input_tokens": given + cached,
        "cached_tokens": cached,
        "output_tokens": out,
    },
    price=(5.0, 0.5, 30.0),
    listed=(None, None),
)
COUNTS: Mapping[tuple[str, str], tuple[tuple[int, int, int], ...]] = {
    ("describe", ARM): ((900, 0, 30), (400, 800, 21)),
    ("describe", "none"): ((850, 0, 17),),
    ("count", ARM): ((1_000, 0, 31), (500, 900, 12), (70, 1_300, 2)),
    ("count", "none"): ((950, 0, 13), (60, 900, 3)),
}
"""What each message of the model uses: input, read from the cache, output."""


def script(agent: Agent) -> dict[str, Any]:
    """Return a model that is right where it has loaded the skill, and a judge that compares."""

    def route(task: Mapping[str, Any], arm: str, *replies: dict[str, Any]) -> dict[str, Any]:
        counts = COUNTS[task["id"], arm]
        used = [
            reply | {"usage": agent.used(*each)}
            for reply, each in zip(replies, counts, strict=True)
        ]
        shown = {"when": SHOWN} if arm == ARM else {}
        return {"opening": task["prompt"], "replies": used, **shown}

    load, look = {"tool_calls": [agent.load]}, {"tool_calls": [agent.look]}
    yes, no = (
        {"default": reply, "side": reply}
        for reply in map(
            agent.verdict, ('{"pass": true, "score": 1}', '{"pass": false, "score": 0.25}')
        )
    )
    return {
        "routes": [
            {"opening": JUDGE, "when": RIGHT, **yes},
            {"opening": JUDGE, **no},
            route(DOCUMENT, ARM, load, {"text": RIGHT}),
            route(DOCUMENT, "none", {"text": WRONG}),
            route(WORK, ARM, load, look, {"text": "3"}),
            route(WORK, "none", look, {"text": "2"}),
        ]
    }


@dataclass(frozen=True)
class Ran:
    """A benchmark that was run: by whom, how the command ended, and what the model was asked."""

    agent: Agent
    done: Done
    out: Path
    asked: list[str]

    @property
    def rows(self) -> dict[tuple[str, str], Mapping[str, Any]]:
        return {(row["task_id"], row["arm"]): row for row in rows_of(self.out)}


@pytest.fixture(scope="module", params=[CLAUDE, CODEX], ids=lambda agent: agent.name)
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    agent = request.param
    installed(agent.name)
    folder = tmp_path_factory.mktemp(agent.name)
    skill(folder / SKILL, BODY)
    (folder / "field").mkdir()
    (folder / "field" / "birds.txt").write_text("kestrel\nwren\nheron\n")
    file = written(folder, tasks=[DOCUMENT, WORK], skills=[SKILL], agent=agent.name, timeout=60_000)
    with agent.serving(script(agent)) as server:
        variables = {ENDPOINT: server.url + agent.suffix}
        done = collected(file, "--yes", "--out", folder / "out", variables=variables)
    return Ran(agent, done, folder / "out", [json.dumps(each.body) for each in server.asked])


def test_the_skill_lifts_by_what_the_script_says(ran: Ran) -> None:
    assert ran.done.code == 0, ran.done.err
    scores = {cell: (row["passed"], row["score"]) for cell, row in ran.rows.items()}
    assert scores == {
        ("describe", ARM): (True, 1.0),
        ("describe", "none"): (False, 0.25),
        ("count", ARM): (True, 1.0),
        ("count", "none"): (False, 0.0),
    }
    report = json.loads((ran.out / benchmark.REPORT_JSON).read_text())
    (board,) = report["summary"]["leaderboards"]
    best = board["entries"][0]
    assert (best["arm"], best["mean"]) == (ARM, 1.0)
    assert best["lift"]["estimate"] == pytest.approx((0.75 + 1) / 2)


def test_tokens_turns_and_cost_are_those_of_the_script(ran: Ran) -> None:
    for cell, row in ran.rows.items():
        given, cached, out = (sum(each) for each in zip(*COUNTS[cell], strict=True))
        (usage,) = row["usage"]
        assert usage == {
            "model": row["model"],
            "input_tokens": given,
            "output_tokens": out,
            "cache_creation_tokens": 0,
            "cache_read_tokens": cached,
        }
        price = sum(
            count * each for count, each in zip((given, cached, out), ran.agent.price, strict=True)
        )
        assert row["total_cost_usd"] == pytest.approx(price / 1_000_000, abs=1e-12)
        assert row["turns"] == len(COUNTS[cell])
        assert (row["endpoint"], row["billing"]) == ("stand_in", "none")


def test_the_skill_is_there_in_its_arm_alone(ran: Ran) -> None:
    own_listed, other_listed = ran.agent.listed
    for (_, arm), row in ran.rows.items():
        own = arm == ARM
        assert row["skill_installed"] is own
        assert row["skill_read"] is own
        assert row["skill_listed"] is (own_listed if own else other_listed)
    judged = [text for text in ran.asked if JUDGE in text]
    told = [text for text in ran.asked if BODY in text and text not in judged]
    assert len(told) == sum(len(COUNTS[task, ARM]) - 1 for task in ("describe", "count"))
    for prompt in (DOCUMENT["prompt"], WORK["prompt"]):
        without = [text for text in ran.asked if prompt in text and SHOWN not in text]
        assert len(without) == len(
            COUNTS["describe" if prompt == DOCUMENT["prompt"] else "count", "none"]
        )
        assert not [text for text in without if SKILL in text]


def test_the_judge_is_blind(ran: Ran) -> None:
    judged = [text for text in ran.asked if JUDGE in text]
    for answer in (RIGHT, WRONG):
        told = {"output": json.dumps(answer), "reference": json.dumps(DOCUMENT["reference"])}
        prompt = json.dumps(judging.prompt(grading.PROMPT, told))[1:-1]
        assert [text for text in judged if prompt in text]
    assert {(RIGHT in text, WRONG in text) for text in judged} == {(True, False), (False, True)}
    for text in judged:
        for word in (SKILL, "local:", BODY, DOCUMENT["prompt"], str(ran.out)):
            assert word not in text
    row = ran.rows["describe", ARM]
    assert row["grader_model"] == row["model"]
    assert ran.rows["count", ARM]["grader_model"] is None


def test_the_plan_names_the_endpoint(ran: Ran) -> None:
    assert "Nobody pays, for http://127.0.0.1:" in ran.done.err
    assert "stands in: no model is measured." in ran.done.err
