"""`benchdata collect build-bench`: the commands of this collector."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from collectors.harness.command_line import (
    DECLINED,
    MOST_CONCURRENCY,
    MOST_SEED,
    Parser,
    Whole,
    add_executor,
    require_harness,
)

PROGRAM = "benchdata collect build-bench"
MOST_REPEATS = 1000
MOST_TURNS, MOST_WALL_S = 1000, 24 * 3600
MAX_TURNS, MAX_WALL_S = 80, 900
VARIANTS = ("plain", "context", "hardening")
AGENTS = ("claude", "codex", "scripted")
SUFFIXES = (".ndjson", ".jsonl")
CONFORMANCE_CODES = """\
Exit codes: 0 every probe passes; 1 the command cannot be carried out; 2 a reference does not boot;
3 a probe fails."""
SELF_CODES = """\
Exit codes: 0 every attempt has a score, green or not; 1 the command cannot be carried out, or the
plan was declined; 2 some attempts have none."""


def main(arguments: Sequence[str]) -> int:
    """Run `benchdata collect build-bench` and return the exit code.

    Raises:
        BenchdataError: The command cannot be carried out.
    """
    try:
        given = _parser().parse_args(arguments)
    except SystemExit:  # the help is printed
        return 0
    require_harness()
    code: int = given.run(given)
    return code


def _conformance(given: argparse.Namespace) -> int:
    from collectors.build_bench.conformance import Conformance

    with _interruptible():
        return Conformance(given.lane, given.task, given.repeats, given.out, _say).run()


def _self(given: argparse.Namespace) -> int:
    from collectors.build_bench import batch
    from collectors.build_bench.resolving import Asked, resolve
    from collectors.harness import batches
    from collectors.harness.plan import confirmed
    from collectors.harness.progress import Progress, tell
    from collectors.harness.signals import Stop

    asked = Asked(
        agent=given.agent,
        lanes=given.lane,
        tasks=given.task,
        variant=given.variant,
        repeats=given.repeats,
        concurrency=given.concurrency,
        max_turns=given.max_turns,
        max_wall_s=given.max_wall,
        api_key=given.api_key,
        model=given.model,
        judge_model=given.judge_model,
        executor=given.executor,
    )
    bench = resolve(asked, os.environ)
    folder: Path = given.out or batches.new_folder(os.environ, batch.KIND)
    found = batch.of(bench, folder, given.seed)
    if not confirmed(bench.shown(found.due()), yes=given.yes):
        tell("Nothing was run.")
        return DECLINED
    with Stop() as stop:
        account = found.execute(stop=stop, progress=Progress(batch.NAME))
    batches.told(account, "" if given.out else f" with --out {folder}")
    tell(f"Rows: {batches.rows_of(folder)}")
    return account.code


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does: services are ended, and the attempt leaves its row.

    Ctrl-C is heard even where a shell has it ignored, as it does for what runs in the background.
    """
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _interrupt}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Do what Ctrl-C does now: an event loop that runs cancels its task, and loses no signal."""
    heard = signal.getsignal(signal.SIGINT)
    assert callable(heard)
    heard(number, frame)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog=PROGRAM, description="Services built to a contract, judged by probes.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    _add_conformance(commands)
    _add_self(commands)
    return parser


def _add_conformance(commands: Any) -> None:
    conformance = commands.add_parser(
        "conformance",
        help="judge the references; needs no agent and no key",
        description="Boot each reference on a fresh store and ask it every probe, restarts and"
        " all. The dependencies of a lane are installed once, into the user's cache.",
        epilog=CONFORMANCE_CODES,
    )
    conformance.set_defaults(run=_conformance)
    _add_cells(conformance)
    conformance.add_argument(
        "--out", metavar="FILE", type=_rows, help="append a row an attempt, .ndjson or .jsonl"
    )


def _add_self(commands: Any) -> None:
    attempts = commands.add_parser(
        "self",
        help="let an agent build, and judge what every turn leaves",
        description="Let an agent build each task in each lane, and ask what every turn leaves"
        " every probe, until all pass, a cap is reached or the agent ends. The plan, with what it"
        " costs at worst, is shown first. The same command goes on with a batch in --out.",
        epilog=SELF_CODES,
    )
    attempts.set_defaults(run=_self)
    _add_cells(attempts)
    attempts.add_argument(
        "--variant",
        choices=VARIANTS,
        default=VARIANTS[0],
        help="what the agent is told: the task; what the lane holds too; the rubric too"
        f" (default: {VARIANTS[0]})",
    )
    attempts.add_argument("--agent", choices=AGENTS, default=AGENTS[0], help="(default: claude)")
    attempts.add_argument("--model", metavar="M", help="an immutable model id")
    attempts.add_argument(
        "--judge-model", metavar="M", help="a model of the same agent that reads the sources"
    )
    attempts.add_argument(
        "--api-key",
        action="store_true",
        help="pay by the token, with the API key in the environment, and not by subscription",
    )
    for flag, metavar, least, most, default, words in (
        ("--max-turns", "N", 1, MOST_TURNS, MAX_TURNS, "turns of one attempt"),
        ("--max-wall", "S", 1, MOST_WALL_S, MAX_WALL_S, "seconds of the agent in one attempt"),
        ("--concurrency", "N", 1, MOST_CONCURRENCY, 1, "how many attempts run at once"),
        ("--seed", "N", 0, MOST_SEED, None, "of the order in which attempts are made"),
    ):
        said = "drawn" if default is None else default
        attempts.add_argument(
            flag,
            metavar=metavar,
            type=Whole(least, most),
            default=default,
            help=f"{words} (default: {said})",
        )
    attempts.add_argument(
        "--out", metavar="DIR", type=Path, help="the private folder (default: a new one)"
    )
    add_executor(attempts)
    attempts.add_argument("--yes", action="store_true", help="run the plan without asking")


def _add_cells(parser: argparse.ArgumentParser) -> None:
    """Add what both commands are told of lanes, tasks and repeats."""
    for option in ("lane", "task"):
        parser.add_argument(
            f"--{option}",
            metavar=option.upper(),
            action="append",
            default=[],
            help=f"only this {option}; may be given again",
        )
    parser.add_argument(
        "--repeats",
        metavar="N",
        type=Whole(1, MOST_REPEATS),
        default=1,
        help="how often (default: 1)",
    )


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
