"""However a run ends, in either sandbox: nothing of it is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from collectors.harness.processes import Running
from tests.support.confined import PYTHON, SECONDS, Lab, marked, waited

DAEMON = """
import os, signal, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
for _ in range(2):
    if os.fork(): os._exit(0)
    os.setsid()
print('daemon', flush=True)
while True: time.sleep(600)
"""
STUBBORN = """
import os, signal, time
def note(number, _): os.write(1, signal.Signals(number).name.encode() + b'\\n')
for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, note)
os.write(1, b'ready\\n')
while True: time.sleep(600)
"""
POLITE = """
import os, signal, sys, time
def note(number, _): os.write(1, b'result\\n'); sys.exit(5)
signal.signal(signal.SIGINT, note)
os.write(1, b'ready\\n')
time.sleep(600)
"""
HARNESS = """
import sys, time
from pathlib import Path
from collectors.harness.sandbox.bubblewrap import Bubblewrap
from collectors.harness.sandbox.workspace import Workspace
from tests.support.confined import Lab
provider = {'bubblewrap': Bubblewrap(), 'workspace': Workspace('a test')}[sys.argv[1]]
lab = Lab(Path(sys.argv[2]), provider, mark=sys.argv[3])
running = lab.start((sys.argv[4], '-I', '-c', sys.argv[5]))
lab.printed('daemon')
print('up', flush=True)
time.sleep(600)
"""


def python(lab: Lab, text: str) -> Running:
    return lab.start((PYTHON, "-I", "-c", text))


def test_daemons_end_with_the_program(any_lab: Lab) -> None:
    done = any_lab.shell(
        f'{PYTHON} -I -c "{DAEMON}"; while ! grep -q x went; do :; done & sleep 0.3; exit 4'
    )
    assert done.code == 4


def test_daemons_end_with_a_stop(any_lab: Lab) -> None:
    with python(any_lab, DAEMON.replace("os._exit(0)", "time.sleep(600)")) as running:
        any_lab.printed("daemon")
        assert len(any_lab.survivors()) >= 3
        assert running.stop(0.1) == 137
        assert any_lab.survivors() == []


def test_a_stop_begins_with_an_interrupt_and_the_exit_code_is_the_programs(any_lab: Lab) -> None:
    with python(any_lab, POLITE) as running:
        any_lab.printed("ready")
        assert running.stop(5.0) == 5
        assert running.wait(0) == 5
        assert running.ended
    assert any_lab.stdout.read_text() == "ready\nresult\n"


def test_what_ignores_every_signal_is_killed(any_lab: Lab) -> None:
    with python(any_lab, STUBBORN) as running:
        any_lab.printed("ready")
        before = time.monotonic()
        assert running.stop(0.2) == 137
        assert time.monotonic() - before >= 0.4
    assert any_lab.stdout.read_text() == "ready\nSIGINT\nSIGTERM\n"
    assert any_lab.survivors() == []


def test_the_signals_of_a_stop_can_be_chosen(any_lab: Lab) -> None:
    with python(any_lab, STUBBORN) as running:
        any_lab.printed("ready")
        assert running.stop(0.1, (signal.SIGTERM,)) == 137
    assert any_lab.stdout.read_text() == "ready\nSIGTERM\n"


def test_a_stop_may_come_from_any_thread_and_more_than_once(any_lab: Lab) -> None:
    with python(any_lab, STUBBORN) as running:
        any_lab.printed("ready")
        threads = [threading.Thread(target=running.stop, args=(0.1,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert running.stop(5.0) == 137


def test_a_program_that_a_signal_ends_has_the_code_of_a_shell(any_lab: Lab) -> None:
    assert any_lab.shell("kill -TERM $$").code == 143


def test_it_lives_on_when_the_thread_that_started_it_ends(any_lab: Lab) -> None:
    made: list[Running] = []
    thread = threading.Thread(target=lambda: made.append(python(any_lab, POLITE)))
    thread.start()
    thread.join()
    with made[0] as running:
        any_lab.printed("ready")
        assert running.wait(0.3) is None
        assert running.stop(5.0) == 5


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_when_the_harness_is_killed(any_lab: Lab, root: Path, number: int) -> None:
    script = DAEMON.replace("os._exit(0)", "time.sleep(600)")
    name, folder = any_lab.provider.name, str(any_lab.root / "again")
    harness = subprocess.Popen(
        [sys.executable, "-c", HARNESS, name, folder, any_lab.mark, PYTHON, script],
        cwd=root,
        stdout=subprocess.PIPE,
    )
    with harness:
        assert harness.stdout is not None
        assert harness.stdout.readline() == b"up\n"
        assert len(any_lab.survivors()) >= 3
        harness.send_signal(number)
        harness.wait()
        waited(lambda: not any_lab.survivors())


def test_it_ends_when_its_supervisor_is_killed(lab: Lab) -> None:
    with python(lab, STUBBORN) as running:
        lab.printed("ready")
        supervisor = Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()[1]
        os.kill(int(supervisor), signal.SIGKILL)
        assert running.wait(SECONDS) == 137
        waited(lambda: not lab.survivors())


def test_a_body_that_fails_leaves_nothing(any_lab: Lab) -> None:
    def body() -> None:
        with python(any_lab, STUBBORN):
            any_lab.printed("ready")
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        body()
    assert marked(any_lab.mark) == []
