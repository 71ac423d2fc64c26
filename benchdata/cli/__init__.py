"""The command line: `benchdata COMMAND`; each command imports what it needs when it is called."""

from __future__ import annotations

import io
import os
import sys
from typing import NoReturn

import typer

from benchdata.errors import BenchdataError, shorten

NAME = "benchdata"
HELP = "Validated rows of agent benchmarks: check, query, summarize, gate and report them."
INTERRUPTED = 130
WIDEST = 1_000
"""Characters of a line of an error; the name of a file may hold anything, and much of it."""


def main() -> None:
    """Run the command line; every error is one message on stderr and an exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a file's name may be no text, and the terminal may know few letters
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = commands()(prog_name=NAME, standalone_mode=False)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except typer.TyperException as error:
        _fail(error.format_message())
    except BenchdataError as error:
        _fail(str(error), error.exit_code)
    except OSError as error:
        _give_up_output()
        _fail(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror}")
    sys.exit(code if isinstance(code, int) else 0)


def commands() -> typer.Typer:
    """Return the command line with every command."""
    from benchdata.cli import collect, freeze, lab, report, sql, summarize, validate

    app = typer.Typer(
        name=NAME,
        help=HELP,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    for group in (validate, summarize, sql, report, freeze, lab, collect):
        group.register(app)
    return app


def _fail(message: str, code: int = 1) -> NoReturn:
    """Say what went wrong and exit; several lines, such as a list of errors, stand alone."""
    lines = [shorten(line, WIDEST) for line in message.splitlines()]
    sys.stderr.write("\n".join(lines) + "\n" if len(lines) > 1 else f"{NAME}: {lines[0]}\n")
    sys.exit(code)


def _give_up_output() -> None:
    """Let what is still buffered go nowhere: at the exit it would fail once more."""
    if sys.__stdout__ is not None and sys.stdout is sys.__stdout__:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())
