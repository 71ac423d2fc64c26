"""Nothing private gets out: words fed through every input are searched in every output."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchdata.rows.strict_json import encode
from collectors.jev_social import attempt, decisions, evidence, media, providers
from collectors.jev_social.socai import Socai
from tests.support.collecting import TASK, collected, flags
from tests.support.command import Done
from tests.support.decision_server import Server
from tests.support.jev_social import numbered_row
from tests.support.socai_stand_in import direct
from tests.support.stand_ins import stand_ins

CANARY = "canary"
"""Part of every secret, text, path, address and name below, and of nothing that may be said."""

URL = f"https://www.tiktok.com/@{CANARY}/video/7100"
GOAL = f"Search TikTok for {CANARY} repair and download one video"
KEY = f"sk-{CANARY}-0123456789"
CARD = {"url": URL, "author": {"name": CANARY, "url": f"https://www.tiktok.com/@{CANARY}"}}
CARDS = {"ok": True, "query": CANARY, "cards": [CARD | {"caption": CANARY, CANARY: CANARY}]}
ENVIRONMENT = {
    "OPENROUTER_API_KEY": KEY,
    "TYPESAFE_API_KEY": KEY,
    "openrouter": KEY,
    "SOCAI_CDP_URL": f"http://127.0.0.1:9222/{CANARY}",
    "SOCAI_CHROME_PROFILE": CANARY,
    "HTTPS_PROXY": f"http://{CANARY}:{CANARY}@127.0.0.1:1",
    "USER": CANARY,
    CANARY.upper(): CANARY,
}


class Case(NamedTuple):
    """What is fed in, and the stop reason of the row; without one there is none."""

    reason: str | None
    answer: Mapping[str, Any] = {}
    reply: Mapping[str, Any] = {}
    variables: Mapping[str, str] = {}
    task: Mapping[str, Any] | str = {}
    pins: Mapping[str, str | None] = {}
    files: Mapping[str, bytes] = {}


def answers(**behaviour: Any) -> dict[str, Any]:
    """Return what `socai` does when it searches."""
    return {"when": "tiktok search", "stderr": f"run_dir: /{CANARY}\n", **behaviour}


def variable(name: str, value: str) -> Mapping[str, str]:
    return {f"JEV_SOCIAL_{name}": value}


CASES: dict[str, Case] = {
    "success": Case("goal_satisfied", answers(json=CARDS)),
    "gate": Case(
        "login_required", answers(json={"ok": False, "reason": f"login_required {CANARY}"})
    ),
    "error": Case("step_limit", answers(exit=1), task={"max_steps": 1}),
    "garbage": Case("step_limit", answers(stdout=f"{CANARY} {{"), task={"max_steps": 1}),
    "other version": Case("capability_unavailable", {"when": "--version", "stdout": f"{CANARY} 1"}),
    "no socai": Case("capability_unavailable", variables={"SOCAI_BIN": f"/{CANARY}/socai"}),
    "strange socai": Case("capability_unavailable", variables={"SOCAI_BIN": "/"}),
    "error of the endpoint": Case(
        "decision_failed",
        reply={"status": 401, "json": {"error": {"message": f"{KEY} of {CANARY}"}}},
    ),
    "page of the endpoint": Case("decision_failed", reply={"body": f"<html>{CANARY}"}),
    "redirect": Case("decision_failed", reply={"redirect": f"http://127.0.0.1:1/{CANARY}"}),
    "headers": Case("decision_failed", reply={"status": 500, "headers": {"Location": CANARY}}),
    "other model": Case("decision_failed", reply={"model": f"{CANARY}/model-1"}),
    "no choice": Case("decision_failed", reply={"answer": {"choice": CANARY}}),
    "other host": Case(
        "decision_failed",
        variables=variable("SYSTEM_ONE_URL", f"http://{CANARY}.example/v1/systemone"),
    ),
    "user in the url": Case(
        "decision_failed",
        variables=variable("SYSTEM_ONE_URL", f"http://{CANARY}:x@127.0.0.1/v1/systemone"),
    ),
    "odd timeout": Case("decision_failed", variables=variable("SYSTEM_ONE_TIMEOUT_MS", CANARY)),
    "nobody listens": Case(
        "decision_failed", variables=variable("SYSTEM_ONE_URL", "http://127.0.0.1:1/v1/systemone")
    ),
    "no env file": Case(None, variables=variable("ENV_FILE", f"/{CANARY}")),
    "odd env file": Case(
        None,
        variables=variable("ENV_FILE", "odd.env"),
        files={"odd.env": b"\xff" + CANARY.encode()},
    ),
    "env file": Case(
        "goal_satisfied",
        variables=variable("ENV_FILE", "a.env"),
        files={"a.env": f"X={CANARY}\n{CANARY}\nopenrouter='{KEY}".encode()},
    ),
    "odd config": Case(None, files={"home/.jev-social/config.json": b'{"canary": canary}'}),
    "mistyped config": Case(
        None, files={"home/.jev-social/config.json": b'{"openrouterApiKey": ["canary"]}'}
    ),
    "no task": Case(None, pins={"--task": f"/{CANARY}/task.json"}),
    "no json": Case(None, task=f"{{{CANARY}"),
    "other key": Case(None, task={CANARY: CANARY}),
    "other platform": Case(None, task={"platform": CANARY}),
    "goal of control characters": Case(None, task={"goal": f"{CANARY}\x1b[2J"}),
    "odd id": Case(None, task={"task_id": CANARY}),
    **{
        f"odd {flag}": Case(None, pins={flag: f"/{CANARY}/ x"})
        for flag in (
            *("--jev-social-version", "--jev-social-commit", "--jev-model", "--socai-version"),
            *("--socai-commit", "--profile-mode", "--region", "--condition", f"--{CANARY}"),
            *("--repeat", f"--region={CANARY}", CANARY, f"--tas{CANARY}"),
        )
    },
    "folder that is not there": Case(None, pins={"--append": f"{CANARY}/x/rows.ndjson"}),
    "between": Case(None, pins={"--condition": "cold", "--between": f"echo {CANARY} >&2; exit 1"}),
    "odd rows": Case(None, files={"rows.ndjson": encode(numbered_row(1, region=f"/{CANARY}/"))}),
    "no rows": Case(None, files={"rows.ndjson": CANARY.encode()}),
    "rows with another key": Case(
        None, files={"rows.ndjson": encode(numbered_row(1) | {CANARY.upper(): 1})}
    ),
    "journal of another": Case(
        None,
        files={"rows.ndjson.journal": encode({"run_id": CANARY, "begun_at": CANARY})},
    ),
    "long name": Case(None, pins={"--append": f"{CANARY * 50}.ndjson"}),
    "odd journal": Case(None, files={"rows.ndjson.journal": CANARY.encode()}),
}


class Place:
    """A folder whose name is private, too."""

    def __init__(self, folder: Path, server: Server, variables: Mapping[str, str]) -> None:
        self.folder = folder
        self.server = server
        self.variables = {**variables, **ENVIRONMENT}
        self.rows = folder / "rows.ndjson"

    def fed(self, case: Case, **series: str) -> Done:
        """Run a case, as a series of one attempt when there are flags for that."""
        direct(self.folder / "bin", {"answers": [case.answer] if case.answer else []})
        self.server.replies[:] = [case.reply] if case.reply else []
        for name, content in case.files.items():
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        task = self.folder / f"{CANARY}.json"
        whole = (
            case.task
            if isinstance(case.task, str)
            else json.dumps({**TASK, "goal": GOAL, **case.task})
        )
        task.write_text(whole, "utf-8")
        return collected(
            {**self.variables, **case.variables}, *flags(task, {**series, **case.pins})
        )

    def outputs(self, done: Done) -> dict[str, str]:
        """Return all that a command has written."""
        journal = self.rows.with_name("rows.ndjson.journal")
        files = {
            file.name: file.read_text("utf-8") for file in (self.rows, journal) if file.exists()
        }
        return {"out": done.out, "err": done.err, **files}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    folder = tmp_path / f"{CANARY} folder"
    with stand_ins(folder) as (server, variables):
        monkeypatch.chdir(folder)
        yield Place(folder, server, variables)


def silent(outputs: Mapping[str, str], given: Mapping[str, bytes]) -> None:
    """Check that no output has the word, but for files that already had it."""
    told = {
        name: text
        for name, text in outputs.items()
        if CANARY in text.lower() and CANARY not in given.get(name, b"").decode().lower()
    }
    assert told == {}


@pytest.mark.parametrize("name", CASES)
def test_no_private_word_gets_out(place: Place, name: str) -> None:
    case = CASES[name]
    done = place.fed(case, **{"--repeat": "1", "--append": "rows.ndjson"})
    silent(place.outputs(done), case.files)
    assert "Traceback" not in done.err
    assert len(done.err.splitlines()) < 30
    if case.reason is None:
        assert done.code == 1
        assert done.err
        return
    assert done.code == 0
    assert json.loads(place.rows.read_bytes())["stop_reason"] == case.reason


@pytest.mark.parametrize("name", ["success", "gate", "error of the endpoint"])
def test_no_private_word_is_in_a_row_on_standard_output(place: Place, name: str) -> None:
    done = place.fed(CASES[name])
    silent(place.outputs(done), {})
    assert json.loads(done.out)["stop_reason"] == CASES[name].reason


@pytest.mark.parametrize("status", [200, 401])
def test_the_key_goes_to_its_endpoint_and_nowhere_else(
    place: Place, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(providers, "OPENROUTER", place.server.openrouter)
    done = place.fed(Case(None, reply={"status": status}, variables=variable("SYSTEM_ONE_URL", "")))
    silent(place.outputs(done), {})
    assert place.server.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    called = (place.folder / "bin" / "socai.calls").read_text("utf-8")
    assert KEY not in called


@pytest.mark.parametrize(
    ("owner", "name", "error"),
    [
        (Socai, "probe", OSError),
        (Socai, "act", RuntimeError),
        (evidence, "captured", KeyError),
        (media, "found", OSError),
        (attempt, "provider_of", RecursionError),
        (decisions.Decider, "choose", ValueError),
    ],
)
def test_the_words_of_an_exception_stay_inside(
    place: Place,
    monkeypatch: pytest.MonkeyPatch,
    owner: Any,
    name: str,
    error: type[Exception],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error(f"{CANARY} at /{CANARY}/x with {KEY}")

    monkeypatch.setattr(owner, name, fail)
    done = place.fed(CASES["success"])
    silent(place.outputs(done), {})
    assert done.code == 0
    assert json.loads(done.out)["outcome"] in {"failed", "partial", "success"}
    assert "Traceback" not in done.err
    assert os.sep not in done.err
