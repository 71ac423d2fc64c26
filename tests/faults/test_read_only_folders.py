"""Where a folder cannot be written, a command says so in a line and leaves all as it was."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import ROOT
from tests.support.proven import Proven
from tests.support.sized import DATASETS

pytestmark = [pytest.mark.faults, pytest.mark.slow]

DEMO = str(DATASETS / "jev-social-demo")
COMMANDS = {
    "export": ("export", DEMO, "-o", "rows.parquet"),
    "freeze": ("freeze", DEMO, "--into", "lake"),
    "keep valid": ("validate", DEMO, "--keep-valid", "good.ndjson", "--rejects", "bad.ndjson"),
    "report": ("report", "jev-social", "--demo", "--out", "reports"),
    "site": ("site", "reports", "--out", "site"),
    "init": ("init", "my-bench"),
    "serve": ("serve", "--data", "shared", "--port", "0"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_it_is_one_message_and_nothing_changes(tmp_path: Path, name: str, proven: Proven) -> None:
    bwrap = shutil.which("bwrap")
    assert bwrap, "bubblewrap makes the folder read-only, for root too"
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "reports").mkdir()
    before = sorted(closed.rglob("*"))
    box = [bwrap, "--dev-bind", "/", "/", "--ro-bind", str(closed), str(closed), "--chdir"]
    command = [sys.executable, "-W", "error", "-m", "benchdata", *COMMANDS[name]]
    done = subprocess.run(
        [*box, str(closed), "--setenv", "PYTHONPATH", str(ROOT), *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    *_, last = done.stderr.splitlines()
    assert done.returncode == 1, done
    assert last.startswith("benchdata: ")
    assert "Read-only file system" in last or "read-only" in last.lower()
    assert "Traceback" not in done.stderr
    assert sorted(closed.rglob("*")) == before
    proven(f"read-only folder: {name}", 1, "one message, exit 1, nothing changed")
