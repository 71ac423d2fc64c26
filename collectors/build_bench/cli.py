"""`benchdata collect build-bench`: the commands of this collector."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from collectors.harness.command_line import Parser, Whole

PROGRAM = "benchdata collect build-bench"
MOST_REPEATS = 1000
SUFFIXES = (".ndjson", ".jsonl")
EXIT_CODES = """\
Exit codes: 0 every probe passes; 1 the command cannot be carried out; 2 a reference does not boot;
3 a probe fails."""


def main(arguments: Sequence[str]) -> int:
    """Run `benchdata collect build-bench` and return the exit code.

    Raises:
        BenchdataError: The command cannot be carried out.
    """
    try:
        given = _parser().parse_args(arguments)
    except SystemExit:  # the help is printed
        return 0
    from collectors.build_bench.conformance import Conformance

    with _termination_is_interruption():
        return Conformance(given.lane, given.task, given.repeats, given.out, _say).run()


@contextmanager
def _termination_is_interruption() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does: services are ended, and the attempt leaves its row."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog=PROGRAM, description="Services built to a contract, judged by probes.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    conformance = commands.add_parser(
        "conformance",
        help="judge the references; needs no agent and no key",
        description="Boot each reference on a fresh store and ask it every probe, restarts and"
        " all. The dependencies of a lane are installed once, into the user's cache.",
        epilog=EXIT_CODES,
    )
    for option in ("lane", "task"):
        conformance.add_argument(
            f"--{option}",
            metavar=option.upper(),
            action="append",
            default=[],
            help=f"only this {option}; may be given again",
        )
    conformance.add_argument(
        "--repeats",
        metavar="N",
        type=Whole(1, MOST_REPEATS),
        default=1,
        help="how often (default: 1)",
    )
    conformance.add_argument(
        "--out", metavar="FILE", type=_rows, help="append a row an attempt, .ndjson or .jsonl"
    )
    return parser


def _rows(text: str) -> Path:
    path = Path(text)
    if path.suffix not in SUFFIXES or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(
            f"must be a file ending in {' or '.join(SUFFIXES)} in a folder that is there"
        )
    return path


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
