"""What judging a turn costs, with the Node.js reference of t1 as the work of the agent.

`host` is the evaluation alone, as the references are judged: boots, probes and restarts. `confined`
is the same in a sandbox for every start, `turn` has the copy, its digest, the diff and what is
kept besides, and `unchanged` is a turn that left all as it was. The fastest of some rounds counts.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from collectors.build_bench import references, snapshots, starters
from collectors.build_bench.evaluation import evaluate
from collectors.build_bench.grounds import Host
from collectors.build_bench.lanes import lane
from collectors.build_bench.snapshots import Snapshot
from collectors.build_bench.tasks import TASKS
from collectors.build_bench.turns import Judge, Turns
from collectors.harness.sandbox.probe import choose

LANE, TASK = lane("node"), TASKS["t1-storefront-api"]
ROUNDS = 3
MOST = 2.5
MOST_UNCHANGED_MS = 100


def main() -> None:
    """Print the seconds of each case, and of a turn the ratio to the evaluation alone."""
    if shutil.which("node") is None:
        print("build-bench: node is not installed")
        return
    starter, sandbox = starters.prepare(LANE), choose()
    judge = Judge(TASK.suite, starter, sandbox, lambda: False)
    costs: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(prefix="benchdata-bench-") as name:
            for case, seconds in _round(judge, Path(name)).items():
                costs.setdefault(case, []).append(seconds)
    print(f"a turn of build-bench in {sandbox.name}; {ROUNDS} rounds, the fastest counts")
    for case, all_s in costs.items():
        print(f"{case:10} {min(all_s):7.3f} s")
    ratio = min(costs["turn"]) / min(costs["host"])
    print(f"  turn / host = {ratio:.2f}, {'within' if ratio <= MOST else 'ABOVE'} {MOST:g}")
    unchanged = 1000 * min(costs["unchanged"])
    held = "within" if unchanged <= MOST_UNCHANGED_MS else "ABOVE"
    print(f"  an unchanged turn: {unchanged:.0f} ms, {held} {MOST_UNCHANGED_MS}")


def _round(judge: Judge, root: Path) -> dict[str, float]:
    """Return the seconds of each case, once."""
    work = root / "work"
    work.mkdir()
    turns = Turns.of(work, root, judge)
    references.lay(LANE.id, TASK.id, work)
    snapshot = snapshots.take(work, root / "copy")
    cases: dict[str, Callable[[], object]] = {
        "host": lambda: _on_host(judge, snapshot, root / "host"),
        "confined": lambda: judge(snapshot, root / "evaluation"),
        "turn": lambda: turns.over(1),
        "unchanged": lambda: turns.over(2),
    }
    costs = {case: _timed(action) for case, action in cases.items()}
    if [turn.green for turn in turns.done] != [True, True]:
        raise SystemExit("the reference is not green")
    return costs


def _on_host(judge: Judge, snapshot: Snapshot, root: Path) -> None:
    """Evaluate a snapshot as the references are, in no sandbox."""
    place = judge.place(snapshot, root)
    asyncio.run(evaluate(judge.suite, place, judge.starter.path, Host()))


def _timed(action: Callable[[], object]) -> float:
    before = time.perf_counter()
    action()
    return time.perf_counter() - before


if __name__ == "__main__":
    main()
