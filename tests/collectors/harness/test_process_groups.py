"""Groups: a program that was started is gone soon after the process that started it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.support.collecting import alive, in_groups, wait_until
from tests.support.command import ROOT

OWNER = """
import os, sys, time
from collectors.harness import process_groups
program = [sys.executable, "-c", sys.argv[1]]
with process_groups.started(program, os.environ) as process:
    print(process.pid, flush=True)
    {body}
print("after", flush=True)
time.sleep(60)
"""
CHILD = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
time.sleep(60)
"""


class Owner:
    """A process that has started a program with a child; both heed nothing but SIGKILL."""

    def __init__(self, body: str) -> None:
        command = [sys.executable, "-c", OWNER.format(body=body), CHILD]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.says = self.process.stdout
        self.group = int(self.says.readline())

    def members(self) -> list[int]:
        return in_groups({self.group})


@pytest.fixture
def owners() -> Iterator[list[Owner]]:
    found: list[Owner] = []
    yield found
    for owner in found:
        owner.process.kill()
        with suppress(ProcessLookupError):
            os.killpg(owner.group, signal.SIGKILL)
        owner.process.communicate()


def test_a_group_does_not_outlive_a_killed_process(owners: list[Owner]) -> None:
    owners.append(owner := Owner("time.sleep(60)"))
    wait_until(lambda: len(owner.members()) == 2)
    owner.process.kill()
    wait_until(lambda: owner.members() == [], 10)


def test_what_runs_on_after_the_body_is_nobody_s_to_end(owners: list[Owner]) -> None:
    owners.append(owner := Owner("pass"))
    assert owner.says.readline() == "after\n"
    owner.process.kill()
    owner.process.wait()
    assert alive(owner.group)
