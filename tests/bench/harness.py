"""What the harness adds to a run of an agent: the run on the whole against the program alone.

The model is a stand-in that thinks for two seconds, so the programs spend their time as they do in
a benchmark. Runs alternate, since other work on the machine comes and goes, and medians count. A
turn is what a run of more turns takes longer than one of a single turn.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from collectors.harness import attempt, folders
from collectors.harness.agents.registry import driver
from collectors.harness.failures import SetupFailed
from collectors.harness.folders import RunFolder
from collectors.harness.sandbox.probe import choose
from tests.support.driven import invoked
from tests.support.scripted_api import Server
from tests.support.whole import LAST, Whole

AGENTS = ("scripted", "claude")
LATENCY_S = 2.0
TURNS = 4
ROUNDS = 5
LIMIT = 1.05
"""The aim: no more than 5% above the program alone."""

Run = Callable[[Whole, RunFolder, Server], bool]


def main() -> None:
    """Print, for each agent that is here, the ratio of an attempt and of a turn."""
    print(
        f"harness ({choose().name}): {LATENCY_S:g} s a message, {TURNS} turns a run,"
        f" {ROUNDS} rounds, medians"
    )
    for name in AGENTS:
        try:
            whole = Whole(driver(name))
        except SetupFailed as missing:
            print(f"{name}: skipped: {missing}")
            continue
        _report(whole)


def _report(whole: Whole) -> None:
    """Print what one agent takes, alone and by the harness."""
    alone, ours = _medians(whole)
    by_turn = [(each[TURNS] - each[1]) / (TURNS - 1) for each in (alone, ours)]
    print(
        f"{whole.driver.name}: {ours[TURNS]:.2f} s an attempt, alone {alone[TURNS]:.2f} s;"
        f" {by_turn[1]:.3f} s a turn, alone {by_turn[0]:.3f} s;"
        f" {1000 * (ours[1] - alone[1]):.0f} ms more with a single turn"
    )
    ratios = {"attempt": ours[TURNS] / alone[TURNS], "turn": by_turn[1] / by_turn[0]}
    for what, ratio in ratios.items():
        print(
            f"  {what} / alone = {ratio:.3f}, {'within' if ratio <= LIMIT else 'ABOVE'} {LIMIT:g}"
        )


def _medians(whole: Whole) -> list[dict[int, float]]:
    """Return the seconds of a run by its number of turns: alone, then by the harness."""
    taken: dict[tuple[Run, int], list[float]] = {
        (run, turns): [] for turns in (1, TURNS) for run in (_alone, _whole)
    }
    with tempfile.TemporaryDirectory(prefix="benchdata-bench-") as place:
        for number in range(ROUNDS):
            for index, ((run, turns), seconds) in enumerate(taken.items()):
                folder = folders.create(Path(place, f"{number}-{index}"))
                seconds.append(_timed(run, whole, folder, turns))
    return [{turns: median(taken[run, turns]) for turns in (1, TURNS)} for run in (_alone, _whole)]


def _timed(run: Run, whole: Whole, folder: RunFolder, turns: int) -> float:
    """Return the seconds that a run of so many turns takes."""
    slow = {"delay_s": LATENCY_S}
    replies = [{**whole.shell("true"), **slow}] * (turns - 1)
    with whole.dialect.serving({"replies": replies, "default": {**LAST, **slow}}) as server:
        before = time.perf_counter()
        failed = run(whole, folder, server)
        taken = time.perf_counter() - before
    if failed or len(server.asked) != turns:
        raise SystemExit(f"{whole.driver.name} failed, or did not ask {turns} times")
    return taken


def _alone(whole: Whole, folder: RunFolder, server: Server) -> bool:
    """Run the program as its driver starts it, and nothing around it; return whether it failed."""
    call = whole.call()
    invocation = invoked(whole.driver, call, folder, server.url + whole.dialect.root)
    with folder.stdout.open("wb") as stdout, folder.stderr.open("wb") as stderr:
        done = subprocess.run(
            invocation.argv,
            cwd=folder.work,
            env=dict(invocation.environment),
            input=invocation.stdin,
            stdout=stdout,
            stderr=stderr,
            check=False,
        )
    with folder.stdout.open("rb") as lines:
        return whole.driver.report(lines, done.returncode, call).failed


def _whole(whole: Whole, folder: RunFolder, server: Server) -> bool:
    """Run it as benchmarks do, held for a moment after each turn; return whether it failed."""
    setting = whole.setting(server)
    found = attempt.run(whole.call(), setting, folder, on_turn=lambda _: "go")
    return found.outcome != "completed"


if __name__ == "__main__":
    main()
