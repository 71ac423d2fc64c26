"""The private folder of a batch: gone on with, closed to others, and rid of what was lost in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.contracts.skill_run import SKILL_RUN
from benchdata.errors import BenchdataError
from collectors.harness import batches, folders
from collectors.harness.batches import JUDGE, RUNS, Batch
from collectors.harness.progress import Progress
from collectors.harness.signals import Stop
from collectors.harness.stages import Account
from tests.support.staged import AT_ONCE, EXPERIMENT, Made, direct, opened

CELLS = len(EXPERIMENT.arms) * len(EXPERIMENT.tasks) * EXPERIMENT.repeats


@pytest.fixture
def batch(tmp_path: Path) -> Batch:
    direct(tmp_path / "out" / "stage")
    folder = tmp_path / "out" / "stage"
    return Batch(
        folder,
        SKILL_RUN,
        EXPERIMENT,
        plan={"executions": CELLS},
        made=lambda facts: Made(folder, facts.stage_id, facts.spec_digest),
        concurrency=AT_ONCE,
        inner="",
    )


def executed(batch: Batch) -> Account:
    return batch.execute(stop=Stop(), progress=Progress("made-up"))


def test_all_is_due_before_anything_is_made_and_nothing_at_the_end(batch: Batch) -> None:
    assert batch.due() == CELLS
    assert not batch.folder.exists()
    account = executed(batch)
    assert (account.done, batch.due()) == (CELLS, 0)


def test_only_its_owner_may_read_it_and_git_leaves_what_was_recorded(batch: Batch) -> None:
    batch.folder.mkdir(0o755)
    executed(batch)
    assert batch.folder.stat().st_mode & 0o777 == 0o700
    assert (batch.folder / RUNS).stat().st_mode & 0o777 == 0o700
    assert (batch.folder / RUNS / ".gitignore").read_text() == "*\n"


def test_of_a_lost_run_what_was_recorded_is_left(batch: Batch) -> None:
    with opened(batch.folder) as stage:
        attempt = stage.begin(stage.due()[0])
    run = folders.create(batch.folder / RUNS / attempt.run_id)
    judge = folders.create(run.root / JUDGE / "one")
    run.scratch.mkdir()
    run.stdout.write_text("{}\n")
    assert [one.run_id for one in executed(batch).lost] == [attempt.run_id]
    assert not any(place.exists() for place in (run.agent, run.scratch, judge.agent))
    assert run.stdout.read_text() == "{}\n"


def test_a_folder_of_other_files_is_left_alone(batch: Batch) -> None:
    batch.folder.mkdir()
    (batch.folder / "mine.txt").touch()
    with pytest.raises(BenchdataError, match="nothing to go on with; give a new folder"):
        batch.due()
    assert [path.name for path in batch.folder.iterdir()] == ["mine.txt"]


def test_it_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    batches.told(Account(3, 1, 0, ()), " with --out here")
    batches.told(Account(3, 3, 0, ()))
    assert capsys.readouterr().err.splitlines() == [
        "1 of 3 cells done",
        "stopped: 2 of 3 executions still due; run the same command again with --out here to go on",
        "3 of 3 cells done",
    ]
