"""The guide to the blind visual judge: its commands run as they stand, and show what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import pytest

from collectors.harness.gateway.script_file import ScriptFile
from collectors.skill_eval.commands import COMMANDS
from collectors.skill_eval.judge.resolving import ENDPOINT
from collectors.skill_eval.renderers.render import Kind
from collectors.skill_eval.stages import artefacts
from collectors.skill_eval.suite.suite import TaskFile, checked, load
from tests.examples.test_skill_eval_guide import Reader, reader
from tests.support.command import ROOT, run
from tests.support.open_tasks import judgments, runs

__all__ = ["reader"]

GUIDE = (ROOT / "docs" / "visual-judge.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
ODDS, _ = re.findall(r"^```text\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
CONSOLES = re.findall(r"^```console\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
(STAND_IN,) = [each for each in CONSOLES if each.startswith("python -m ")]
PORT = "8080"
TASK, SCRIPT = re.findall(r"^```json\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
(CHECK,) = re.findall(r"^```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


@contextmanager
def judging() -> Iterator[str]:
    """Start the judge with the guide's command, and tell the port that it got in 8080's place."""
    argv = STAND_IN.split()[1:]
    argv[argv.index(PORT)] = "0"
    argv = [sys.executable, *argv]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield re.findall(r":(\d+)/", process.stdout.readline())[0]
        finally:
            process.terminate()


@pytest.mark.slow
@pytest.mark.browser
def test_a_skill_becomes_a_report(reader: Reader) -> None:
    with judging() as port:
        done = reader.run(*(block.replace(PORT, port) for block in BLOCKS))
    assert done.code == 3, done.err
    assert ODDS in done.err
    assert "NOT PUBLISHABLE" in done.out
    assert "SYNTHETIC" in done.out
    assert "repeat: holds\nblank: holds\nstripped: holds\n" in done.out
    for stage, number in (("screened", 12), ("held", 24)):
        assert len(runs(reader.folder / stage)) == number
        found = [row for row in judgments(reader.folder / stage) if row["kind"] == "pointwise"]
        assert len(found) == number
        assert {row["outcome"] for row in found} == {"judged"}
    (page,) = (reader.folder / "reports").glob("*-visual-judge-*/report.html")
    assert "local:calm-pages" in page.read_text("utf-8")


def test_a_suite_is_made_as_the_guide_shows(tmp_path: Path) -> None:
    task = tmp_path / "my-suite" / "opening-page"
    (task / "input").mkdir(parents=True)
    (task / "task.json").write_text(TASK, "utf-8")
    (task / "check.py").write_text(CHECK, "utf-8")
    (task.parent / "scripted.json").write_text(SCRIPT, "utf-8")
    (found,) = load(task.parent).tasks
    assert found.id == "opening-page"
    (route,) = ScriptFile.model_validate_json(SCRIPT).routes
    assert route.opening in found.file.prompt
    page = route.replies[0].tool_calls[0].input["content"]
    left = tmp_path / "artefact"
    left.mkdir()
    (left / "index.html").write_text(page, "utf-8")
    assert checked(found, left) is False
    (left / "index.html").write_text(f"{page}<p>Open on Saturdays", "utf-8")
    assert checked(found, left) is True


def test_the_blocks_are_shell(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-n", "-c", "".join(BLOCKS)],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_guide_names_every_command_and_flag() -> None:
    flags = {
        flag
        for name in COMMANDS
        for flag in re.findall(r"--[a-z-]+", run("collect", "skill-eval", name, "--help").out)
    }
    assert "--instrument-check" in flags
    assert [name for name in {*flags, *COMMANDS} - {"--help"} if name not in GUIDE] == []


def test_the_guide_names_the_keys_the_kinds_the_variables_and_the_bounds() -> None:
    named = {*TaskFile.model_fields, *get_args(Kind), ENDPOINT}
    assert [name for name in named if name not in GUIDE] == []
    assert f"{artefacts.MOST_FILES:,} files and {artefacts.LARGEST // 1024**2} MiB" in GUIDE


def test_its_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", GUIDE)
    assert "skill-eval.md" in links
    assert [link for link in links if not (ROOT / "docs" / link).is_file()] == []
