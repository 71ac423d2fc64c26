"""The commands of the blind judge: each with its flags, and what it does."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from benchdata.contracts.fields import ModelId
from collectors.harness.command_line import (
    MOST_CONCURRENCY,
    MOST_SEED,
    Parser,
    Whole,
    require_harness,
)

PROGRAM = "benchdata collect skill-eval"
WITH_ERRORS = 2

Flag = Callable[[argparse.ArgumentParser], object]
Run = Callable[[argparse.Namespace], int]


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its help, what adds its flags, and what it does."""

    help: str
    epilog: str
    flags: Sequence[Flag]
    run: Run


def main(name: str, arguments: Sequence[str]) -> int:
    """Run one of the `COMMANDS` and return the exit code.

    Raises:
        BenchdataError: It cannot be carried out.
    """
    command = COMMANDS[name]
    parser = Parser(
        prog=f"{PROGRAM} {name}", description=command.help, epilog=f"Exit codes: {command.epilog}"
    )
    for add in command.flags:
        add(parser)
    try:
        given = parser.parse_args(arguments)
    except SystemExit:  # the help is printed
        return 0
    require_harness()
    return command.run(given)


def model_id(text: str) -> str:
    """Return the id of a model, as rows have it."""
    try:
        return TypeAdapter(ModelId).validate_python(text, strict=True)
    except ValidationError as error:
        raise argparse.ArgumentTypeError(error.errors()[0]["msg"]) from None


def _names(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas."""
    return tuple(name for part in text.split(",") if (name := part.strip()))


def _of(module: str, name: str) -> Run:
    """Return a function of this package that is imported when it is called."""

    def run(given: argparse.Namespace) -> int:
        found: Run = getattr(import_module(f"{__package__}.{module}"), name)
        return found(given)

    return run


def _flag(*names: str, **settings: Any) -> Flag:
    """Return what adds one flag or argument to a parser."""
    return lambda parser: parser.add_argument(*names, **settings)


SUITE = _flag(
    "--suite", metavar="DIR", required=True, help="the tasks: a folder, or screen or heldout"
)
SKILL = _flag(
    "--skill",
    metavar="PATH",
    required=True,
    help="a skill's folder or SKILL.md, or owner/repo@skill",
)
OUT = _flag("--out", metavar="DIR", type=Path, required=True, help="the private folder")
YES = _flag("--yes", action="store_true", help="go on without asking")
AGENT = (
    _flag("--agent", metavar="A", help="claude, codex or scripted"),
    _flag("--model", metavar="M", type=model_id, help="the agent's immutable model id"),
)
JUDGE = (
    _flag("--judge", metavar="J", help="claude, codex or openai: any endpoint of that shape"),
    _flag("--judge-model", metavar="M", type=model_id, help="the judge's immutable model id"),
)
CONCURRENCY = _flag(
    "--concurrency",
    metavar="N",
    type=Whole(1, MOST_CONCURRENCY),
    default=1,
    help="how many run at once (default: 1)",
)
SEED = _flag(
    "--seed",
    metavar="N",
    type=Whole(0, MOST_SEED),
    help="of the order in which runs are made (default: drawn)",
)
STAGE = (SUITE, OUT, *AGENT, *JUDGE, CONCURRENCY, SEED, YES)
RAN = """\
0 every run completed; 1 the command cannot be carried out, or the plan was declined; 2 some runs
failed, or are still due."""

COMMANDS: Mapping[str, Command] = {
    "screen": Command(
        "Run a skill and no skill once on six tasks.",
        RAN,
        (SKILL, *STAGE),
        _of("stages.commands", "screen"),
    ),
    "heldout": Command(
        "Run the skill of a screen and no skill twice on six tasks that are new to it.",
        RAN,
        (
            SKILL,
            _flag(
                "--screen", metavar="DIR", type=Path, required=True, help="the --out of the screen"
            ),
            *STAGE,
        ),
        _of("stages.commands", "heldout"),
    ),
    "check": Command(
        "See whether a judge scores copies alike, blank pages 0 and stripped pages lower.",
        "0 it does; 1 the command cannot be carried out; 2 some calls could not be made; 3 it does"
        " not.",
        (
            SUITE,
            _flag(
                "--attempt",
                metavar="TASK_ID=DIR",
                action="append",
                required=True,
                help="what a run left on a task; may be given again",
            ),
            OUT,
            *JUDGE,
            CONCURRENCY,
            YES,
        ),
        _of("stages.commands", "check"),
    ),
    "judge": Command(
        "Let a blind judge score what the runs of some stages left.",
        "0 everything is judged; 1 the command cannot be carried out, or the plan was declined; 2"
        " something is not.",
        (
            _flag("folders", metavar="RUN_DIR", type=Path, nargs="+", help="the --out of a stage"),
            SUITE,
            _flag("--pairwise", action="store_true", help="compare pairs too, in both orders"),
            _flag("--force", action="store_true", help="judge again what is judged"),
            *JUDGE,
            CONCURRENCY,
            YES,
        ),
        _of("stages.commands", "judge"),
    ),
    "aggregate": Command(
        "Sum up what the judge said of a stage.",
        "0 it may be published; 1 the command cannot be carried out; 3 it may not.",
        (
            _flag("folder", metavar="RUN_DIR", type=Path, help="the --out of a stage"),
            _flag(
                "--instrument-check",
                metavar="FILE",
                type=Path,
                help="the instrument-check.json of a check of the same judge",
            ),
        ),
        _of("aggregate.command", "run"),
    ),
    "router": Command(
        "Run the same tasks with no way to find a skill, with find-skills, and with a connector.",
        RAN,
        (
            _flag(
                "--exclude",
                metavar="A,B",
                type=_names,
                default=(),
                help="skills that nothing may find, by their names",
            ),
            _flag(
                "--connector",
                metavar="COMMAND",
                help="the MCP connector of the arm edge: a command or a URL",
            ),
            *STAGE,
        ),
        _of("router.command", "run"),
    ),
}
