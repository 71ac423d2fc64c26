"""`benchdata collect skill-eval SPEC.json` or COMMAND: the plan first, then what it is about."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from benchdata.errors import BenchdataError, did_you_mean
from collectors.harness.command_line import (
    DECLINED,
    MOST_CONCURRENCY,
    Parser,
    Whole,
    add_executor,
    require_harness,
)
from collectors.skill_eval import commands
from collectors.skill_eval.commands import PROGRAM, WITH_ERRORS
from collectors.skill_eval.spec import (
    LONGEST_TIMEOUT_MS,
    MOST_RUNS,
    SHORTEST_TIMEOUT_MS,
)

EXIT_CODES = """\
Exit codes: 0 every execution completed and was graded; 1 the command cannot be carried out, or the
plan was declined; 2 some did not: the agent failed, ran out of time or was lost, or a grader
failed."""


def main(arguments: Sequence[str]) -> int:
    """Run `benchdata collect skill-eval` and return the exit code.

    A first argument that is the name of a command is that command, anything else a spec's path.

    Raises:
        BenchdataError: The command cannot be carried out.
    """
    if arguments and arguments[0] in commands.COMMANDS:
        return commands.main(arguments[0], arguments[1:])
    _refuse_misspelt(arguments)
    try:
        given = _parser().parse_args(arguments)
    except SystemExit:  # the help is printed
        return 0
    require_harness()
    from dataclasses import replace

    from collectors.harness import batches
    from collectors.harness.plan import confirmed
    from collectors.harness.progress import Progress, tell
    from collectors.harness.signals import Stop
    from collectors.skill_eval import benchmark, execution, leaderboard, request, spec
    from collectors.skill_eval.resolving import resolve

    asked = request.of_spec(spec.load(given.spec))
    flags = ("agent", "model", "runs", "concurrency", "timeout_ms", "executor")
    changes = {name: value for name in flags if (value := getattr(given, name)) is not None}
    resolved = resolve(replace(asked, **changes), os.environ)
    folder: Path = given.out or batches.new_folder(os.environ, benchmark.KIND)
    left = benchmark.batch(resolved, folder).due()
    if given.leaderboard:
        leaderboard.read(given.leaderboard)  # before anything is spent
    if not confirmed(resolved.shown(left), yes=given.yes):
        tell("Nothing was run.")
        return DECLINED
    with Stop() as stop:
        account = benchmark.execute(resolved, folder, stop=stop, progress=Progress(benchmark.NAME))
    batches.told(account, "" if given.out else f" with --out {folder}")
    if not batches.rows_of(folder).exists():
        return account.code
    if fault := benchmark.first_ungraded(folder):
        tell(fault)
    tell(f"Rows: {batches.rows_of(folder)}")
    tell(f"Report: {folder / benchmark.REPORT_HTML}")
    sys.stdout.write(benchmark.summary(folder))
    sys.stdout.flush()
    if account.done == account.cells:
        _publish(folder, given, is_new=left > 0)
    return account.code or (WITH_ERRORS if execution.failed(batches.rows_of(folder)) else 0)


def _refuse_misspelt(arguments: Sequence[str]) -> None:
    """Refuse a first argument that is no file and nearly a command; BenchdataError."""
    word = next(iter(arguments), "-")
    hint = did_you_mean(word, list(commands.COMMANDS))
    if hint and not word.startswith("-") and not Path(word).exists():
        raise BenchdataError(f"{word}: is neither the file of a spec nor a command{hint}")


def _publish(folder: Path, given: argparse.Namespace, *, is_new: bool) -> None:
    """Share a benchmark that is whole, once, and merge it into a leaderboard.

    Raises:
        BenchdataError: The leaderboard is none, or cannot be written.
    """
    from collectors.harness.progress import tell
    from collectors.skill_eval import benchmark, leaderboard, sharing

    rows = benchmark.dataset(folder)
    if is_new and not given.no_share:
        fault = sharing.share(rows, os.environ, internal=given.internal)
        if fault:
            tell(fault)
    if given.leaderboard:
        leaderboard.merge(given.leaderboard, rows)
        tell(f"Leaderboard: {given.leaderboard}")


def _commands() -> str:
    """Return what the commands do, a line each."""
    width = max(map(len, commands.COMMANDS))
    told = (f"  {name:<{width}}  {command.help}" for name, command in commands.COMMANDS.items())
    first = (
        "Open tasks, scored by a blind judge, have commands in SPEC.json's place, each with --help:"
    )
    return "\n".join((first, *told))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=PROGRAM,
        description="Run an agent with and without skills on the same tasks, and compare.",
        epilog=f"{_commands()}\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("spec", metavar="SPEC.json", type=Path, help="what is compared, on what")
    parser.add_argument("--yes", action="store_true", help="run the plan without asking")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, help="the private folder (default: a new one)"
    )
    parser.add_argument(
        "--leaderboard", metavar="FILE", type=Path, help="merge the result into this file"
    )
    parser.add_argument(
        "--internal", action="store_true", help="mark the shared result as the publisher's own"
    )
    parser.add_argument("--no-share", action="store_true", help="share nothing")
    for add in commands.AGENT:
        add(parser)
    for flag, metavar, least, most, words in (
        ("--runs", "N", 1, MOST_RUNS, "how often each task is run for each arm"),
        ("--concurrency", "N", 1, MOST_CONCURRENCY, "how many run at once"),
        ("--timeout", "MS", SHORTEST_TIMEOUT_MS, LONGEST_TIMEOUT_MS, "time limit of one run"),
    ):
        parser.add_argument(
            flag,
            dest="timeout_ms" if flag == "--timeout" else None,
            metavar=metavar,
            type=Whole(least, most),
            help=words,
        )
    add_executor(parser)
    return parser
