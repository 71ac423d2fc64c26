"""Trials of SkillsBench, as another project published them, written as rows of `trial`.

python docs/examples/skillsbench.py trials.jsonl > trials.ndjson
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchdata.contracts.trial import imported_id

SOURCE, STUDY = "getedgehq-skills", "skillsbench-sample-sonnet55"
COMMIT = "2972a88ca13d"
ARMS = {"A": "none", "C": "curated"}
PLANNED_TASKS, PLANNED_REPEATS = 32, 3

Line = dict[str, Any]


def rows(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield a row a trial, in order; the scored trials of an arm and task are its repeats 1, 2, 3.

    Which planned repeat a lost trial was is not told, so it has none.
    """
    scored: Counter[tuple[str, str]] = Counter()
    for line in lines:
        lost = line["infra"]
        cell = (line["arm"], line["task"])
        scored[cell] += not lost
        yield {
            "schema_version": 1,
            "source": SOURCE,
            "source_commit": COMMIT,
            "study": STUDY,
            "task_id": line["task"],
            "domain": line["domain"],
            "difficulty": line["difficulty"],
            "arm": ARMS[line["arm"]],
            "agent": None,
            "agent_version": None,
            "model": line["model"],
            "repeat": None if lost else scored[cell],
            "planned_tasks": PLANNED_TASKS,
            "planned_repeats": PLANNED_REPEATS,
            "trial_id": imported_id(SOURCE, STUDY, line["trial"]),
            "score": None if lost else line["raw_reward"],
            "passed": None if lost else line["reward"] == 1,
            "outcome": outcome(line),
            "usage": usage(line),
            "total_cost_usd": None,
            "wall_s": line["agent_wall_s"],
            "skill_installed": None,
            "skill_listed": None,
            "skill_read": line["skill_read"],
            "started_at": None,
        }


def outcome(line: Line) -> str:
    """Return how a trial ended: the set-up failed, the time was up, or the agent finished."""
    if line["infra"]:
        return "infrastructure"
    return "timeout" if line["exception"] == "AgentTimeoutError" else "completed"


def usage(line: Line) -> list[Line] | None:
    """Return the tokens, null when they are unknown; the source's input includes its cache's."""
    if line["input_tokens"] is None:
        return None
    cached = line["cache_tokens"] or 0
    tokens = {
        "model": line["model"],
        "input_tokens": line["input_tokens"] - cached,
        "output_tokens": line["output_tokens"],
        "cache_creation_tokens": 0,  # what was written to the cache is not told apart from input
        "cache_read_tokens": cached,
    }
    return [tokens]


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        for row in rows(map(json.loads, file)):
            sys.stdout.write(json.dumps(row) + "\n")
