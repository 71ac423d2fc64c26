"""A contract that is not shipped is found by its file, its module or its package's entry point."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchdata import contracts
from benchdata.errors import ContractError

IMPORTS = """\
from benchdata.contracts import Contract
from benchdata.contracts.fields import flat_row
"""

LATE = """\
from __future__ import annotations
from benchdata.contracts import Contract
from benchdata.contracts.fields import Count, Number, Row
from benchdata.contracts.meaning import Metric, Outcome

class Mine(Row):
    seq: Count
    ok: bool
    ms: Number | None

MINE = Contract(
    name="mine", models={1: Mine}, identity=("seq",), group=("ok",), outcome=Outcome(success="ok"),
    metrics=(Metric("ms", "ms", "ms"),),
)
"""


@pytest.fixture
def found_anew() -> Iterator[None]:
    """Forget before and after the test what was found."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    contracts._registered.cache_clear()
    contracts.get.cache_clear()
    sys.modules.pop("dispatch", None)


@pytest.mark.parametrize(
    "name", ["docs/examples/dispatch.py:DISPATCH", "docs.examples.dispatch:DISPATCH"]
)
def test_the_contract_is_named_by_file_or_module(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(root)
    assert contracts.get(name).name == "dispatch"


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("X = 1", "X", "is no Contract but of type int"),
        ("X = 1", "Y", "has no object `Y`; its contracts: none"),
        ("X = (", "X", "cannot be loaded: SyntaxError"),
        ("1 / 0", "X", "cannot be loaded: ZeroDivisionError"),
        (f"{IMPORTS}X = Contract(name='x')", "X", "'models'"),
        (f"{IMPORTS}X = flat_row({{'a b': int, 'a': bool}})", "X", "the field a stands twice"),
    ],
)
def test_a_file_without_the_contract_is_one_clear_error(
    tmp_path: Path, text: str, name: str, words: str
) -> None:
    file = tmp_path / "json.py"  # never mistaken for the module of that name
    file.write_text(text, "utf-8")
    with pytest.raises(ContractError) as raised:
        contracts.get(f"{file}:{name}")
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_may_write_its_model_as_a_class_with_late_annotations(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(LATE, "utf-8")
    contract = contracts.get(f"{file}:MINE")
    assert contract.validate({"seq": 1, "ok": True, "ms": 2}) == {"seq": 1, "ok": True, "ms": 2.0}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('("seq",)', '("seq")', "contract mine: identity must be a tuple"),
        ('("ok",)', "()", "contract mine: group must name at least one field"),
        ('"ms", "ms", "ms"', '"ms", "took", "ms"', "contract mine: metrics name `took`"),
    ],
)
def test_a_slip_in_a_contract_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(LATE.replace(old, new), "utf-8")
    with pytest.raises(ContractError) as raised:
        contracts.get(f"{file}:MINE")
    assert str(raised.value).startswith(words)


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(ContractError, match=r"contract nowhere\.py: there is no such file"):
        contracts.get("nowhere.py:X")


@pytest.mark.usefixtures("found_anew")
def test_a_package_registers_a_contract_by_name(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "mybench-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: mybench\nVersion: 1\n")
    points = "[benchdata.contracts]\ndispatch = dispatch:DISPATCH\n"
    (package / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(root / "docs" / "examples")
    assert "dispatch" in contracts.names()
    assert contracts.get("dispatch").identity == ("series_id", "seq")
