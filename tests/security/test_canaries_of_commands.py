"""No command tells a secret: what a bad row holds, where files lie, who runs it, what is set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from benchdata.cli import commands
from tests.support.cases import mostly_slow
from tests.support.command import Done, run
from tests.support.intake import lines
from tests.support.jev_social import numbered_row
from tests.support.secrets import MIXED
from tests.support.sized import DATASETS

CANARY = "zqcanary"
SECRET = "sk" + f"-proj-{CANARY}{MIXED[:32]}"
ENVIRONMENT = {
    name: f"{CANARY}-{name}"
    for name in ("OPENROUTER_API_KEY", "ANTHROPIC_API_KEY", "USER", "LOGNAME", "GIT_AUTHOR_NAME")
}
READ_ROWS = {
    "validate": ("validate", "ROWS"),
    "summarize": ("summarize", "ROWS"),
    "gate": ("gate", "ROWS", "--junit", "OUT/gate.xml"),
    "compare": ("compare", "ROWS", "--by", "condition", "--junit", "OUT/compare.xml"),
    "history": ("history", "ROWS"),
    "power": ("power", "ROWS", "--detect", "0.1"),
    "score": ("score", "ROWS", "--preset", "default"),
    "sql": ("sql", "groups", "ROWS"),
    "report": ("report", "samples", "ROWS", "--out", "OUT/reports"),
    "freeze": ("freeze", "ROWS", "--into", "OUT/lake"),
    "export": ("export", "ROWS", "-o", "OUT/rows.parquet"),
}
"""How each command that reads rows is called."""
NO_ROWS = {
    "site": "reads reports; test_files_tell_nothing_of_this_machine makes one",
    "init": "reads nothing; test_files_tell_nothing_of_this_machine has its files",
    "import": "reads other tools' records; tests/rows/importing has them",
    "lab": "opens a notebook on files; tests/cli/test_lab.py",
    "serve": "takes rows by HTTP; tests/server/test_intake.py has its canaries",
    "mcp": "has tools; tests/mcp and tests/collectors/skill_eval/test_mcp_tool.py",
    "collect": "runs collectors; tests/collectors/jev_social/test_canaries.py and the harness",
}
"""Commands that read no rows from files, and where their canaries are."""


def called(command: tuple[str, ...], rows: Path, out: Path) -> Done:
    places = {"ROWS": str(rows), "OUT": str(out)}
    return run(*(places.get(each, each.replace("OUT", str(out))) for each in command))


def test_every_command_is_here() -> None:
    named = get_command(commands()).commands  # type: ignore[attr-defined]
    assert set(named) == set(READ_ROWS) | set(NO_ROWS)


@pytest.mark.parametrize("name", READ_ROWS)
@pytest.mark.parametrize("field", mostly_slow(["region", "jev_model", "socai_commit"]))
def test_a_bad_row_is_named_and_its_value_is_not_told(
    tmp_path: Path, name: str, field: str
) -> None:
    rows, out = tmp_path / "rows.ndjson", tmp_path / "out"
    rows.write_bytes(lines([numbered_row(1), numbered_row(2, **{field: SECRET})]))
    done = called(READ_ROWS[name], rows, out)
    assert done.code == 1
    assert f"rows.ndjson:2: {field}: " in done.err
    assert CANARY not in done.out + done.err
    assert not [file for file in written(out) if CANARY.encode() in file.read_bytes()]


def written(folder: Path) -> Iterator[Path]:
    yield from (file for file in folder.rglob("*") if file.is_file())


@pytest.mark.slow
def test_files_tell_nothing_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in ENVIRONMENT.items():
        monkeypatch.setenv(variable, value)
    home = tmp_path / CANARY
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    demo = {"jev-social-demo": "jev.ndjson", "build-run-demo": "build.ndjson"}
    for dataset, name in demo.items():
        (home / name).write_bytes((DATASETS / dataset / "rows.ndjson").read_bytes())
    out = home / "out"
    told = []
    for name, command in READ_ROWS.items():
        rows = home / ("build.ndjson" if name in {"score", "history"} else "jev.ndjson")
        done = called(command, rows, out)
        assert done.code in {0, 2, 3}, (name, done)
        told.append(done.out)
    for command in (
        ("site", str(out / "reports"), "--out", str(out / "site")),
        ("init", "my-bench", "--into", str(out)),
        ("summarize", str(home / "jev.ndjson"), "--format", "html"),
        ("gate", str(home / "jev.ndjson"), "--format", "github"),
        ("export", str(home / "jev.ndjson"), "-o", str(out / "rows.csv")),
    ):
        done = run(*command)
        assert done.code in {0, 3}, (command, done)
        told.append(done.out if command[0] == "summarize" else "")
    assert not [text for text in told if CANARY in text.replace(str(out), "")]
    files = list(written(out))
    assert len(files) > 20
    assert json.loads((out / "lake" / "_manifest.json").read_bytes())["parts"]
    assert not [str(file) for file in files if CANARY.encode() in file.read_bytes()]
