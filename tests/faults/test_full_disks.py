"""A disk that is full ends a command with one message, and no file is there half."""

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

BYTES = 16 * 1024
DEMO = str(DATASETS / "jev-social-demo")
COMMANDS = {
    "export": f"export {DEMO} -o rows.ndjson",
    "freeze": f"freeze {DEMO} --into lake",
    "keep valid": f"validate {DEMO} --keep-valid good.ndjson --rejects bad.ndjson",
    "report": "report jev-social --demo --out reports",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_it_is_one_message_and_nothing_half(tmp_path: Path, name: str, proven: Proven) -> None:
    bwrap = shutil.which("bwrap")
    assert bwrap, "bubblewrap makes a small disk"
    small = tmp_path / "small"
    small.mkdir()
    left = "code=$?; find . -type f -size +0; exit $code"
    script = f'"{sys.executable}" -m benchdata {COMMANDS[name]}; {left}'
    box = [bwrap, "--dev-bind", "/", "/", "--size", str(BYTES), "--tmpfs", str(small)]
    done = subprocess.run(
        [*box, "--chdir", str(small), "--setenv", "PYTHONPATH", str(ROOT), "sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (1, ""), done
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    proven(f"full disk: {name}", 1, "one message, exit 1, no file left")
