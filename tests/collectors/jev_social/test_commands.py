"""The two commands as a user starts them: exit codes, one row on stdout, stages on stderr."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from itertools import pairwise
from pathlib import Path

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL
from collectors.jev_social.flags import FLAGS
from tests.collectors.jev_social.conftest import COMMANDS, Place
from tests.support.collecting import flags, stages
from tests.support.socai_stand_in import calls, direct

CANARY = "canary-9f8e7d"


@pytest.mark.parametrize("command", COMMANDS)
def test_an_attempt_writes_its_row_and_nothing_else(place: Place, command: str) -> None:
    done = place.run(command, *flags(place.task))
    assert done.code == 0
    assert done.out.count("\n") == 1
    row = json.loads(done.out)
    assert JEV_SOCIAL.validate(row) == row
    assert row["stop_reason"] == "goal_satisfied"
    assert json.dumps(row, separators=(",", ":")) + "\n" == done.out
    found = stages(done)
    assert found[0] == "classifying"
    assert found[-1] == "complete"
    assert all(one != other for one, other in pairwise(found))


def test_a_failed_attempt_is_a_row_and_exit_code_0(place: Place) -> None:
    direct(place.folder / "bin", {"version": "socai 9.9.9"})
    done = place.run("jev-social-benchmark", *flags(place.task))
    assert (done.code, stages(done)) == (0, [])
    assert json.loads(done.out)["stop_reason"] == "capability_unavailable"


REFUSED: dict[str, Callable[[Place], list[str]]] = {
    "--region": lambda place: flags(place.task, {"--region": CANARY + "/x"}),
    "--jev-model": lambda place: flags(place.task, {"--jev-model": f"{CANARY}:latest"}),
    "--task": lambda place: flags(place.folder / CANARY),
    "--condition": lambda place: flags(place.task, {"--condition": None}),
    "an argument": lambda place: [*flags(place.task), f"--{CANARY}"],
}


@pytest.mark.parametrize(
    ("command", "words"),
    [("benchdata", "--region"), *(("jev-social-benchmark", words) for words in REFUSED)],
)
def test_an_invalid_invocation_is_one_message_and_no_row(
    place: Place, command: str, words: str
) -> None:
    done = place.run(command, *REFUSED[words](place))
    assert (done.code, done.out) == (1, "")
    stage, message = done.err.splitlines()
    assert stage == "[benchmark] invalid_input"
    assert message.startswith(f"{command}: {words}")
    assert CANARY not in done.err
    assert calls(place.folder / "bin") == []


def test_a_config_that_is_wrong_is_an_invalid_input(place: Place) -> None:
    home = place.folder / "home" / ".jev-social"
    home.mkdir()
    (home / "config.json").write_text(f'"{CANARY}"', "utf-8")
    done = place.run("jev-social-benchmark", *flags(place.task))
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[1] == (
        "jev-social-benchmark: config.json: must hold one JSON object"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_help_needs_nothing_that_works(place: Place, command: str) -> None:
    home = place.folder / "home" / ".jev-social"
    home.mkdir()
    (home / "config.json").write_text("{", "utf-8")
    done = place.run(command, "--help")
    assert (done.code, done.err) == (0, "")
    named = set(re.findall(r"(?m)^  (--[a-z-]+)", done.out))
    assert named >= FLAGS.keys()
    more = {"--repeat", "--append", "--between"} if command == "benchdata" else set()
    assert named == FLAGS.keys() | more


@pytest.mark.parametrize("flag", ["--repeat", "--append", "--between"])
def test_the_published_command_has_no_flag_of_its_own(place: Place, flag: str) -> None:
    done = place.run("jev-social-benchmark", *flags(place.task, {flag: "1"}))
    assert (done.code, done.out) == (1, "")


def test_both_commands_are_installed() -> None:
    (collector,) = entry_points(group="benchdata.collectors", name="jev-social")
    (script,) = entry_points(group="console_scripts", name="jev-social-benchmark")
    assert collector.value == "collectors.jev_social.cli:main"
    assert script.value == "collectors.jev_social.cli:benchmark"


def test_a_row_that_cannot_be_written_is_said_to_be_lost(place: Place) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, *COMMANDS["jev-social-benchmark"], *flags(place.task)],
            env=place.variables,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[-1].endswith("No space left on device")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["1>&-", "2>&-"])
@pytest.mark.parametrize("name", COMMANDS)
def test_closed_streams_are_no_fault_of_an_attempt(place: Place, name: str, closed: str) -> None:
    command = [sys.executable, *COMMANDS[name], *flags(place.task)]
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *command],
        env=place.variables,
        capture_output=True,
        text=True,
        check=False,
    )
    if closed == "2>&-":
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["stop_reason"] == "goal_satisfied"
    else:
        assert (done.returncode, done.stdout) == (1, "")
        assert "standard output: is closed" in done.stderr
        assert calls(place.folder / "bin") == []
