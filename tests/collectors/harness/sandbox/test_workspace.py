"""The sandbox without bubblewrap: a folder and an environment that tell nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.harness.failures import SetupFailed
from collectors.harness.sandbox.provider import Room
from collectors.harness.sandbox.workspace import TELLING, Workspace
from tests.support.confined import Lab


def test_it_starts_in_the_real_work_folder(open_lab: Lab) -> None:
    done = open_lab.shell("pwd; cat", stdin=b"asked\n")
    assert (done.code, done.stdout) == (0, f"{open_lab.work}\nasked\n")
    path = open_lab.work / "a.txt"
    assert open_lab.provider.inside(Room(open_lab.agent), path) == str(path)


def test_the_environment_is_what_was_given_and_no_more(
    open_lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "a3f1-canary")
    done = open_lab.run(("/usr/bin/env",))
    assert {line.partition("=")[0] for line in done.stdout.splitlines()} == {"MARK", "PATH"}


@pytest.mark.parametrize("name", TELLING)
@pytest.mark.parametrize("above", [0, 1, 2])
def test_a_folder_below_instructions_or_a_checkout_is_refused(
    tmp_path: Path, name: str, above: int
) -> None:
    lab = Lab(tmp_path / "a" / "run", Workspace("a test"))
    (lab.agent.parents[above] / name).mkdir()
    with pytest.raises(SetupFailed, match=f"the agent would find `{name}` in a folder above"):
        lab.start(("/bin/true",))


def test_what_the_task_itself_brings_is_no_reason_to_refuse(open_lab: Lab) -> None:
    (open_lab.work / ".git").mkdir()
    assert open_lab.shell("ls -a").stdout.split() == [".", "..", ".git"]


def test_a_program_that_is_not_there_says_so(open_lab: Lab) -> None:
    with pytest.raises(SetupFailed, match=r"no-such-program does not start: .*No such file"):
        open_lab.start(("/usr/bin/no-such-program",))
