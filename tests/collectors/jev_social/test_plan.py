"""The flags of a series: which go together, and which file can take rows."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchdata.errors import BenchdataError
from collectors.jev_social.plan import Plan, plan_of

FILE = "--append: must be a regular file with a name in .ndjson or .jsonl"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_flags_make_a_plan(folder: Path) -> None:
    given = {"--repeat": "10", "--append": "rows.jsonl"}
    assert plan_of(given, "warm") == Plan(10, folder / "rows.jsonl", None)
    assert plan_of(given | {"--between": "x"}, "cold").between == "x"


def test_one_cold_attempt_needs_no_restart(folder: Path) -> None:
    given = {"--repeat": "1", "--append": "rows.ndjson"}
    assert plan_of(given, "cold") == Plan(1, folder / "rows.ndjson", None)


@pytest.mark.parametrize(
    ("condition", "changes", "message"),
    [
        ("warm", {"--append": None}, "--append: is missing"),
        ("warm", {"--repeat": None}, "--repeat: is missing"),
        ("cold", {"--repeat": None, "--append": None, "--between": "x"}, "--repeat: is missing"),
        ("cold", {}, "--repeat: only the first"),
        ("warm", {"--between": "x"}, "--between: restarts the session"),
        *(("warm", {"--repeat": text}, "--repeat: must be") for text in ("", "0", "10001", "+1")),
        *(("warm", {"--repeat": text}, "--repeat: must be") for text in ("1\n", "1_0", "\u0662")),
        *(("warm", {"--append": name}, FILE) for name in ("", ".", ".ndjson", "rows.ndjson.gz")),
        ("warm", {"--append": "x" * 300 + ".ndjson"}, FILE),
    ],
)
def test_flags_that_make_none_are_refused(
    folder: Path, condition: str, changes: dict[str, str | None], message: str
) -> None:
    given = {"--repeat": "2", "--append": "rows.ndjson"} | changes
    with pytest.raises(BenchdataError) as refused:
        plan_of({flag: text for flag, text in given.items() if text is not None}, condition)
    assert str(refused.value).startswith(message)
    assert str(folder) not in str(refused.value)


@pytest.mark.parametrize(
    "make",
    [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path), lambda path: path.symlink_to("/")],
    ids=["folder", "pipe", "loop", "link to a folder"],
)
def test_only_a_regular_file_takes_rows(folder: Path, make: Callable[[Path], None]) -> None:
    make(folder / "rows.ndjson")
    with pytest.raises(BenchdataError, match=FILE):
        plan_of({"--repeat": "2", "--append": "rows.ndjson"}, "warm")
