"""Where agent programs are found, and what becomes of one that is not as expected."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchdata.errors import InputError
from collectors.harness.agents import programs
from collectors.harness.agents.codex import Codex
from collectors.harness.agents.registry import driver
from collectors.harness.failures import SetupFailed


def program(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{body}\n")
    path.chmod(0o755)
    return path


def test_a_program_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "PINNED", tmp_path)
    with pytest.raises(SetupFailed, match=r"claude: not found on PATH; .*`make agents`"):
        driver("claude")


def test_an_unknown_agent_is_refused() -> None:
    with pytest.raises(InputError, match="must be one of claude, codex, scripted; did you mean"):
        driver("cluade")


def test_the_pinned_program_is_found_where_path_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = program(tmp_path / "pinned" / "claude", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "PINNED", pinned.parent)
    assert driver("claude").readable() == (pinned.resolve(),)


def test_codex_is_the_executable_behind_its_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor = tmp_path / "node_modules" / "@openai"
    script = program(vendor / "codex" / "bin" / "codex.js", "")
    (tmp_path / "codex").symlink_to(script)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupFailed, match="its executable is missing"):
        Codex.found()
    native = program(vendor / "codex-linux-x64" / "vendor" / "linux" / "bin" / "codex", "")
    assert Codex.found().program == native.resolve()
    assert Codex.found().readable() == (native.resolve().parent.parent,)


@pytest.mark.parametrize(
    ("body", "version"),
    [
        ("print('2.1.332 (Claude Code)')", "2.1.332"),
        ("print('codex-cli 0.171.0')", "0.171.0"),
        ("print('v1.2.3-beta.4+x')", "1.2.3-beta.4+x"),
    ],
)
def test_a_program_names_its_version(tmp_path: Path, body: str, version: str) -> None:
    assert programs.version_of(program(tmp_path / "agent", body)) == version


@pytest.mark.parametrize("body", ["print('hello')", "raise SystemExit(1)", "print(chr(0))"])
def test_a_program_without_a_version_is_refused(tmp_path: Path, body: str) -> None:
    with pytest.raises(SetupFailed, match="agent: --version"):
        programs.version_of(program(tmp_path / "agent", body))
    with pytest.raises(SetupFailed, match="absent: --version"):
        programs.version_of(tmp_path / "absent")


def test_a_program_gets_nothing_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary")
    body = "import os; print('9.9.9' if 'ANTHROPIC_API_KEY' in os.environ else '1.0.0')"
    assert programs.version_of(program(tmp_path / "agent", body)) == "1.0.0"
