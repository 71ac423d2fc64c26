"""Programs: limits of time and output, and nothing of them left behind however they end."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from collectors.jev_social import processes
from collectors.jev_social.failures import Failure
from collectors.jev_social.processes import MOST_OUTPUT, Output
from tests.support.collecting import alive, wait_until

HELPER = """
import os, signal, subprocess, sys, time
def noted(name, pid): open(os.path.join(sys.argv[1], name), "w").write(str(pid))
noted("leader", os.getpid())
"""
IGNORES = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
CHILD = """
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
noted("child", child.pid)
"""
DETACHED = CHILD.replace('60)"]', '3)"], start_new_session=True')


def run(folder: Path, program: str, seconds: float = 20) -> Output:
    argv = (sys.executable, "-c", HELPER + program, str(folder))
    return asyncio.run(processes.run(argv, os.environ, seconds=seconds))


def pid(folder: Path, name: str) -> int:
    return int((folder / name).read_text())


def test_output_and_exit_code_are_returned(tmp_path: Path) -> None:
    done = run(tmp_path, "print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert done == Output(3, b"out\n", b"err\n")


def test_standard_input_is_closed(tmp_path: Path) -> None:
    assert run(tmp_path, "print(repr(sys.stdin.read()))").stdout == b"''\n"


def test_the_program_leads_a_group_of_its_own(tmp_path: Path) -> None:
    group = int(run(tmp_path, "print(os.getpgrp())").stdout)
    assert group == pid(tmp_path, "leader") != os.getpgrp()


@pytest.mark.parametrize("argv", [("/nowhere/socai",), ("/",), ("\0",), ("", "x")])
def test_what_cannot_be_started_is_not_found(argv: tuple[str, ...]) -> None:
    with pytest.raises(Failure, match="SOCAI_NOT_FOUND"):
        asyncio.run(processes.run(argv, {}, seconds=5))


@pytest.mark.parametrize("ignores", ["", IGNORES], ids=["heeds SIGTERM", "ignores SIGTERM"])
def test_a_program_over_its_time_is_ended_with_its_children(tmp_path: Path, ignores: str) -> None:
    started = time.monotonic()
    with pytest.raises(Failure, match="SOCAI_TIMEOUT"):
        run(tmp_path, ignores + CHILD + "time.sleep(60)", seconds=0.7)
    assert time.monotonic() - started < 5
    assert not alive(pid(tmp_path, "leader"))
    wait_until(lambda: not alive(pid(tmp_path, "child")), 5)


def test_a_program_that_heeds_sigterm_has_time_to_clear_up(tmp_path: Path) -> None:
    program = """
def clear(*_): noted("cleared", 1); sys.exit()
signal.signal(signal.SIGTERM, clear)
time.sleep(60)
"""
    with pytest.raises(Failure, match="SOCAI_TIMEOUT"):
        run(tmp_path, program, seconds=0.7)
    assert (tmp_path / "cleared").exists()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_program_that_writes_without_end_is_ended(tmp_path: Path, stream: str) -> None:
    program = f"while True: sys.{stream}.write('[' * 65536)"
    with pytest.raises(Failure, match="SOCAI_OUTPUT_TOO_LARGE"):
        run(tmp_path, program)
    assert not alive(pid(tmp_path, "leader"))


def test_both_streams_share_the_limit(tmp_path: Path) -> None:
    program = "sys.stdout.write('o' * {0}); sys.stderr.write('e' * {1})"
    done = run(tmp_path, program.format(MOST_OUTPUT - 100, 100))
    assert len(done.stdout) + len(done.stderr) == MOST_OUTPUT
    with pytest.raises(Failure, match="SOCAI_OUTPUT_TOO_LARGE"):
        run(tmp_path, program.format(MOST_OUTPUT - 100, 101))


def test_a_child_that_outlives_its_parent_is_ended(tmp_path: Path) -> None:
    started = time.monotonic()
    assert run(tmp_path, CHILD + "print('done')").stdout == b"done\n"
    assert time.monotonic() - started < 5
    wait_until(lambda: not alive(pid(tmp_path, "child")), 5)


def test_a_daemon_in_a_session_of_its_own_is_not_waited_for(tmp_path: Path) -> None:
    started = time.monotonic()
    assert run(tmp_path, DETACHED + "print('done')").stdout == b"done\n"
    assert time.monotonic() - started < 2.5
    assert alive(pid(tmp_path, "child"))


def test_a_cancelled_program_is_ended_before_the_cancellation_is_felt(tmp_path: Path) -> None:
    async def cancelled() -> None:
        argv = (sys.executable, "-c", HELPER + IGNORES + CHILD + "time.sleep(60)", str(tmp_path))
        task = asyncio.create_task(processes.run(argv, os.environ, seconds=60))
        while not (tmp_path / "child").exists() or not (tmp_path / "child").read_text():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not alive(pid(tmp_path, "leader"))

    asyncio.run(cancelled())
    wait_until(lambda: not alive(pid(tmp_path, "child")), 5)
