"""The page of all commands: what each says of itself with `--help`, and where a guide uses it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

from benchdata.errors import ANSWER_IS_NO
from tests.support import pages
from tests.support.command import ROOT, run

INTRODUCTION = f"""\
# Commands

Every command, in its own words: this page is what `--help` prints, with an example that a guide
explains and the tests run. `python -m tests.reference.run` writes it again.

| exit code | |
|---|---|
| 0 | done |
| 1 | the input or the command line is not in order; nothing was done, and standard error says why |
| 2 | done, but something that was run failed |
| {ANSWER_IS_NO} | the answer is no: not READY, `worse`, not reproduced, a probe that fails |

Answers go to standard output, progress and warnings to standard error. `-` is standard input.
Templates, contracts and collectors may be written with `-` or `_`.
"""
WIDTH = "80"
NESTED = re.compile(r"^usage: .*?\{([\w,-]+)\} \.\.\.", re.DOTALL)
OPTION = re.compile(r"^  (-[^\n]*?)(?:  +(\S[^\n]*)|\n {10,}(\S[^\n]*))?$", re.MULTILINE)

Command = tuple[str, ...]


def names() -> list[Command]:
    """Return every command, those of collectors after `collect`."""
    from benchdata.cli import commands

    first = [
        info.name or info.callback.__name__
        for info in commands().registered_commands
        if info.callback
    ]
    return [
        command
        for name in first
        for command in ((name,), *(_collectors() if name == "collect" else ()))
    ]


@cache
def help_of(command: Command) -> str:
    """Return what a command prints with `--help`."""
    with patch.dict(os.environ, COLUMNS=WIDTH, TERM="dumb"):
        done = run(*command, "--help")
    assert done.code == 0, done
    return done.out.strip("\n").replace(f"{ROOT}/", "")


def options(command: Command) -> dict[str, str]:
    """Return the options of a command and how each begins to explain itself."""
    return {
        option.split("  ")[0]: beside or below
        for option, beside, below in OPTION.findall(help_of(command))
    }


def uses(command: Command) -> list[tuple[str, str]]:
    """Return (page, command line) of every example of a command, those of the README first."""
    return [(page, line) for page, line in _examples() if _command_of(line) == command]


def document() -> str:
    """Return the page."""
    return INTRODUCTION + "".join(map(_section, names()))


def _section(command: Command) -> str:
    parts = [f"\n## {' '.join(command)}\n\n```text\n{help_of(command)}\n```\n"]
    found = uses(command)
    if found:
        parts.append(f"\nFor example:\n\n```sh\n{found[0][1]}\n```\n")
    links = dict.fromkeys(_link(page) for page, _ in found if page.startswith("docs/"))
    if links:
        parts.append(f"\nAt work in: {'; '.join(links)}.\n")
    return "".join(parts)


def _link(page: str) -> str:
    title = pages.text(page).partition("\n")[0].removeprefix("# ")
    return f"[{title}](../{page.removeprefix('docs/')})"


@cache
def _examples() -> tuple[tuple[str, str], ...]:
    return tuple(
        (page, line)
        for page in pages.names()
        if not page.startswith(pages.GENERATED)
        for block in pages.blocks(page)
        if block.language in pages.RUN
        for line in block.commands
    )


def _command_of(line: str) -> Command:
    """Return the command that a line runs, as many words as name one."""
    words = tuple(shlex.split(line.replace("\\\n", " "), comments=True)[1:])
    known = {*names()}
    return next((words[:size] for size in (3, 2, 1) if words[:size] in known), ())


@cache
def _collectors() -> tuple[Command, ...]:
    """Return the commands of the collectors that ship."""
    from importlib.metadata import entry_points

    from collectors.skill_eval.commands import COMMANDS

    found: list[Command] = []
    for point in entry_points(group="benchdata.collectors"):
        command = ("collect", point.name)
        deeper = NESTED.match(help_of(command))
        names = deeper[1].split(",") if deeper else COMMANDS if point.name == "skill-eval" else ()
        found += [command, *((*command, name) for name in names)]
    return tuple(found)


def undescribed() -> Iterator[str]:
    """Yield every option that does not say what it does, as `command --option`."""
    for command in names():
        for option, words in options(command).items():
            if not words:
                yield f"{' '.join(command)} {option}"
