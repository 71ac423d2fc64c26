"""Which contract rows belong to, by its name or by the rows' own keys."""

from __future__ import annotations

import pytest

from benchdata import contracts
from benchdata.errors import BenchdataError, ContractError
from tests.support.jev_social import valid_row
from tests.support.trials import TRIAL, trial


@pytest.mark.parametrize("name", ["jev-social", "jev_social"])
def test_the_shipped_contract_is_found_by_name(name: str) -> None:
    assert contracts.get(name) is contracts.get("jev-social")
    assert "jev-social" in contracts.names()


@pytest.mark.parametrize(
    "name",
    ["", "jev", "no-such", ":", "x:", ":x", "no_such_module:X", "..:x", "a/b.py:X", "json:x"],
)
def test_a_contract_that_is_not_there_is_one_clear_error(name: str) -> None:
    with pytest.raises(BenchdataError) as raised:
        contracts.get(name)
    assert "\n" not in str(raised.value)


def test_rows_are_recognised_by_their_keys() -> None:
    assert contracts.recognise(valid_row(2)).name == "jev-social"
    assert contracts.recognise(valid_row(1)).name == "jev-social"
    some = [key for key in valid_row() if key not in {"region", "evidence"}]
    assert contracts.recognise([*some, "extra"]).name == "jev-social"


@pytest.mark.parametrize("keys", [[], ["a"], [*list(valid_row())[:10], *"abcdefghijk"]])
def test_rows_that_fit_nothing_are_told_how_to_go_on(keys: list[str]) -> None:
    with pytest.raises(ContractError, match=r"fit no contract .*jev-social.*--contract"):
        contracts.recognise(keys)


def test_rows_that_fit_two_contracts_alike_are_not_guessed_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contracts, "names", lambda: ("one", "two"))
    monkeypatch.setattr(contracts, "get", lambda _: TRIAL)
    with pytest.raises(ContractError, match="fit one and two; name one with --contract"):
        contracts.recognise(trial())
