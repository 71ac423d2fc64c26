"""A user without privileges has the same sandbox; where the tests run as root, as `nobody`."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from collectors.harness import folders
from collectors.harness.sandbox.bubblewrap import Bubblewrap
from collectors.harness.sandbox.groups import places
from collectors.harness.sandbox.probe import bubblewrap_fault
from collectors.harness.sandbox.provider import Limits, Room
from collectors.harness.sandbox.reach import connected
from tests.support.confined import PYTHON, SECONDS, Lab

NOBODY = 65534
BOMB = (
    "import os, time\n"
    "try:\n"
    "  while True: os.fork()\n"
    "except OSError: print('full', flush=True)\n"
    "time.sleep(600)"
)


@pytest.fixture
def place(root: Path) -> Iterator[Path]:
    """A folder of nobody's, where it can be reached."""
    if os.geteuid() != 0:
        pytest.skip("the other tests run as a plain user here")
    if fault := bubblewrap_fault():
        pytest.skip(fault)
    if any(not folder.stat().st_mode & 0o001 for folder in (root, *root.parents)):
        pytest.skip("the checkout is not readable for others")
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    os.chown(folder, NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


def as_nobody(do: Callable[[], Any]) -> Any:
    """Return what `do` answers in a process of nobody's."""
    answer, end = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            sys.executable = PYTHON  # the tests' own need not be readable for others
            places.cache_clear()
            text = json.dumps(do())
        except BaseException as error:  # noqa: BLE001 - told to the test
            text = json.dumps(repr(error))
        os.write(end, text.encode())
        os._exit(0)
    os.close(end)
    with os.fdopen(answer) as file:
        text = file.read()
    os.waitpid(pid, 0)
    return json.loads(text)


def test_it_is_confined_and_reached_as_for_root(place: Path) -> None:
    def do() -> Any:
        lab = Lab(place / "run", Bubblewrap())
        command = (PYTHON, "-m", "http.server", "--bind", "127.0.0.1", "8080")
        with lab.start(command, Room(lab.agent, ports={9: place / "nobody"})) as service:
            connected(service, 8080, seconds=SECONDS).close()
            code = service.stop(SECONDS)
        seen = lab.shell("id -u; cut -d: -f1 /etc/passwd; grep NoNewPrivs: /proc/self/status")
        return [code, lab.survivors(), seen.stdout.split()[-5:]]

    assert as_nobody(do) == [0, [], ["1000", "root", "agent", "NoNewPrivs:", "1"]]
    assert {path.stat().st_uid for path in place.rglob("*")} == {NOBODY}


def test_its_processes_are_bounded_without_control_groups(place: Path) -> None:
    def do() -> Any:
        lab = Lab(place / "run", Bubblewrap())
        room = Room(lab.agent, limits=Limits(processes=40))
        with lab.start((PYTHON, "-I", "-c", BOMB), room) as running:
            lab.printed("full")
            many = len(lab.survivors())
            code = running.stop(0.1, ())
        return [many <= 40, code, lab.survivors(), list(places())]

    assert as_nobody(do) == [True, 137, [], []]


def test_what_an_agent_shuts_goes_with_its_run(place: Path) -> None:
    def do() -> Any:
        folder = folders.create(place / "run")
        (folder.work / "shut" / "in").mkdir(parents=True)
        (folder.work / "shut" / "link").symlink_to(folder.raw)
        folder.raw.chmod(0o500)
        for shut in (folder.work / "shut" / "in", folder.work / "shut", folder.work):
            shut.chmod(0)
        folder.remove()
        return [folder.agent.exists(), folder.raw.stat().st_mode & 0o777]

    assert as_nobody(do) == [False, 0o500]
