"""The two commands as a user starts them: exit codes, one row on stdout, stages on stderr."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from itertools import pairwise
from pathlib import Path

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL
from collectors.jev_social.flags import FLAGS
from tests.support.collecting import alive, flags, wait_until, written_task
from tests.support.command import ROOT, Done, ended
from tests.support.socai_stand_in import Script, calls, direct
from tests.support.stand_ins import stand_ins

STAGE = re.compile(r"\[benchmark\] [a-z][a-z0-9_]{0,31}")
SCRIPT = "from collectors.jev_social.cli import benchmark; benchmark()"
COMMANDS = {
    "benchdata": ("-m", "benchdata", "collect", "jev-social"),
    "jev-social-benchmark": ("-c", SCRIPT),
}
CANARY = "canary-9f8e7d"
HANGS: Script = {
    "answers": [{"when": "tiktok search --help"}, {"when": "tiktok search", "sleep": 60}]
}
DEAF: Script = {
    "answers": [
        {"when": "tiktok search --help"},
        {"when": "tiktok search", "sleep": 60, "spawn": 60, "ignore_term": True},
    ]
}


class Place:
    """A folder with stand-ins, and the commands started in it."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder = folder
        self.task = written_task(folder)
        self.variables = os.environ | variables | {"PYTHONPATH": str(ROOT)}

    def start(self, command: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start one of the commands."""
        return subprocess.Popen(
            [sys.executable, "-W", "error", *COMMANDS[command], *arguments],
            env=self.variables,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, command: str, *arguments: str) -> Done:
        """Run one of the commands to its end."""
        return ended(self.start(command, *arguments))

    def searching(self) -> int:
        """Return the process id of the search, once there is one."""

        def found() -> list[int]:
            made = calls(self.folder / "bin")
            return [
                call["pid"]
                for call in made
                if call["argv"][1:2] == ["search"] and "--help" not in call["argv"]
            ]

        wait_until(lambda: found() != [])
        return found()[0]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with stand_ins(tmp_path) as (_, variables):
        yield Place(tmp_path, variables)


def stages(done: Done) -> list[str]:
    """Return the stages; there must be nothing else on stderr."""
    lines = done.err.splitlines()
    assert all(STAGE.fullmatch(line) for line in lines), done.err
    return [line.removeprefix("[benchmark] ") for line in lines]


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
def test_closed_streams_are_no_fault_of_an_attempt(place: Place, closed: str) -> None:
    command = [sys.executable, *COMMANDS["jev-social-benchmark"], *flags(place.task)]
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


@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("benchdata", signal.SIGTERM),
        ("jev-social-benchmark", signal.SIGINT),
        ("jev-social-benchmark", signal.SIGTERM),
        ("jev-social-benchmark", signal.SIGHUP),
    ],
)
def test_a_signal_ends_the_attempt_with_its_row(
    place: Place, command: str, number: signal.Signals
) -> None:
    direct(place.folder / "bin", HANGS)
    process = place.start(command, *flags(place.task))
    child = place.searching()
    process.send_signal(number)
    done = ended(process)
    assert done.code == 0
    assert json.loads(done.out)["stop_reason"] == "interrupted"
    assert stages(done)[-1] == "searching"
    assert not alive(child)


def test_an_interrupt_before_the_attempt_is_no_traceback(place: Place) -> None:
    pipe = place.folder / "variables"
    os.mkfifo(pipe)
    place.variables["JEV_SOCIAL_ENV_FILE"] = str(pipe)
    process = place.start("jev-social-benchmark", *flags(place.task))
    with pipe.open("wb"):  # opens once it reads
        process.send_signal(signal.SIGINT)
        assert ended(process) == Done(1, "", "")


def test_different_signals_are_each_heard_once(place: Place) -> None:
    direct(place.folder / "bin", DEAF)
    process = place.start("jev-social-benchmark", *flags(place.task))
    child = place.searching()
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    done = ended(process)
    assert done.code == 0
    assert json.loads(done.out)["stop_reason"] == "interrupted"
    assert not alive(child)


def test_a_second_signal_of_its_kind_ends_it_without_a_row(place: Place) -> None:
    direct(place.folder / "bin", DEAF)
    process = place.start("jev-social-benchmark", *flags(place.task))
    child = place.searching()
    process.send_signal(signal.SIGTERM)
    time.sleep(0.3)  # two that come at once are one; the child is waited for a second long
    process.send_signal(signal.SIGTERM)
    done = ended(process)
    assert (done.code, done.out) == (-signal.SIGTERM, "")
    wait_until(lambda: not alive(child))


def test_what_outlives_a_terminal_still_does(place: Place) -> None:
    direct(place.folder / "bin", HANGS)
    process = subprocess.Popen(
        ["nohup", sys.executable, *COMMANDS["jev-social-benchmark"], *flags(place.task)],
        env=place.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    child = place.searching()
    process.send_signal(signal.SIGHUP)
    assert alive(child)
    process.send_signal(signal.SIGTERM)
    done = ended(process)
    assert json.loads(done.out)["stop_reason"] == "interrupted"
