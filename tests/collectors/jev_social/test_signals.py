"""Signals to the commands: one leaves a row, a second of its kind does not, and no child stays."""

from __future__ import annotations

import fcntl
import io
import json
import os
import signal
import subprocess
import sys
import termios
import time

import pytest

from tests.collectors.jev_social.conftest import COMMANDS, Place
from tests.support.collecting import alive, flags, stages, wait_until
from tests.support.command import Done, ended
from tests.support.socai_stand_in import Script, direct

HANGS: Script = {
    "answers": [{"when": "tiktok search --help"}, {"when": "tiktok search", "sleep": 60}]
}
DEAF: Script = {
    "answers": [
        {"when": "tiktok search --help"},
        {"when": "tiktok search", "sleep": 60, "spawn": 60, "ignore_term": True},
    ]
}


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


def unread(pipe: io.FileIO) -> int:
    """Return how many bytes of a pipe nobody has read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_an_interrupt_before_the_attempt_is_no_traceback(place: Place) -> None:
    pipe = place.folder / "variables"
    os.mkfifo(pipe)
    place.variables["JEV_SOCIAL_ENV_FILE"] = str(pipe)
    process = place.start("jev-social-benchmark", *flags(place.task))
    with pipe.open("wb", buffering=0) as writer:
        writer.write(b"#")
        wait_until(lambda: unread(writer) == 0)  # it reads, and waits for more
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
