"""`check.py` in its sandbox: a yes or a no, or a grading that failed; never a no by accident."""

from __future__ import annotations

import os
import textwrap
import time
from pathlib import Path

import pytest

from collectors.harness import trees
from collectors.harness.sandbox.probe import bubblewrap_fault
from collectors.skill_eval.graders.grade import GradingFailed
from collectors.skill_eval.suite import checking, suite
from tests.support import open_tasks

CONNECTS = """
import socket
try:
    socket.create_connection(("192.0.2.1", 80), 1)
except OSError as error:
    return error.errno == 101
return False
"""


@pytest.fixture
def artefact(tmp_path: Path) -> Path:
    folder = tmp_path / "artefact"
    folder.mkdir()
    (folder / "page.html").write_text("<h1>Here</h1>")
    return folder


def asked(tmp_path: Path, artefact: Path, body: str, seconds: float = 20) -> bool:
    """Run a check of this body."""
    script = tmp_path / "check.py"
    script.write_text(f"def check(artefact):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n")
    return checking.verdict(script, artefact, seconds=seconds)


@pytest.mark.parametrize("name", ["page.html", "missing.html"])
def test_says_what_the_check_says(tmp_path: Path, artefact: Path, name: str) -> None:
    said = asked(tmp_path, artefact, f"print('true')\nreturn (artefact / {name!r}).is_file()")
    assert said is (name == "page.html")


def test_may_ask_the_module_for_artefacts(tmp_path: Path, artefact: Path) -> None:
    body = "import artefacts\nreturn artefacts.page(artefact / 'page.html').tags['h1'] == 1"
    assert asked(tmp_path, artefact, body)


def test_a_task_without_a_check_is_not_checked(tmp_path: Path, artefact: Path) -> None:
    open_tasks.suite(tmp_path / "posters", ("one",))
    (task,) = suite.load(tmp_path / "posters").tasks
    assert suite.checked(task, artefact) is None


def test_a_task_with_a_check_is_checked(tmp_path: Path, artefact: Path) -> None:
    open_tasks.suite(tmp_path / "posters", ("one",), check="return not list(artefact.glob('*.js'))")
    (task,) = suite.load(tmp_path / "posters").tasks
    assert suite.checked(task, artefact) is True


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise ValueError('no such part')", "failed: ValueError: no such part"),
        ("return None", "must return True or False"),
        ("return 1", "must return True or False"),
        ("return 'true'", "must return True or False"),
        ("import os\nos._exit(0)", "must return True or False"),
        ("import os\nos._exit(3)", "failed: "),
        ("import sys\nsys.exit(1)", "failed: "),
        ("return artefact", "failed: TypeError"),
        ("import os\nos.write(2, b'x' * 400_000)\nreturn False", "failed: "),
    ],
)
def test_a_check_that_fails_is_no_verdict(
    tmp_path: Path, artefact: Path, body: str, words: str
) -> None:
    with pytest.raises(GradingFailed) as failure:
        asked(tmp_path, artefact, body)
    assert str(failure.value).startswith("check.py: ")
    assert words in str(failure.value)


def test_an_artefact_that_cannot_be_copied_is_no_verdict(tmp_path: Path, artefact: Path) -> None:
    (artefact / "out").symlink_to("/etc/passwd")
    with pytest.raises(GradingFailed, match="out: is a link that leaves its folder"):
        asked(tmp_path, artefact, "return True")


def test_an_endless_check_is_ended(tmp_path: Path, artefact: Path) -> None:
    since = time.monotonic()
    with pytest.raises(GradingFailed, match=r"checked for more than 1 s"):
        asked(tmp_path, artefact, "while True: pass", seconds=1)
    assert time.monotonic() - since < 10


def test_a_child_that_is_left_behind_is_not_waited_for(tmp_path: Path, artefact: Path) -> None:
    body = "import os, time\nif not os.fork():\n    time.sleep(60)\nreturn True"
    assert asked(tmp_path, artefact, body)


def test_the_artefact_stays_as_it_is(tmp_path: Path, artefact: Path) -> None:
    before = trees.digest(artefact)
    body = "(artefact / 'page.html').unlink()\n(artefact / 'new').write_text('x')\nreturn True"
    assert asked(tmp_path, artefact, body)
    assert trees.digest(artefact) == before


@pytest.mark.skipif(bubblewrap_fault() is not None, reason="only bubblewrap confines")
@pytest.mark.parametrize(
    "body",
    [
        "import pathlib\nreturn not pathlib.Path({home!r}).exists()",
        "import importlib.util\nreturn importlib.util.find_spec('benchdata') is None",
        "import os\nreturn {secret!r} not in os.environ.values()",
        CONNECTS,
        "return 'none' not in str(artefact) and 'arm' not in str(artefact)",
    ],
)
def test_sees_neither_machine_nor_network_nor_arm(
    tmp_path: Path, artefact: Path, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "of-the-caller"
    monkeypatch.setenv("SOMETHING", secret)
    kept = tmp_path / "kept"
    kept.write_text("private")
    arm = artefact.rename(tmp_path / "arm-none")
    assert secret in os.environ.values()
    assert asked(tmp_path, arm, body.format(home=str(kept), secret=secret))
