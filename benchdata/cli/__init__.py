"""The command line: `benchdata COMMAND`; each command imports what it needs when it is called."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from types import FrameType
from typing import Annotated, NoReturn

import typer

import benchdata
from benchdata.errors import BenchdataError, RowsInvalid, shorten
from benchdata.startup import GRAMMARS, without

NAME = "benchdata"
HELP = "Validated rows of agent benchmarks: check, query, compare, gate and report them."
INTERRUPTED = 130
ENDING = (signal.SIGTERM, signal.SIGHUP)
# How the engines say what the system refused them: a full disk, a file too large.
SYSTEM = re.compile(r"(?:os error|[Ee]rrno) (\d+)|No space left on device")
WIDEST = 1_000
"""Characters of a line of an error; the name of a file may hold anything, and much of it."""


def main() -> None:
    """Run the command line; every error is one message on stderr and an exit code."""
    _open_closed_streams()
    _end_in_order()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a file's name may be no text, and the terminal may know few letters
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with without(GRAMMARS):
            code = commands()(prog_name=NAME, standalone_mode=False)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except typer.TyperException as error:
        # between option and reason stands the kind of the error, which is no word for a user
        _fail(*error.format_message().replace(": Value error, ", ": ", 1).splitlines())
    except RowsInvalid as error:
        _fail(*str(error).splitlines(), code=error.exit_code)
    except BenchdataError as error:
        _fail(str(error), code=error.exit_code)
    except OSError as error:
        _give_up_output()
        reason = error.strerror or str(error)
        _fail(f"{error.filename}: {reason}" if error.filename else reason)
    except Exception as error:
        if match := SYSTEM.search(str(error)):
            _fail(os.strerror(int(match[1])) if match[1] else match[0])
        raise
    sys.exit(code if isinstance(code, int) else 0)


def commands() -> typer.Typer:
    """Return the command line with every command."""
    from benchdata.cli import (
        collect,
        compare,
        export,
        freeze,
        gate,
        history,
        imports,
        init,
        lab,
        mcp,
        power,
        report,
        score,
        serve,
        site,
        sql,
        summarize,
        validate,
    )

    app = typer.Typer(
        name=NAME,
        help=HELP,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_common)
    for group in (
        *(validate, summarize, gate, compare, history, power, score, sql, report, site, freeze),
        *(export, imports, lab, serve, mcp, collect, init),
    ):
        group.register(app)
    return app


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"{NAME} {benchdata.__version__}")
        raise typer.Exit


def _common(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def _fail(*message: str, code: int = 1) -> NoReturn:
    """Say what went wrong and exit; several lines, such as a list of errors, stand alone."""
    lines = [shorten(line, WIDEST) for line in message]
    sys.stderr.write("\n".join(lines) + "\n" if len(lines) > 1 else f"{NAME}: {lines[0]}\n")
    sys.exit(code)


def _end_in_order() -> None:
    """Let a signal to end be an exit, with the code a shell gives: temporary files are removed."""

    def leave(number: int, _: FrameType | None) -> NoReturn:
        sys.exit(128 + number)

    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)


def _open_closed_streams() -> None:
    """Let closed streams lead nowhere: the next file to be opened must not take their place."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
            os.set_inheritable(descriptor, True)
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(descriptor, "w", closefd=False)))


def _give_up_output() -> None:
    """Let what is still buffered go nowhere: at the exit it would fail once more."""
    if sys.__stdout__ is not None and sys.stdout is sys.__stdout__:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())
