"""The guide to a user's own contract: its snippets run, its output is what the command prints."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import benchdata
from benchdata.cli.validate import validate
from benchdata.contracts.columns import of_model
from benchdata.errors import RowsInvalid


@pytest.fixture(scope="module")
def example(root: Path) -> Path:
    return root / "docs" / "examples" / "dispatch.py"


@pytest.fixture(scope="module")
def guide(root: Path) -> str:
    return (root / "docs" / "your-own-contract.md").read_text("utf-8")


@pytest.fixture
def rows(guide: str, tmp_path: Path) -> Path:
    (text,) = blocks(guide, "jsonl")
    file = tmp_path / "rows.jsonl"
    file.write_text(text, "utf-8")
    return file


def blocks(guide: str, language: str) -> list[str]:
    """Return the fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)


def after(guide: str, example: Path) -> dict[str, Any]:
    """Return what the snippets define that are not the example's, run after it in order."""
    source = example.read_text("utf-8")
    defined: dict[str, Any] = {}
    exec(compile(source, example.name, "exec", dont_inherit=True), defined)
    for snippet in blocks(guide, "python"):
        if snippet not in source:
            exec(compile(snippet, "guide", "exec", dont_inherit=True), defined)
    return defined


def test_the_guide_shows_the_example_and_explains_each_part(guide: str, example: Path) -> None:
    source = example.read_text("utf-8")
    assert source in blocks(guide, "python")
    parts = set(re.findall(r"^ +(\w+)=", source, re.MULTILINE)) - {"name"}
    prose = re.sub(r"^```.*?^```", "", guide, flags=re.MULTILINE | re.DOTALL)
    assert not [part for part in parts if not re.search(rf"`{part}\b", prose)]


def test_the_guide_shows_what_the_command_prints(
    guide: str,
    example: Path,
    rows: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copy(example, rows.parent)
    monkeypatch.chdir(rows.parent)
    ((command, *shown),) = (block.splitlines() for block in blocks(guide, "console"))
    assert command == "$ benchdata validate --contract dispatch.py:DISPATCH rows.jsonl"
    validate([rows.name], contract="dispatch.py:DISPATCH")
    out, err = capsys.readouterr()
    assert sorted([*out.splitlines(), *err.splitlines()]) == sorted(shown)


def test_the_class_of_the_guide_has_the_column_it_names(guide: str, example: Path) -> None:
    nested = after(guide, example)["Nested"]
    assert [column.name for column in of_model(nested)] == ["seq", "timing_total", "steps_ms"]


def test_the_rule_of_the_guide_is_checked_after_the_fields(
    guide: str, example: Path, rows: Path
) -> None:
    strict = after(guide, example)["STRICT"]
    assert benchdata.open(rows, strict).rows == 3
    early = rows.read_text("utf-8").replace('"completedAtMs":230.0', '"completedAtMs":1.0')
    rows.write_text(early, "utf-8")
    with pytest.raises(RowsInvalid) as raised:
        benchdata.open(rows, strict)
    (fault,) = raised.value.errors
    assert (fault.path, fault.message) == ("completedAtMs", "must not be before enqueued_at_ms")
    rows.write_text(early.replace('"exitCode":1,', '"exitCode":"1",'), "utf-8")
    with pytest.raises(RowsInvalid) as raised:
        benchdata.open(rows, strict)
    assert raised.value.errors[0].path == "exitCode"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"endToEndMs":30.25', '"endToEndMs":"30 ms"'),
        ('"concurrency":2', '"concurrency":"two"'),
        ('"kind":"meta"', '"kind":"summary"'),
    ],
)
def test_the_errors_of_the_guide_are_those_of_the_reader(
    guide: str, example: Path, rows: Path, old: str, new: str
) -> None:
    rows.write_text(rows.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(RowsInvalid) as raised:
        benchdata.open(rows, f"{example}:DISPATCH")
    errors = [str(error).removeprefix(f"{rows.parent}/") for error in raised.value.errors]
    (shown,) = blocks(guide, "text")
    assert set(errors) & set(shown.splitlines())
