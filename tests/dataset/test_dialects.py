"""The views say the same in every dialect, and a contract that one cannot say is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchdata.contracts.meaning import Design
from benchdata.dataset import views
from benchdata.engine.dialects import DUCKDB, SPARK
from benchdata.errors import ContractError
from tests.support.nasty import NASTY
from tests.support.probe import PROBE

GROUPS = Path("groups.parquet")


def test_the_views_have_the_same_names_but_for_those_of_lists() -> None:
    ours, theirs = (
        [
            view.name
            for found in (
                views.of_contract(PROBE, [GROUPS], dialect),
                views.of_single(PROBE, GROUPS, "", dialect),
            )
            for view in found
        ]
        for dialect in (DUCKDB, SPARK)
    )
    assert [name for name in ours if name != "parts"] == theirs


@pytest.mark.parametrize(
    ("changes", "path", "kind"),
    [
        ({"identity": ("run", "wall")}, "wall", "number"),
        ({"design": Design(("arm", "at"))}, "at", "time"),
        ({"design": Design(("arm",), task="size")}, "size", "number"),
        ({"design": Design(("arm",), repeat="place")}, "place", "number"),
        ({"followed": "until"}, "until", "time"),
    ],
)
def test_what_engines_write_unlike_is_refused(
    changes: dict[str, object], path: str, kind: str
) -> None:
    contract = replace(NASTY, **changes)  # type: ignore[arg-type]
    assert [*views.of_single(contract, GROUPS, "", DUCKDB)]
    with pytest.raises(ContractError, match=f"`{path}` is of kind {kind}, which engines write"):
        [*views.of_single(contract, GROUPS, "", SPARK)]
