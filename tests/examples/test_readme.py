"""The README: each command that it shows with an answer gives that answer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
SHOWN = re.findall(r"^```console\n\$ (.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Return a search path on which `benchdata` is this checkout's, run by this Python."""
    command = tmp_path / "benchdata"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m benchdata "$@"\n', "utf-8")
    command.chmod(0o755)
    return os.pathsep.join([str(tmp_path), os.environ["PATH"]])


@pytest.mark.parametrize("shown", SHOWN)
def test_the_readme_shows_what_the_command_prints(root: Path, path: str, shown: str) -> None:
    lines = shown.splitlines()
    # a command goes on over lines that are set in
    size = 1 + next(number for number, line in enumerate(lines[1:]) if not line.startswith(" "))
    command, answer = "\n".join(lines[:size]), lines[size:]
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(root)}
    done = subprocess.run(
        command, shell=True, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == answer, done.stderr


def test_the_readme_names_every_command() -> None:
    from benchdata.cli import commands

    names = {
        info.name or info.callback.__name__
        for info in commands().registered_commands
        if info.callback
    }
    assert not [name for name in sorted(names) if f"benchdata {name}" not in README]
