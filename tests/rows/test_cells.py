"""Two rows of one cell of the plan are an error that names both, but for a lost run's one retry."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from benchdata.contracts import Contract
from benchdata.contracts.build_run import BUILD_RUN
from benchdata.contracts.fields import Count, Label, flat_row
from benchdata.contracts.fingerprint import fingerprint
from benchdata.contracts.meaning import Cell, Metric, Outcome
from benchdata.errors import ContractError, InputError
from benchdata.rows import lake, parquet, rejects
from benchdata.rows.sources import Input
from tests.support import build_run
from tests.support.intake import frame, invalid, lines, rows_of, tables

CELL = Cell(("arm", "task"), "retry_of", "outcome == 'lost'")
PARTS: dict[str, Any] = {
    "name": "planned",
    "models": {1: flat_row({"id outcome": Label, "arm retry_of": Label | None, "task": Count})},
    "identity": ("id",),
    "group": ("arm",),
    "metrics": (Metric("task", "task", ""),),
    "outcome": Outcome(success="outcome == 'done'"),
}
PLANNED = Contract(**PARTS, cell=CELL)
MESSAGE = "arm and task: belong to {} already, and neither row is the logged retry of the other"


def run(name: str, arm: str | None = "a", task: int = 1, **fields: Any) -> dict[str, Any]:
    """Return a row of `PLANNED`."""
    row = {"id": name, "outcome": "done", "arm": arm, "retry_of": None, "task": task}
    return row | fields


LOST = run("r1", outcome="lost")
RETRY = run("r2", retry_of="r1")


def told(folder: Path, *rows: dict[str, Any]) -> list[str]:
    """Return the errors of a file of rows, the file's name left out."""
    file = folder / "rows.ndjson"
    file.write_bytes(lines(rows))
    return [str(error).replace(str(file), "F") for error in _errors(folder, file)]


def _errors(folder: Path, file: Path) -> tuple[Exception, ...]:
    return invalid(folder, file, contract=PLANNED).errors


def test_two_rows_of_one_cell_are_told_with_both_places(tmp_path: Path) -> None:
    assert told(tmp_path, run("r1"), run("r2", task=2), run("r3"), run("r4")) == [
        f"F:3: {MESSAGE.format('F:1')}",
        f"F:4: {MESSAGE.format('F:1')}",
    ]


def test_across_files_and_in_a_cell_with_a_null(tmp_path: Path) -> None:
    one, two = tmp_path / "1.ndjson", tmp_path / "2.ndjson"
    one.write_bytes(lines([run("r1"), run("r2", None)]))
    two.write_bytes(b"\n" + lines([run("r3", None), run("r4", "b")]))
    (error,) = invalid(tmp_path, one, two, contract=PLANNED).errors
    assert str(error) == f"{two}:2: {MESSAGE.format(f'{one}:2')}"


@pytest.mark.parametrize("rows", [*permutations([LOST, RETRY, run("r3", "b")])])
def test_the_one_retry_of_a_lost_run_is_taken_in_any_order(
    tmp_path: Path, rows: tuple[dict[str, Any], ...]
) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(lines(rows))
    assert frame(tmp_path, file, contract=PLANNED).height == 3


def test_a_retry_may_stand_alone(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(lines([RETRY]))
    assert frame(tmp_path, file, contract=PLANNED).height == 1


@pytest.mark.parametrize(
    "rows",
    [
        (run("r1"), RETRY),  # what was not lost is not repeated
        (LOST, run("r2", retry_of="r9")),
        (LOST, run("r2")),
        (LOST, run("r2", outcome="lost")),
        (run("r1", outcome="lost", retry_of="r0"), RETRY),  # a retry of a retry
        (run("r1", outcome="lost", retry_of="r2"), run("r2", outcome="lost", retry_of="r1")),
        (RETRY, run("r3", retry_of="r1")),
    ],
)
def test_what_is_no_logged_retry_is_refused(
    tmp_path: Path, rows: tuple[dict[str, Any], ...]
) -> None:
    assert told(tmp_path, *rows) == [f"F:2: {MESSAGE.format('F:1')}"]
    assert told(tmp_path, *rows[::-1]) == [f"F:2: {MESSAGE.format('F:1')}"]


@pytest.mark.parametrize("rows", [*permutations([LOST, RETRY, run("r3", retry_of="r1")])])
def test_a_second_retry_is_refused(tmp_path: Path, rows: tuple[dict[str, Any], ...]) -> None:
    assert len(told(tmp_path, *rows)) >= 1


def test_repeated_identities_are_told_first(tmp_path: Path) -> None:
    assert told(tmp_path, run("r1"), run("r1"), run("r2")) == ["F:2: id: stands in F:1 already"]


def test_many_are_counted_and_few_told(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    file.write_bytes(lines(run(f"r{number}", task=number // 3) for number in range(3000)))
    error = invalid(tmp_path, file, contract=PLANNED)
    assert (len(error.errors), error.count) == (50, 2000)
    assert error.errors[-1].line == 75


def test_splitting_keeps_a_file_that_is_valid(tmp_path: Path) -> None:
    file, keep, bad = (tmp_path / name for name in ("rows.ndjson", "good.ndjson", "bad.ndjson"))
    again = run("r2", "b")  # the identity of a retry, which must not claim the cell of b
    rows = [LOST, run("r3", "b"), RETRY, run("r4"), again, run("r5", task=2), run("r6", "b")]
    file.write_bytes(lines(rows))
    split = rejects.split(Input(file.name, file), PLANNED, keep, bad)
    assert (split.kept, split.rejected) == (4, 3)
    assert rows_of(keep) == [rows[0], rows[1], rows[2], rows[5]]
    assert [(one["line"], one["path"], one["message"]) for one in rows_of(bad)] == [
        (4, "arm and task", MESSAGE.format("line 1").removeprefix("arm and task: ")),
        (5, "id", "stands in line 3 already"),
        (7, "arm and task", MESSAGE.format("line 2").removeprefix("arm and task: ")),
    ]
    assert frame(tmp_path, keep, contract=PLANNED).height == 4


def test_where_a_null_says_nothing_of_a_loss_there_was_none(tmp_path: Path) -> None:
    contract = Contract(**PARTS, cell=replace(CELL, retried="starts_with(arm, 'a')"))
    file, keep, bad = (tmp_path / name for name in ("rows.ndjson", "good.ndjson", "bad.ndjson"))
    file.write_bytes(lines([run("r1", None), run("r2", None, retry_of="r1")]))
    assert rejects.split(Input(file.name, file), contract, keep, bad).rejected == 1
    assert invalid(tmp_path, file, contract=contract).count == 1


def test_an_export_of_valid_rows_is_not_asked_again_but_two_are(tmp_path: Path) -> None:
    exports = []
    for name, rows in {"1": [LOST, RETRY], "2": [run("r3")]}.items():
        file = tmp_path / f"{name}.ndjson"
        file.write_bytes(lines(rows))
        exports.append(tmp_path / f"{name}.parquet")
        (table,) = tables(tmp_path, file, contract=PLANNED)
        parquet.write(table.scan(), exports[-1], PLANNED, [table])
    assert frame(tmp_path, exports[0], contract=PLANNED).height == 2
    (error,) = invalid(tmp_path, *exports, contract=PLANNED).errors
    assert error.path == "arm and task"


def test_a_lake_takes_a_retry_and_refuses_a_second_row_of_a_cell(tmp_path: Path) -> None:
    into, file = tmp_path / "lake", tmp_path / "rows.ndjson"
    for row, taken in ((LOST, (1, 0)), (LOST, (0, 1)), (RETRY, (1, 0))):
        file.write_bytes(lines([row]))
        assert lake.freeze(tables(tmp_path, file, contract=PLANNED), into) == taken
    before = list(into.rglob("*.parquet"))
    file.write_bytes(lines([run("r3")]))
    with pytest.raises(InputError, match=r"new rows:1: arm and task: belong to contract=planned"):
        lake.freeze(tables(tmp_path, file, contract=PLANNED), into)
    assert list(into.rglob("*.parquet")) == before
    assert frame(tmp_path, into, contract=PLANNED).height == 2


def test_what_was_validated_with_another_cell_is_not_trusted() -> None:
    others = [Contract(**PARTS), Contract(**PARTS, cell=replace(CELL, fields=("task",)))]
    assert len({fingerprint(one) for one in (PLANNED, *others)}) == 3


def test_build_runs_have_a_cell_a_batch_and_repeat(tmp_path: Path) -> None:
    file = tmp_path / "rows.ndjson"
    lost = build_run.valid_row(build_run.LOST, run_id="00000000-0000-4000-8000-000000000001")
    retry = build_run.valid_row(build_run.PLAIN, retry_of=lost["run_id"])
    other = build_run.valid_row(build_run.PLAIN, run_id="00000000-0000-4000-8000-000000000002")
    file.write_bytes(lines([lost, retry]))
    assert frame(tmp_path, file, contract=BUILD_RUN).height == 2
    file.write_bytes(lines([retry, other]))
    (error,) = invalid(tmp_path, file, contract=BUILD_RUN).errors
    assert error.path.startswith("suite_id and kind and task_id and lane and variant")
    file.write_bytes(lines([retry, other | {"suite_id": other["run_id"]}]))
    assert frame(tmp_path, file, contract=BUILD_RUN).height == 2


@pytest.mark.parametrize(
    ("cell", "changes", "words"),
    [
        (Cell(("arm", "no"), "retry_of", "True"), {}, "cell name `no`, no field of it"),
        (Cell(("arm",), "again", "True"), {}, "cell name `again`, no field of it"),
        (Cell(("arm",), "retry_of", "no == 1"), {}, "rules name `no`, no field of it"),
        (Cell(("arm",), "retry_of", "task"), {}, "`task` is of kind integer, not flag"),
        (CELL, {"identity": ("id", "task")}, "a cell's retry names one field of identity"),
    ],
)
def test_a_cell_that_cannot_be_asked_for_is_refused_with_the_contract(
    cell: Cell, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(ContractError) as raised:
        Contract(**(PARTS | changes), cell=cell)
    assert words in str(raised.value)
