"""The guide to comparing: every command on the shipped rows runs, every value is what it says."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import run

GUIDE = (Path(__file__).parents[2] / "docs" / "comparing.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    command
    for block in BLOCKS
    for command in re.split(r"^(?=benchdata )", block, flags=re.MULTILINE)
    if command
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_guide_runs(
    root: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(root)
    name, *arguments = shlex.split(command, comments=True)
    done = run(*arguments)
    assert (name, done.code, done.err) == ("benchdata", 0, "")
    assert len(done.out.splitlines()) > 3


def test_pass_at_k_is_what_the_guide_says() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    start, *calls = code.strip().split("\n\n")
    names: dict[str, Any] = {}
    exec(start, names)
    lines = "\n".join(calls).splitlines()
    said = [(line.partition("#")[0], line.partition("# ")[2].partition(":")[0]) for line in lines]
    assert len(said) == 2
    for call, value in said:
        assert eval(call.strip(), names) == Fraction(value)
