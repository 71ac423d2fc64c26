"""How the commands of `skill-eval` are found: by its help, and when a name is misspelt."""

from __future__ import annotations

import re
from pathlib import Path

from collectors.skill_eval import commands
from tests.support.command import refused, run


def test_a_command_that_is_misspelt_is_known(tmp_path: Path) -> None:
    said = refused(run("collect", "skill-eval", "scren", "--suite", tmp_path))
    assert "scren: is neither the file of a spec nor a command; did you mean `screen`?" in said


def test_its_help_names_every_command_with_what_it_does() -> None:
    done = run("collect", "skill-eval", "--help")
    for name, command in commands.COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(command.help)}$", done.out, re.MULTILINE)
    assert "owner/repo@skill" in run("collect", "skill-eval", "screen", "--help").out
