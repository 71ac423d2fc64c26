"""`benchdata collect NAME ...`: an installed collector runs with its own arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.cli.collect import GROUP
from tests.support.command import Done, refused, run
from tests.support.packages import install

COLLECTOR = """
import sys

def main(arguments):
    print(*arguments)
    if "fail" in arguments:
        print("no row", file=sys.stderr)
        return 1
    return 0
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with a collector that prints its arguments."""
    points = {"made_up": "made_up_collector:main", "other": "nowhere:main"}
    folder = install(tmp_path, GROUP, points)
    (folder / "made_up_collector.py").write_text(COLLECTOR, "utf-8")
    monkeypatch.syspath_prepend(folder)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", ["made_up", "made-up"])
def test_everything_after_the_name_is_the_collectors(name: str) -> None:
    done = run("collect", name, "--help", "-x", "--contract", "a", "-", "--", "b")
    assert done == Done(0, "--help -x --contract a - -- b\n", "")


@pytest.mark.usefixtures("installed")
def test_the_exit_code_is_the_collectors() -> None:
    assert run("collect", "made-up", "fail") == Done(1, "fail\n", "no row\n")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("arguments", [(), ("nope", "x"), ("--nope",)])
def test_an_unknown_name_tells_those_there_are(arguments: tuple[str, ...]) -> None:
    message = refused(run("collect", *arguments))
    assert "made-up" in message
    assert "\n" not in message


@pytest.mark.usefixtures("installed")
def test_a_collector_that_cannot_be_loaded_is_one_message() -> None:
    assert "collector other cannot be loaded: ModuleNotFoundError" in refused(
        run("collect", "other")
    )
