"""Whatever an agent can see, it finds no probe, no rubric and no reference there."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path

import pytest

from collectors.build_bench import prompts, references
from collectors.build_bench.lanes import lane
from collectors.build_bench.prompts import VARIANTS
from collectors.build_bench.suites.storefront import SUITE
from collectors.build_bench.tasks import TASKS
from collectors.harness.sandbox.probe import choose
from tests.collectors.build_bench.attempts import T1, bash, made, scripted, turn, write

RUBRIC = [item for items in TASKS[T1].rubric_items().values() for item in items]
HIDDEN = (
    *(probe.asserts for probe in SUITE.probes),
    *(f'"""{line}' for line in (SUITE.probes[0].asserts, "Task t1-storefront-api")),
    *(item.met for item in RUBRIC),
    "Routes by method and path, JSON in and out, one form for every error",  # of the reference
)
T2 = "t2-saga-queue-cron"
NAMES = ("storefront.py", "storefront.toml", "production.toml", "conformance.py", "suite.json")
CONTROL = "a text that is there to be found"


def search(texts: Iterable[str], places: str) -> str:
    """Return a command that names every file with one of the texts, none of which it holds."""
    told = base64.b64encode("\n".join(texts).encode()).decode()
    return f"grep -arlFf <(echo {told} | base64 -d) {places} 2>/dev/null"


def looked(folder: Path, monkeypatch: pytest.MonkeyPatch, *commands: str) -> list[str]:
    """Let an agent run commands and return the lines that it was told."""
    if choose().name != "bubblewrap":
        pytest.skip("bubblewrap does not work here, and the workspace hides nothing")
    calls = [bash(f"{command} >> found.txt") for command in commands]
    scripted(folder, monkeypatch, [turn(write("control.txt", CONTROL), *calls)])
    batch = made(folder)
    assert batch.row["stop_cause"] == "agent_ended"
    return (batch.run() / "scored" / "found.txt").read_text("utf-8").splitlines()


@pytest.mark.usefixtures("node")
def test_nothing_of_it_is_in_any_file_or_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = "$(ls -d /* | grep -vE '^/(proc|sys|usr|bin|sbin|lib.*|dev)$')"
    found = looked(
        tmp_path,
        monkeypatch,
        search((*HIDDEN, CONTROL), places),
        search(HIDDEN, "/proc/[0-9]*/environ /proc/[0-9]*/cmdline"),
        "find / -xdev \\( " + " -o ".join(f"-name {name}" for name in NAMES) + " \\) 2>/dev/null",
        "find /usr -path '*build_bench*' 2>/dev/null",
        "env | grep -iE 'probe|rubric|suite|reference'",
    )
    assert found == ["/agent/work/control.txt"]


@pytest.mark.slow
@pytest.mark.usefixtures("node")
def test_nothing_of_it_is_among_the_machines_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert looked(tmp_path, monkeypatch, search(HIDDEN, "/usr")) == []


@pytest.mark.parametrize("task", TASKS)
def test_prompts_hold_no_probe_and_the_rubric_only_when_it_is_given(task: str) -> None:
    told = {each: prompts.prompt(TASKS[task], lane("node"), each) for each in VARIANTS}
    items = [item for items in TASKS[task].rubric_items().values() for item in items]
    for variant, text in told.items():
        assert TASKS[task].prompt in text
        assert "Node.js" in text
        assert not [probe.id for probe in TASKS[task].suite.probes if probe.asserts in text]
        assert [item.met in text for item in items] == [variant == "hardening"] * len(items)
        assert (lane("node").context in text) == (variant != "plain")
    assert told["context"] in told["hardening"]


@pytest.mark.usefixtures("node")
def test_a_later_task_starts_from_the_reference_of_the_first_and_shows_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(tmp_path, monkeypatch, [turn(bash("ls -A > found.txt"))], T2)
    batch = made(tmp_path, task=T2)
    found = (batch.run() / "scored" / "found.txt").read_text("utf-8").split()
    assert set(found) == {*references.files("node", T1), "found.txt"}
    assert batch.row["lines_of_code"] == 0
    passed = {probe["id"] for probe in batch.row["probes"] if probe["verdict"] == "pass"}
    assert "t1-contract-kept" in passed
    assert "start-correlated-saga" not in passed


@pytest.mark.usefixtures("fastapi")
def test_an_agent_has_the_programs_and_packages_of_its_lane(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = "command -v uvicorn > found.txt; python -c 'import fastapi' && echo there >> found.txt"
    scripted(tmp_path, monkeypatch, [turn(bash(look))], lane="fastapi")
    batch = made(tmp_path, lane="fastapi")
    program, imported = (batch.run() / "scored" / "found.txt").read_text("utf-8").split()
    assert program.endswith("bin/uvicorn")
    assert imported == "there"
