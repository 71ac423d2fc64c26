"""The guide to a new benchmark: the contract is the one that is written, the commands exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from benchdata import scaffold
from tests.support.options import unknown


@pytest.fixture(scope="module")
def guide(root: Path) -> str:
    return (root / "docs" / "new-benchmark.md").read_text("utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scaffold.create(scaffold.named("lamp-bench"), tmp_path_factory.mktemp("guide"))


def test_the_contract_of_the_guide_is_the_one_that_is_written(guide: str, made: Path) -> None:
    (shown,) = re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    assert shown == (made / "lamp_bench" / "contract.py").read_text("utf-8")


def test_the_files_of_the_guide_are_there(guide: str, made: Path) -> None:
    named = re.findall(r"^\| (.*?) \|", guide, re.MULTILINE)[2:]
    files = [file for cell in named for file in re.findall(r"`(.+?)`", cell)]
    assert len(files) == 8
    assert [file for file in files if not (made / file).exists()] == []


def test_the_commands_of_the_guide_exist(guide: str, made: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    makefile = (made / "Makefile").read_text("utf-8")
    for program, *arguments in lines:
        if program == "make":
            assert f"\n{arguments[0]}:" in makefile
        elif program == "benchdata":
            assert unknown(arguments) == []
