"""The guide to importing says of each format what its code does, field by field."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata.contracts.trial import TrialRow
from benchdata.rows.importing.formats import FORMATS
from benchdata.rows.importing.settings import LABELS, MEASURED
from tests.support.importing import table


@pytest.mark.parametrize("key", FORMATS)
def test_every_format_has_the_table_of_its_fields(root: Path, key: str) -> None:
    guide = (root / "docs" / "importing.md").read_text("utf-8")
    _, _, section = guide.partition(f"\n## {key}\n")
    assert table(FORMATS[key]) in section.partition("\n## ")[0]


def test_what_can_be_set_are_fields_of_a_row() -> None:
    assert {*LABELS, *MEASURED} < TrialRow.model_fields.keys()
