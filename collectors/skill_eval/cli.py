"""`benchdata collect skill-eval SPEC.json`: the plan first, then the benchmark."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from benchdata.errors import BenchdataError
from collectors.skill_eval.spec import (
    LONGEST_TIMEOUT_MS,
    MOST_CONCURRENCY,
    MOST_RUNS,
    SHORTEST_TIMEOUT_MS,
)

PROGRAM = "benchdata collect skill-eval"
DECLINED = 1
EXIT_CODES = """\
Exit codes: 0 every execution was graded; 1 the command cannot be carried out, or the plan was
declined; 2 some executions were not graded."""


def main(arguments: Sequence[str]) -> int:
    """Run `benchdata collect skill-eval` and return the exit code.

    Raises:
        BenchdataError: The command cannot be carried out.
    """
    try:
        given = _parser().parse_args(arguments)
    except SystemExit:  # the help is printed
        return 0
    from dataclasses import replace

    from collectors.harness.plan import confirmed
    from collectors.harness.progress import Progress, tell
    from collectors.harness.signals import Stop
    from collectors.skill_eval import benchmark, request, spec
    from collectors.skill_eval.estimate import estimate
    from collectors.skill_eval.resolving import resolve

    asked = request.of_spec(spec.load(given.spec))
    flags = ("agent", "model", "runs", "concurrency", "timeout_ms")
    changes = {name: value for name in flags if (value := getattr(given, name)) is not None}
    resolved = resolve(replace(asked, **changes), os.environ)
    folder: Path = given.out or benchmark.new_folder(os.environ)
    left = benchmark.due(resolved, folder)
    if not confirmed(
        [*resolved.plan(estimate(resolved)).lines(left), *resolved.notes], yes=given.yes
    ):
        tell("Nothing was run.")
        return DECLINED
    with Stop() as stop:
        account = benchmark.execute(resolved, folder, stop=stop, progress=Progress(benchmark.NAME))
    for line in account.lines():
        tell(line)
    tell(f"Rows: {benchmark.rows_of(folder)}")
    tell(f"Report: {folder / benchmark.REPORT_HTML}")
    if benchmark.rows_of(folder).exists():
        sys.stdout.write(benchmark.summary(folder))
    return account.code


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are those of every other command."""

    def error(self, message: str) -> NoReturn:
        raise BenchdataError(f"{message}; {self.prog} --help lists the options")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=PROGRAM,
        description="Run an agent with and without skills on the same tasks, and compare.",
        epilog=EXIT_CODES,
    )
    parser.add_argument("spec", metavar="SPEC.json", type=Path, help="what is compared, on what")
    parser.add_argument("--yes", action="store_true", help="run the plan without asking")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, help="the private folder (default: a new one)"
    )
    parser.add_argument("--agent", metavar="A", help="claude, codex or scripted")
    parser.add_argument("--model", metavar="M", help="an immutable model id")
    for flag, metavar, least, most, words in (
        ("--runs", "N", 1, MOST_RUNS, "how often each task is run for each arm"),
        ("--concurrency", "N", 1, MOST_CONCURRENCY, "how many run at once"),
        ("--timeout", "MS", SHORTEST_TIMEOUT_MS, LONGEST_TIMEOUT_MS, "time limit of one run"),
    ):
        parser.add_argument(
            flag,
            dest="timeout_ms" if flag == "--timeout" else None,
            metavar=metavar,
            type=_Whole(least, most),
            help=words,
        )
    return parser


class _Whole:
    """Reads a whole number within bounds."""

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def __call__(self, text: str) -> int:
        if not (text.isascii() and text.isdigit() and self._least <= int(text) <= self._most):
            raise argparse.ArgumentTypeError(
                f"must be a whole number from {self._least:,} to {self._most:,}"
            )
        return int(text)
