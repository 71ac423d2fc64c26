"""`benchdata init`: the folder that it makes passes its own tests, lint and types at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cases import mostly_slow
from tests.support.command import ROOT, refused, run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A benchmark, made by the command."""
    into = tmp_path_factory.mktemp("made") / "here"
    done = run("init", "lamp_bench", "--into", into)
    assert (done.code, done.out) == (0, f"{into}/lamp-bench\n"), done
    assert done.err.startswith("next: `make install`")
    return into / "lamp-bench"


def checked(folder: Path, *command: str) -> str:
    """Run a module of Python in a benchmark's folder, without what this test run sets."""
    environment = {name: os.environ[name] for name in os.environ if not name.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("some", mostly_slow(["not notebook", ""]))
def test_it_passes_its_own_tests(made: Path, some: str) -> None:
    said = checked(made, "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", "-k", some)
    assert " passed" in said
    assert "skipped" not in said
    assert not (made / "results").exists()


@pytest.mark.parametrize("name", ["b", "benchmark-of-a-long-name-in-full"])
def test_it_is_linted_and_formatted_whatever_its_name(name: str, tmp_path: Path) -> None:
    assert run("init", name, "--into", tmp_path).code == 0
    for check in (("check",), ("format", "--check")):
        checked(tmp_path / name, "ruff", *check, "--no-cache")


@pytest.mark.slow
def test_it_is_typed(made: Path) -> None:
    checked(made, "mypy", "--strict", "--cache-dir", os.devnull, "lamp_bench", "tests")


def test_a_folder_that_is_there_is_left_alone(made: Path) -> None:
    assert "is there already" in refused(run("init", "lamp-bench", "--into", made.parent))
    assert "is a word of Python" in refused(run("init", "class", "--into", made.parent))
    for word in ("order", "left"):
        assert f"{word} is a word of SQL" in refused(run("init", word, "--into", made.parent))
    assert [path.name for path in made.parent.iterdir()] == ["lamp-bench"]
