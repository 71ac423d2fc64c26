"""The order of a report: its name is a digest of all that decides what the report says."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.errors import ReportError
from benchdata.reports import run
from benchdata.reports.run import Order
from tests.support import drawn
from tests.support.jev_social import numbered_row
from tests.support.templates import written
from tests.support.trials import trial

CONTRACT = '''\
"""Rows of one test."""
from benchdata.contracts import Contract
from benchdata.contracts.fields import Count, Label, flat_row
from benchdata.contracts.meaning import Metric, Outcome
MINE = Contract(
    name="mine", models={1: flat_row({"run arm": Label, "ms": Count})}, identity=("run",),
    group=("arm",), metrics=(Metric("ms", "ms", "ms"),), outcome=Outcome(success="True"),
)
'''


class Case:
    """A dataset folder, a template and the arguments of an order: changed by the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows = drawn.write(folder / "data" / "rows.ndjson", [numbered_row(1)])
        self.more = drawn.write(folder / "data" / "more.ndjson", [numbered_row(2)])
        self.template = written(folder / "mine.ipynb", "1 + 1")
        self.arguments: dict[str, Any] = {}
        self.inputs = [self.rows, self.more]

    def order(self) -> Order:
        return run.order(str(self.template), self.inputs, **self.arguments)

    @property
    def name(self) -> str:
        return self.order().name


def other_rows(case: Case) -> None:
    drawn.write(case.rows, [numbered_row(3)])


def one_input_less(case: Case) -> None:
    case.inputs.pop()


def another_name(case: Case) -> None:
    case.inputs[0] = case.rows.rename(case.rows.with_name("renamed.ndjson"))


def rows_set_aside(case: Case) -> None:
    note = {"source": "dirty.ndjson", "source_digest": "0" * 64, "rejected": 1}
    case.rows.with_name("rows.ndjson.set-aside.json").write_text(json.dumps(note), "utf-8")


def a_parameter(case: Case) -> None:
    case.arguments["parameters"] = {"title": "T"}


def a_date(case: Case) -> None:
    case.arguments["as_of"] = "2026-03-03"


def accepted_rejects(case: Case) -> None:
    case.arguments["accept_rejects"] = 1


def another_cell(case: Case) -> None:
    written(case.template, "1 + 2")


def another_template(case: Case) -> None:
    case.template = case.template.rename(case.template.with_name("other.ipynb"))


def a_datasheet(case: Case) -> None:
    sheet = "---\ntitle: T\nregions:\n  synthetic-lab: a lab\n---\n"
    (case.folder / "data" / "datasheet.md").write_text(sheet, "utf-8")


def a_review(case: Case) -> None:
    digest = benchdata.open(case.inputs).digest
    note = f"---\ndate: 2026-03-10\nreviewer: A. Reader\ndigest: {digest}\n---\n"
    (case.folder / "data" / "review.md").write_text(note, "utf-8")


DECIDES: tuple[Callable[[Case], None], ...] = (
    *(other_rows, one_input_less, another_name, rows_set_aside, a_parameter, a_date),
    *(accepted_rejects, another_cell, another_template, a_datasheet, a_review),
)


@pytest.mark.parametrize("change", DECIDES)
def test_what_decides_is_in_the_name(tmp_path: Path, change: Callable[[Case], None]) -> None:
    case = Case(tmp_path)
    before = case.name
    change(case)
    assert case.name[-8:] != before[-8:]


def test_the_version_is_in_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(tmp_path)
    before = case.name
    monkeypatch.setattr(run, "__version__", "999.0")
    assert case.name[-8:] != before[-8:]


def test_the_definition_of_the_contract_is_in_the_name(tmp_path: Path) -> None:
    rows = drawn.write(tmp_path / "rows.ndjson", [{"run": "a", "arm": "b", "ms": 1}])
    template = str(written(tmp_path / "mine.ipynb"))
    names = []
    for number, metric in enumerate(['"ms", "ms", "ms"', '"ms", "ms", "ms", "higher"']):
        file = tmp_path / str(number) / "contract.py"
        file.parent.mkdir()
        file.write_text(CONTRACT.replace('"ms", "ms", "ms"', metric), "utf-8")
        order = run.order(template, [rows], contract=f"{file}:MINE")
        assert order.contract_name == "contract.py:MINE"
        names.append(order.name)
    assert len(set(names)) == 2


def another_place(case: Case) -> None:
    moved = shutil.move(case.folder / "data", case.folder / "moved")
    case.inputs = [Path(moved, file.name) for file in case.inputs]


def another_order(case: Case) -> None:
    case.inputs.reverse()


def an_input_apart(case: Case) -> None:
    (case.folder / "zone").mkdir()
    case.inputs[1] = case.more.rename(case.folder / "zone" / case.more.name)


def the_folder(case: Case) -> None:
    case.inputs = [case.rows.parent]


def the_contract_by_name(case: Case) -> None:
    case.arguments["contract"] = "jev-social"


def the_contract_spelt_otherwise(case: Case) -> None:
    case.arguments["contract"] = "jev_social"


def a_template_elsewhere(case: Case) -> None:
    (case.folder / "deep").mkdir()
    case.template = case.template.rename(case.folder / "deep" / "mine.ipynb")


def later_times(case: Case) -> None:
    for file in (case.rows, case.template):
        file.touch()


@pytest.mark.parametrize(
    "change",
    [
        *(another_place, another_order, an_input_apart, the_folder, the_contract_by_name),
        *(the_contract_spelt_otherwise, a_template_elsewhere, later_times),
    ],
)
def test_what_decides_nothing_is_not_in_the_name(
    tmp_path: Path, change: Callable[[Case], None]
) -> None:
    case = Case(tmp_path)
    before = case.order()
    change(case)
    after = case.order()
    assert after.name == before.name
    assert after.parameters(public=True) == before.parameters(public=True)


def test_the_name_is_date_template_and_digest(tmp_path: Path) -> None:
    case = Case(tmp_path)
    assert re.fullmatch(r"2026-03-02-mine-[0-9a-f]{8}", case.name)
    a_date(case)
    order = case.order()
    assert order.name.startswith("2026-03-03-mine-")
    assert order.dataset.rows == 2, "the date labels and never filters"


def test_the_date_is_the_latest_of_any_time(tmp_path: Path) -> None:
    late = numbered_row(1, ended_at="2026-03-03T00:00:00.000Z")
    late["timing_ms"] = late["timing_ms"] | {"total": 57_600_000}
    file = drawn.write(tmp_path / "rows.ndjson", [late])
    assert run.order("samples", [file]).as_of == "2026-03-03"


def test_rows_without_time_have_the_first_date(tmp_path: Path) -> None:
    file = drawn.write(tmp_path / "rows.ndjson", [trial()])
    order = run.order("samples", [file], contract="tests.support.trials:TRIAL")
    assert order.name.startswith("1970-01-01-samples-")


def test_nothing_published_says_where_the_rows_lie(tmp_path: Path) -> None:
    case = Case(tmp_path / "eleonora")
    a_datasheet(case)
    a_review(case)
    order = case.order()
    told = json.dumps([order.manifest(), order.parameters(public=True)])
    assert "eleonora" not in told
    assert "eleonora" in json.dumps(order.parameters(public=False))
    assert order.manifest()["review"]["reviewer"] == "A. Reader"


def test_a_link_keeps_its_name_and_what_lies_beside_it(tmp_path: Path) -> None:
    case = Case(tmp_path)
    a_datasheet(case)
    hidden = case.rows.rename(tmp_path / "0123abcd")
    case.rows.symlink_to(hidden)
    order = case.order()
    private: Mapping[str, Any] = order.parameters(public=False)
    assert [Path(one).name for one in private["inputs"]] == ["more.ndjson", "rows.ndjson"]
    assert benchdata.open(private["inputs"]).datasheets == order.dataset.datasheets


def test_a_parameter_that_the_template_lacks_is_refused_before_rows_are_read() -> None:
    with pytest.raises(ReportError, match="takes no parameter speed; it takes title"):
        run.order("jev-social", ["there/is/nothing"], parameters={"speed": "1"})
