"""The command line: `benchdata COMMAND`; each command imports what it needs when it is called."""

from __future__ import annotations

import sys

import click
import typer

from benchdata.errors import BenchdataError

app = typer.Typer(
    name="benchdata",
    help="Validated rows of agent benchmarks: check, query, summarize, gate and report them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line; every error is one message on stderr and an exit code."""
    from benchdata.cli import collect, lab, report, sql, summarize, validate

    for group in (validate, summarize, sql, report, lab, collect):
        group.register(app)
    try:
        code = app(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(1)
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BenchdataError as error:
        sys.stderr.write(f"benchdata: {error}\n" if "\n" not in str(error) else f"{error}\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)
