"""Opening inputs: which contract they follow, what is said of them, what is left behind."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from blake3 import blake3

import benchdata
from benchdata import contracts
from benchdata.errors import BenchdataError, ContractError, InputError, RowsInvalid
from tests.support.drawn import DEMO_ROWS, drawn, lines, write
from tests.support.jev_social import numbered_row, valid_row
from tests.support.packages import install
from tests.support.probe import PROBE, probe_row
from tests.support.trees import changed

Register = Callable[..., None]


@pytest.fixture
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Register]:
    """Register contracts of tests/support/probe.py by name, as an installed package does."""

    def forget() -> None:
        contracts._registered.cache_clear()
        contracts.get.cache_clear()

    def register(**points: str) -> None:
        named = {name.replace("_", "-"): target for name, target in points.items()}
        monkeypatch.syspath_prepend(install(tmp_path / "site", contracts.GROUP, named))
        forget()

    forget()
    yield register
    forget()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that temporary folders of this test are made in, itself oddly named."""
    folder = tmp_path / "tmp [1]*"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("version", [1, 2])
def test_the_contract_is_recognised_from_the_rows(tmp_path: Path, version: int) -> None:
    dataset = benchdata.open(write(tmp_path / "a.ndjson", [valid_row(version)]))
    assert dataset.contract.name == "jev-social"
    assert dataset.rows == 1


@pytest.mark.parametrize(
    "contract", ["jev-social", "jev_social", "benchdata.contracts.jev_social:JEV_SOCIAL"]
)
def test_a_contract_can_be_named(contract: str) -> None:
    assert benchdata.open(DEMO_ROWS, contract).contract.name == "jev-social"


def test_a_contract_can_be_given_as_an_object(tmp_path: Path) -> None:
    dataset = benchdata.open(write(tmp_path / "a.ndjson", [probe_row(1)]), PROBE)
    assert dataset.contract is PROBE
    assert dataset.frame("probe-run").height == dataset.frame("probe_run").height == 1


def test_a_named_contract_that_the_rows_break_is_the_error(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", [valid_row()])
    with pytest.raises(RowsInvalid, match=r"a\.ndjson:1: schema_version: "):
        benchdata.open(file, PROBE)


def test_rows_of_no_contract_are_refused_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(b"\n" + lines([{"colour": "red"}]))
    with pytest.raises(ContractError, match=r"a\.ndjson:2: .*no contract.*--contract"):
        benchdata.open(file)


def test_rows_that_fit_two_contracts_are_refused(tmp_path: Path, register: Register) -> None:
    register(probe_run="tests.support.probe:PROBE", twin_run="tests.support.probe:TWIN")
    file = write(tmp_path / "a.ndjson", [probe_row(1)])
    with pytest.raises(ContractError, match=r"a\.ndjson:1: .*probe-run and twin-run.*--contract"):
        benchdata.open(file)
    assert benchdata.open(file, "twin-run").contract.name == "twin-run"


def test_several_files_are_one_dataset(tmp_path: Path) -> None:
    rows = drawn([4, 3])
    parts = [write(tmp_path / f"{n}.ndjson", rows[n::3]) for n in range(3)]
    dataset = benchdata.open(parts)
    assert dataset.rows == dataset.frame().height == 7
    assert [one.rows for one in dataset.provenance] == [3, 2, 2]
    assert set(dataset.frame()["run_id"]) == {row["run_id"] for row in rows}


def test_files_of_several_contracts_open_together(tmp_path: Path, register: Register) -> None:
    register(probe_run="tests.support.probe:PROBE")
    social = write(tmp_path / "a.ndjson", [valid_row(1), numbered_row(1)])
    probes = write(tmp_path / "b.ndjson", [probe_row(n) for n in range(3)])
    dataset = benchdata.open([social, probes])
    assert [contract.name for contract in dataset.contracts] == ["jev-social", "probe-run"]
    assert dataset.frame("jev-social").height == 2
    assert dataset.frame("probe-run").height == 3
    visible = {view.name for view in dataset.views if not view.hidden}
    assert visible == {"jev_social", "steps", "probe_run", "parts"}
    joined = dataset.sql(
        "select (select count(*) from steps) as s, (select count(*) from parts) as p"
    )
    assert joined.row(0) == (8, 6)
    for ask in (lambda: dataset.contract, dataset.frame):
        with pytest.raises(ContractError, match=r"several contracts \(jev-social, probe-run\)"):
            ask()


def test_a_contract_without_rows_has_no_frame() -> None:
    with pytest.raises(ContractError, match="no rows of contract probe-run"):
        benchdata.open(DEMO_ROWS).frame("probe-run")


def test_provenance_names_inputs_by_base_name_and_digest(tmp_path: Path) -> None:
    file = write(tmp_path / "secret-place" / "a.ndjson", [valid_row()])
    (one,) = benchdata.open(file).provenance
    digest = blake3(file.read_bytes()).hexdigest()
    assert (one.name, one.digest, one.contract) == ("a.ndjson", digest, "jev-social")
    assert (one.rows, one.set_aside, one.dropped) == (1, 0, {})
    assert "secret-place" not in repr(one)


def test_the_digest_of_one_input_is_its_own_and_of_several_has_no_order(tmp_path: Path) -> None:
    rows = drawn([3])
    files = [write(tmp_path / f"{n}.ndjson", [row]) for n, row in enumerate(rows)]
    assert benchdata.open(files[0]).digest == blake3(files[0].read_bytes()).hexdigest()
    digest = benchdata.open(files).digest
    assert digest == benchdata.open(reversed(files)).digest == benchdata.open(tmp_path).digest
    assert digest != benchdata.open(files[:2]).digest
    files[0].write_bytes(files[0].read_bytes() + b"\n")
    assert digest != benchdata.open(files).digest


def test_rows_stay_what_they_were_when_opened(tmp_path: Path) -> None:
    file = write(tmp_path / "a.ndjson", [valid_row()])
    dataset = benchdata.open(file)
    file.unlink()
    assert dataset.frame().height == dataset.sql("select * from rows").height == 1


def test_the_same_row_in_two_files_names_both_places(tmp_path: Path) -> None:
    first = write(tmp_path / "a.ndjson", [numbered_row(1), numbered_row(2)])
    second = write(tmp_path / "b.ndjson", [numbered_row(3), numbered_row(2)])
    with pytest.raises(RowsInvalid) as raised:
        benchdata.open([first, second])
    assert str(raised.value).startswith(f"{second}:2: run_id: stands in {first}:2 already\n")


def test_temporary_files_go_with_the_dataset(temporary: Path) -> None:
    dataset = benchdata.open(DEMO_ROWS)
    assert dataset.sql("select count(*) as n from grouped").item() == 122
    assert dataset.frame().height == 122
    assert len(list(temporary.iterdir())) == 1
    del dataset
    gc.collect()
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b'{"colour": "red"}\n',
        lines([valid_row(), changed(valid_row(), {"evidence.records": -1})]),
        lines([valid_row(), valid_row()]),
    ],
    ids=["empty", "torn", "no contract", "invalid", "repeated"],
)
def test_nothing_is_left_behind_by_an_error(
    tmp_path: Path, temporary: Path, content: bytes
) -> None:
    file = tmp_path / "a.ndjson"
    file.write_bytes(content)
    with pytest.raises(BenchdataError):
        benchdata.open(file)
    assert list(temporary.iterdir()) == []


def test_no_path_at_all_is_an_error() -> None:
    with pytest.raises(InputError, match="no input is named"):
        benchdata.open([])
