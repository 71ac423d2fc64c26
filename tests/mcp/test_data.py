"""Which data a server may be given, and that it is read as it is when it is asked about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from benchdata.mcp.data import Data
from tests.support.drawn import demo_rows, write


def test_rows_are_those_of_now(tmp_path: Path) -> None:
    file = write(tmp_path / "rows.ndjson", demo_rows()[:3])
    data = Data.given([str(tmp_path)], None)
    assert data.open(None).rows == 3
    write(file, demo_rows()[:5])
    assert data.open([str(tmp_path)]).rows == 5


def test_a_name_that_is_given_twice_is_one(tmp_path: Path) -> None:
    file = str(write(tmp_path / "rows.ndjson", demo_rows()[:3]))
    assert Data.given([file, file], None).open(None).rows == 3


@pytest.mark.parametrize("name", ["nothing.ndjson", "empty", "*.ndjson"])
def test_what_is_not_there_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BenchdataError, match="^" + name.replace("*", "[*]")):
        Data.given([name], None)


@pytest.mark.parametrize("name", ["-", "pipe"])
def test_what_can_be_read_but_once_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BenchdataError, match=f"^{name}: can be read but once"):
        Data.given([name], None)
