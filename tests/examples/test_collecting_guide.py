"""The guide to collecting: its commands run, through interruptions and a kill, to a report."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchdata.contracts.jev_social import JEV_SOCIAL
from collectors.jev_social.flags import FLAGS
from collectors.jev_social.plan import REPEATING
from tests.support.collecting import alive, wait_until
from tests.support.command import ROOT, Done
from tests.support.intake import rows_of
from tests.support.socai_stand_in import VERSION, calls, direct
from tests.support.stand_ins import stand_ins

GUIDE = (ROOT / "docs" / "collecting.md").read_text("utf-8")
TRY, PINS, COLLECT, DESCRIBE, PUBLISH = re.findall(
    r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL
)
SHOWN = re.findall(r"^```text\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
VARYING = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9-]{10}T[0-9:.]{12}Z")


class Reader:
    """Someone who follows the guide, in a folder that holds what the guide uses of a checkout."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder = folder
        self.bin = folder / "stand-ins" / "bin"
        self.rows = folder / "my-dataset" / "rows.ndjson"
        (folder / "collectors").symlink_to(ROOT / "collectors")
        command = self.bin / "benchdata"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m benchdata "$@"\n', "utf-8")
        command.chmod(0o755)
        self.environment = os.environ | variables | {"PYTHONPATH": str(ROOT)}

    def start(self, *blocks: str) -> subprocess.Popen[str]:
        """Start a shell on blocks of the guide."""
        return subprocess.Popen(
            ["sh", "-c", "".join(blocks)],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )

    def run(self, *blocks: str) -> Done:
        """Run blocks of the guide."""
        process = self.start(*blocks)
        out, err = process.communicate(timeout=180)
        return Done(process.returncode, out, err)

    def collect_until(self, rows: int, number: int) -> str:
        """Collect some rows and then send a signal, as a terminal does; return what was said."""
        search = {"when": "instagram search"}
        direct(self.bin, {"answers": [search | {"times": rows}, search | {"sleep": 60}]})
        process = self.start(PINS, COLLECT)
        wait_until(lambda: self._hanging() != [], 60)
        os.killpg(process.pid, number)
        said = process.communicate(timeout=60)[1]
        wait_until(lambda: not any(map(alive, self._hanging())), 10)
        direct(self.bin, {})
        return said

    def _hanging(self) -> list[int]:
        return [call["pid"] for call in calls(self.bin) if call["rule"] == 1]


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    with stand_ins(tmp_path / "stand-ins") as (_, variables):
        yield Reader(tmp_path, variables)


@pytest.mark.slow
def test_ten_attempts_some_interrupted_and_one_killed_become_a_report(reader: Reader) -> None:
    said = reader.collect_until(2, signal.SIGINT)
    assert set(SHOWN[0].splitlines()) <= set(said.splitlines())
    reader.collect_until(2, signal.SIGTERM)
    assert len(rows_of(reader.rows)) == 6
    reader.collect_until(1, signal.SIGKILL)
    done = reader.run(PINS, COLLECT)
    assert done.code == 2
    told = "".join(done.err.splitlines(keepends=True)[:2])
    assert VARYING.sub("", told) == VARYING.sub("", SHOWN[1])
    (lost,) = set(re.findall("no row: the attempt ([0-9a-f-]{36})", done.err))
    assert lost not in reader.rows.read_text("utf-8")

    rows = [JEV_SOCIAL.validate(row) for row in rows_of(reader.rows)]
    assert (
        sorted(row["stop_reason"] for row in rows) == ["goal_satisfied"] * 8 + ["interrupted"] * 2
    )

    done = reader.run(DESCRIBE)
    assert done.out.startswith("rows.ndjson: 10 rows of jev-social, all valid\n"), done.err
    done = reader.run(PUBLISH)
    assert done.code == 0, done.err
    assert done.out.startswith(SHOWN[2]), done.out
    (page,) = (reader.folder / "reports").glob("*-jev-social-*/report.html")
    text = page.read_text("utf-8")
    assert "Jev Social on Instagram, warm" in text
    assert "SYNTHETIC" in text
    assert "interrupted" in text


def test_the_guide_opens_a_shell_with_stand_ins(root: Path) -> None:
    command = [sys.executable, *shlex.split(TRY)[1:]]
    asked = "socai --version; echo $JEV_SOCIAL_SYSTEM_ONE_URL; exit 3"
    done = subprocess.run(
        command, input=asked, cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    version, url = done.stdout.splitlines()
    assert version == f"socai {VERSION}"
    assert url.startswith("http://127.0.0.1:")


def test_the_guide_names_every_flag() -> None:
    assert [flag for flag in [*FLAGS, *REPEATING] if flag not in GUIDE] == []
