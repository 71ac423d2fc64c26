"""A stage: made once, gone on with as it was begun, held by one process, refused when damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.errors import BenchdataError, InputError, RowError
from collectors.harness import stage_file, stages
from collectors.harness.schedule import interleaved
from collectors.harness.stage_file import Experiment
from collectors.harness.stages import Stage
from tests.support import staged
from tests.support.skill_run import INFRASTRUCTURE, NOT_GRADED, valid_row
from tests.support.staged import EXPERIMENT, opened

INTERRUPTED = {**NOT_GRADED, "outcome": "interrupted"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "benchmark" / "stage"


def facts(folder: Path) -> dict[str, Any]:
    """Return what `stage.json` holds."""
    content: dict[str, Any] = json.loads((folder / "stage.json").read_bytes())
    return content


def finish_first(stage: Stage, *, stopping: bool = False, **fields: Any) -> str:
    """Give the first cell that is due a row, and return its run id."""
    attempt = stage.begin(stage.due()[0])
    row = valid_row(fields, run_id=attempt.run_id, retry_of=attempt.retry_of)
    stage.finish(attempt, row, stopping=stopping)
    return attempt.run_id


def test_a_new_stage_says_what_is_compared_and_in_which_order(folder: Path) -> None:
    with opened(folder, seed=11) as stage:
        due = stage.due()
    content = facts(folder)
    assert content["seed"] == 11
    assert content["harness_version"] == benchdata.__version__
    assert content["spec_digest"] == stage_file.digest(EXPERIMENT.spec)
    assert content["plan"] == {"executions": 12}
    order = interleaved(EXPERIMENT.arms, EXPERIMENT.tasks, EXPERIMENT.repeats, 11)
    assert [one.cell for one in due] == list(order)
    assert [tuple(cell.values()) for cell in content["order"]] == [
        (cell.arm, cell.task, cell.repeat, cell.position) for cell in order
    ]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("order", lambda order: order[:0]),
        ("order", lambda order: order[::-1]),
        ("order", lambda order: [{**cell, "position": 0} for cell in order]),
        ("spec_digest", lambda digest: "0" * len(digest)),
    ],
)
def test_an_order_or_a_digest_that_was_changed_is_refused(
    folder: Path, name: str, change: Callable[[Any], Any]
) -> None:
    with opened(folder):
        pass
    content = facts(folder)
    content[name] = change(content[name])
    (folder / "stage.json").write_text(json.dumps(content))
    with (
        pytest.raises(BenchdataError, match=f"stage.json: {name}: does not follow from the rest"),
        opened(folder),
    ):
        pass


def test_the_digest_is_that_of_the_content_and_not_of_its_order() -> None:
    # by sha256sum of {"a":[1,"ä"],"b":null}
    wanted = "09d06402b1598786e7403149b3c484b8ab826d83c444852812290076db12646b"
    assert stage_file.digest({"b": None, "a": [1, "ä"]}) == wanted
    assert stage_file.digest({"a": [1, "ä"], "b": None}) == wanted


def test_without_a_seed_one_is_drawn_and_kept(folder: Path) -> None:
    with opened(folder) as stage:
        seed = stage.facts.seed
    before = (folder / "stage.json").read_bytes()
    with opened(folder) as stage:
        assert stage.facts.seed == seed
    with opened(folder.with_name("other")) as stage:
        assert stage.facts.seed != seed
    assert (folder / "stage.json").read_bytes() == before


def test_what_has_a_row_is_no_longer_due(folder: Path) -> None:
    with opened(folder) as stage:
        cells = [one.cell for one in stage.due()]
        finish_first(stage)
        assert [one.cell for one in stage.due()] == cells[1:]
    with opened(folder) as stage:
        assert [one.cell for one in stage.due()] == cells[1:]
        assert (stage.account().done, stage.account().code) == (1, 2)


def test_a_lost_run_is_due_once_more_after_all_others(folder: Path) -> None:
    with opened(folder) as stage:
        cell = stage.due()[0].cell
        run = finish_first(stage, **INFRASTRUCTURE)
    with opened(folder) as stage:
        last = stage.due()[-1]
        assert (last.cell, last.retry_of) == (cell, run)
        attempt = stage.begin(last)
        stage.finish(attempt, valid_row(INFRASTRUCTURE, run_id=attempt.run_id, retry_of=run))
        assert cell not in [one.cell for one in stage.due()]
        assert (stage.account().done, stage.account().unscored) == (1, 1)


def test_a_run_that_a_stop_cut_short_is_kept_apart_and_its_cell_still_due(folder: Path) -> None:
    with opened(folder) as stage:
        due = stage.due()
        run = finish_first(stage, stopping=True, **INTERRUPTED)
        assert stage.due() == due
    with opened(folder) as stage:
        assert stage.due() == due
        assert (stage.account().done, stage.account().lost) == (0, ())
    assert staged.rows(folder) == []
    assert [row["run_id"] for row in staged.cut_short(folder)] == [run]


def test_a_retry_that_a_stop_cut_short_is_still_due(folder: Path) -> None:
    with opened(folder) as stage:
        cells = len(stage.due())
        lost = finish_first(stage, stopping=True, **INFRASTRUCTURE)
        for _ in range(cells - 1):
            finish_first(stage)
        assert stage.due()[0].retry_of == lost
        finish_first(stage, stopping=True, **INTERRUPTED)
        assert [due.retry_of for due in stage.due()] == [lost]
        finish_first(stage)
        assert (stage.due(), stage.account().code) == ([], 0)


@pytest.mark.parametrize(
    ("stopping", "outcome", "unscored"), [(False, "interrupted", 1), (True, "completed", 0)]
)
def test_a_run_that_ended_by_itself_stands_for_its_cell(
    folder: Path, *, stopping: bool, outcome: str, unscored: int
) -> None:
    fields = INTERRUPTED if outcome == "interrupted" else {}
    with opened(folder) as stage:
        finish_first(stage, stopping=stopping, **fields)
        assert (stage.account().done, stage.account().unscored) == (1, unscored)
    assert [row["outcome"] for row in staged.rows(folder)] == [outcome]
    assert not (folder / stages.INTERRUPTED).exists()


def test_an_attempt_without_a_row_is_named_and_its_cell_still_due(folder: Path) -> None:
    with opened(folder) as stage:
        attempt = stage.begin(stage.due()[0])
    (lost,) = facts(folder)["lost"]
    assert lost["run_id"] == attempt.run_id
    with opened(folder) as stage:
        assert stage.due()[0].cell.position == attempt.position
        assert stage.account().lines()[1].startswith(f"no row: the attempt {attempt.run_id} begun")


def test_what_a_killed_process_lost_is_named_before_anything_runs(folder: Path) -> None:
    with opened(folder) as stage:
        before = (folder / "stage.json").read_bytes()
        attempt = stage.begin(stage.due()[0])
    (folder / "stage.json").write_bytes(before)  # as a kill leaves it
    with opened(folder):
        assert [lost["run_id"] for lost in facts(folder)["lost"]] == [attempt.run_id]


def test_a_row_torn_by_a_crash_is_a_lost_attempt(folder: Path) -> None:
    with opened(folder) as stage:
        finish_first(stage)
        run = finish_first(stage)
    file = folder / stages.ROWS
    file.write_bytes(file.read_bytes()[:-40])
    with opened(folder) as stage:
        assert [one.run_id for one in stage.account().lost] == [run]
        finish_first(stage)
    assert len(staged.rows(folder)) == 2


def test_nobody_else_opens_a_stage_that_is_open(folder: Path) -> None:
    with opened(folder), pytest.raises(BenchdataError, match="another process works on this stage"):
        opened(folder).__enter__()
    with opened(folder):
        pass


SPEC = EXPERIMENT.spec
OTHERS: dict[str, tuple[Experiment, str]] = {
    "version": (
        replace(EXPERIMENT, spec=SPEC | {"agent_version": "1.0.1"}),
        'spec.agent_version was "1.0.0" and is "1.0.1"',
    ),
    "skill": (
        replace(EXPERIMENT, spec=SPEC | {"skills": {"acme/skills@reader": "b2"}}),
        'spec.skills.acme/skills@reader was "a1" and is "b2"',
    ),
    "new key": (
        replace(EXPERIMENT, spec=SPEC | {"model": "m"}),
        'spec.model was null and is "m"',
    ),
    "repeats": (replace(EXPERIMENT, repeats=3), "repeats was 2 and is 3"),
    "tasks": (
        replace(EXPERIMENT, tasks=EXPERIMENT.tasks[:2]),
        'tasks was ["task-1", "task-2", "task-3"] and is ["task-1", "task-2"]',
    ),
}


@pytest.mark.parametrize("case", OTHERS)
def test_something_else_is_not_gone_on_with(folder: Path, case: str) -> None:
    with opened(folder, seed=5) as stage:
        finish_first(stage)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    experiment, words = OTHERS[case]
    with pytest.raises(BenchdataError) as refused:
        opened(folder, experiment).__enter__()
    assert words in str(refused.value)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_another_seed_or_harness_is_not_gone_on_with(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(folder, seed=5):
        pass
    with pytest.raises(BenchdataError, match="seed was 5 and is 6"):
        opened(folder, seed=6).__enter__()
    monkeypatch.setattr(benchdata, "__version__", "9.9.9")
    with pytest.raises(BenchdataError, match=r'harness_version was "\S+" and is "9.9.9"'):
        opened(folder).__enter__()


def test_arms_and_tasks_in_another_order_are_the_same(folder: Path) -> None:
    with opened(folder):
        pass
    turned = replace(EXPERIMENT, arms=EXPERIMENT.arms[::-1], tasks=EXPERIMENT.tasks[::-1])
    with opened(folder, turned) as stage:
        assert len(stage.due()) == 12


def test_a_row_of_another_attempt_is_refused(folder: Path) -> None:
    with opened(folder) as stage:
        attempt = stage.begin(stage.due()[0])
        with pytest.raises(RowError, match="run_id: is not that of the attempt"):
            stage.finish(attempt, valid_row())
        with pytest.raises(RowError, match="retry_of: is not that of the attempt"):
            stage.finish(
                attempt,
                valid_row(run_id=attempt.run_id, retry_of="00000000-0000-4000-8000-000000000000"),
            )
        with pytest.raises(RowError, match="score: "):
            stage.finish(attempt, valid_row(run_id=attempt.run_id, score=7))
    assert staged.rows(folder) == []


def test_a_row_that_cannot_be_written_leaves_its_cell_due(folder: Path) -> None:
    with opened(folder) as stage:
        attempt = stage.begin(stage.due()[0])
        (folder / stages.ROWS).mkdir()
        with pytest.raises(InputError, match="not safely written"):
            stage.finish(attempt, valid_row(run_id=attempt.run_id))
        assert len(stage.due()) == 12


def copy_row(folder: Path) -> None:
    """Put the first row there twice."""
    file = folder / stages.ROWS
    file.write_bytes(file.read_bytes() * 2)


def copy_apart(folder: Path) -> None:
    """Put the first row beside the interrupted ones too."""
    (folder / stages.INTERRUPTED).write_bytes((folder / stages.ROWS).read_bytes())


def second_row(folder: Path) -> None:
    """Let another attempt of the same cell have a row too."""
    (begun,) = (folder / stages.JOURNAL).read_bytes().splitlines()
    other = json.loads(begun) | {"run_id": "00000000-0000-4000-8000-000000000000"}
    with (folder / stages.JOURNAL).open("ab") as journal:
        journal.write(json.dumps(other).encode() + b"\n")
    (row,) = staged.rows(folder)
    with (folder / stages.ROWS).open("ab") as rows:
        rows.write(json.dumps(row | {"run_id": other["run_id"]}).encode() + b"\n")


def write(name: str, content: bytes) -> Callable[[Path], Any]:
    """Return what writes a file of the stage anew."""
    return lambda folder: (folder / name).write_bytes(content)


DAMAGES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no JSON": (write("stage.json", b"{"), r"stage\.json: Invalid JSON"),
    "no stage": (write("stage.json", b"{}"), r"stage\.json: stage_id: is missing"),
    "bad seed": (
        lambda folder: (folder / "stage.json").write_text(
            json.dumps(facts(folder) | {"seed": "5"}), "utf-8"
        ),
        r"stage\.json: seed: must be a valid integer",
    ),
    "no row": (write(stages.ROWS, b"note\n"), r"rows\.ndjson:1: row: no valid JSON"),
    "row of nobody": (
        write(stages.ROWS, json.dumps(valid_row()).encode() + b"\n"),
        r"rows\.ndjson: run_id: is of no attempt of this stage",
    ),
    "row twice": (copy_row, r"rows\.ndjson: run_id: is a second row of its attempt"),
    "row in both": (copy_apart, r"rows\.ndjson\.interrupted: run_id: is a second row of its attem"),
    "no row apart": (write(stages.INTERRUPTED, b"x\n"), r"interrupted:1: row: no valid JSON"),
    "two rows": (second_row, r"rows\.ndjson: run_id: is a second row of its cell"),
    "journal": (write(stages.JOURNAL, b"{}\n"), r"journal:1: is no attempt of this stage"),
    "journal of more": (
        write(
            stages.JOURNAL,
            b'{"run_id":"x","position":12,"begun_at":"2026-01-01","retry_of":null}\n',
        ),
        r"journal:1: is no attempt of this stage",
    ),
}


@pytest.mark.parametrize("case", DAMAGES)
def test_a_damaged_stage_is_refused_and_left_as_it_is(folder: Path, case: str) -> None:
    with opened(folder) as stage:
        finish_first(stage)
    damage, words = DAMAGES[case]
    damage(folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(BenchdataError, match=words):
        opened(folder).__enter__()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_folder_of_something_else_is_refused(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / stages.ROWS).write_bytes(b"")
    with pytest.raises(BenchdataError, match=r"holds files and no stage\.json"):
        opened(folder).__enter__()
    (folder / stages.ROWS).rename(folder / stages.JOURNAL)
    with opened(folder):
        pass


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "stage").write_bytes(b"")
    with pytest.raises(BenchdataError, match="stage"):
        opened(tmp_path / "stage").__enter__()
    with pytest.raises(BenchdataError, match="cannot be used"):
        opened(Path("/proc/stage")).__enter__()
