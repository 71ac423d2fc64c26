"""The commands of the blind judge: which first argument is one, their help, and their flags."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.skill_eval.commands import COMMANDS
from tests.support.command import refused, run


def test_the_help_names_every_command() -> None:
    said = run("collect", "skill-eval", "--help").out
    assert [name for name in COMMANDS if name not in said] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_each_has_a_help_of_its_own(name: str) -> None:
    done = run("collect", "skill-eval", name, "--help")
    assert done.code == 0
    assert done.out.startswith(f"usage: benchdata collect skill-eval {name} ")
    assert "Exit codes: 0 " in done.out


@pytest.mark.parametrize("name", COMMANDS)
def test_what_it_needs_is_named(name: str) -> None:
    said = refused(run("collect", "skill-eval", name))
    assert "the following arguments are required: " in said
    assert f"collect skill-eval {name} --help lists the options" in said


def test_anything_else_is_a_spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "screen").write_text("{}")
    assert "screen: name: is missing" in refused(run("collect", "skill-eval", "./screen"))
    assert "screens: cannot be read" in refused(run("collect", "skill-eval", "screens"))
    assert "are required: --skill" in refused(run("collect", "skill-eval", "screen"))
