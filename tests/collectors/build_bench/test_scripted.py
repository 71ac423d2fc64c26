"""The shipped replays: green in their third turn, at the cost and score that the protocol says."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.build_bench import references, scripts
from collectors.build_bench.lanes import lane
from collectors.build_bench.rows import added_lines
from collectors.build_bench.tasks import TASKS
from tests.collectors.build_bench.attempts import (
    AT_OPUS,
    T1,
    composite,
    composite_by_hand,
    made,
)

REPLAYS = sorted((path.parent.name, path.stem) for path in scripts.FOLDER.glob("*/*.json"))


def test_there_is_a_replay_that_starts_from_nothing_and_one_from_a_reference() -> None:
    assert REPLAYS == [("fastapi", T1), ("node", T1), ("node", "t2-saga-queue-cron")]


@pytest.mark.usefixtures("node", "fastapi")
@pytest.mark.slow  # the quick one, of t1 in the lane node, is in test_attempts
@pytest.mark.parametrize(("name", "task"), [each for each in REPLAYS if each != ("node", T1)])
def test_a_replay_is_green_in_its_third_turn_and_scores_as_the_protocol_says(
    tmp_path: Path, name: str, task: str
) -> None:
    batch = made(tmp_path, "--model", AT_OPUS, task=task, lane=name)
    row = batch.row
    assert batch.code == 0
    assert (row["stop_cause"], row["turns"], row["turns_to_green"]) == ("green", 3, 3)
    assert (row["best_turn"], row["test_pass_rate"]) == (3, 1)
    first, second, third = row["turn_pass_rates"]
    assert first < 0.3 < second < 0.9 < third == 1
    assert row["total_cost_usd"] == pytest.approx(0.186)
    assert row["lines_of_code"] == added_lines(lane(name), TASKS[task])
    assert composite(batch) == pytest.approx(composite_by_hand(row))
    scored = {path.name: path.read_bytes() for path in (batch.run() / "scored").iterdir()}
    laid = {file: path.read_bytes() for file, path in references.files(name, task).items()}
    assert scored == laid
