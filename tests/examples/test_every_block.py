"""Every block that a reader runs is run: here, by the test of its guide, or there is a reason."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support import pages
from tests.support.command import ROOT
from tests.support.options import unknown
from tests.support.pages import Block
from tests.support.reader import Reader

BY_ITS_TEST: Mapping[str, str] = {
    "docs/build-history.md": "test_build_history_guide.py",
    "docs/collecting.md": "test_collecting_guide.py",
    "docs/lab.md": "test_lab_guide.py",
    "docs/new-benchmark.md": "test_new_benchmark_guide.py",
    "docs/skill-eval.md": "test_skill_eval_guide.py",
    "docs/visual-judge.md": "test_visual_judge_guide.py",
    "docs/your-own-contract.md": "test_own_contract_guide.py",
}
"""Pages with a test of their own, which runs their blocks and looks at what comes of them."""

SERVES = "serves until it is ended; its own tests start it"
INSTALLS = "installs from a registry"
AGENT = "needs an agent's account or a build of 100 MB and more; the tests of collectors run it"
NOT_RUN: Mapping[tuple[str, str], str] = {
    ("README.md", "make report   # sets up"): INSTALLS,
    ("README.md", "benchdata lab "): SERVES,
    ("README.md", "benchdata serve "): SERVES,
    ("README.md", "benchdata mcp "): SERVES,
    ("docs/agents.md", "make agents"): INSTALLS,
    ("docs/agents.md", "dask "): "needs several machines; the tests of the harness start a cluster",
    ("docs/build-bench.md", "benchdata collect build-bench conformance "): AGENT,
    ("docs/build-bench.md", "benchdata collect build-bench self --agent scripted "): AGENT,
    ("docs/build-bench.md", "benchdata collect build-bench self --agent claude "): AGENT,
    ("docs/build-bench.md", "benchdata score replay/"): AGENT,
    ("docs/index.md", "make report"): INSTALLS,
    ("docs/lab.md", "pip install "): INSTALLS,
    ("docs/mcp.md", "pip install "): INSTALLS,
    ("docs/new-benchmark.md", "benchdata init lamp-bench"): INSTALLS,
    ("docs/router.md", "benchdata collect skill-eval router "): AGENT,
    ("docs/serving.md", "benchdata serve "): SERVES,
    ("docs/site.md", "benchdata site reports --out "): "the block after the next makes the reports",
    ("docs/site.md", "rsync "): "sends to a server of the reader's",
    ("docs/spark.md", "pip install "): INSTALLS,
    ("docs/visual-judge.md", "pip install "): INSTALLS,
    ("docs/your-own-contract.md", "python docs/examples/skillsbench.py "): (
        "needs the file that another project published; test_skillsbench.py has it"
    ),
}
"""Blocks that nobody runs as they stand: (page, how it begins), and why."""

PROGRAMS = {"benchdata", "cat", "echo", "mkdir", "python"}
"""What a block may run without a word: nothing that installs, removes or leaves the machine."""

ANSWERED = {"console", "python", "pycon"}
"""Blocks that show what comes of them; of the others that run benchdata, the slow tests see to it
that they work, the quick ones that their options exist."""


def runnable(page: str) -> Iterator[Block]:
    """Yield the blocks of a page that are run here."""
    for block in pages.blocks(page):
        if block.language in pages.RUN and not left_out(block):
            yield block


def left_out(block: Block) -> str:
    """Return why a block is not run; nothing when it is."""
    reasons = (
        reason
        for (page, begins), reason in NOT_RUN.items()
        if page == block.page and block.text.startswith(begins)
    )
    return next(reasons, "")


def is_quick(block: Block) -> bool:
    """Return whether a block shows its answer or only writes files, and makes no report."""
    reports = any(command.startswith("benchdata report ") for command in block.commands)
    return not reports and (block.language in ANSWERED or not block.commands)


HERE = [
    name
    for name in pages.names()
    if name not in BY_ITS_TEST and not name.startswith(pages.GENERATED) and any(runnable(name))
]


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.chdir(tmp_path)
    return Reader(tmp_path)


@pytest.mark.parametrize("page", [page for page in HERE if any(map(is_quick, runnable(page)))])
def test_the_blocks_of_a_page_show_what_comes_of_them(reader: Reader, page: str) -> None:
    for block in filter(is_quick, runnable(page)):
        reader.follows(block)


@pytest.mark.slow
@pytest.mark.parametrize("page", HERE)
def test_so_do_those_that_show_no_answer(reader: Reader, page: str) -> None:
    for block in runnable(page):
        reader.follows(block)


def test_every_command_and_option_exists() -> None:
    every = (block for name in pages.names() for block in pages.blocks(name))
    commands = [
        shlex.split(command.replace("\\\n", " "), comments=True)[1:]
        for block in every
        if block.language in pages.RUN
        for command in block.commands
    ]
    assert len(commands) > 50
    assert [(command, gone) for command in commands if (gone := unknown(command))] == []


def test_a_block_runs_nothing_that_reaches_beyond_the_folder() -> None:
    shells = {"sh", "bash", "console"}
    blocks = (block for page in HERE for block in runnable(page) if block.language in shells)
    other = [(block.page, block.programs - PROGRAMS) for block in blocks]
    assert [(page, programs) for page, programs in other if programs] == []


def test_a_page_with_a_test_of_its_own_is_read_by_it() -> None:
    for page, test in BY_ITS_TEST.items():
        assert Path(page).name in (ROOT / "tests" / "examples" / test).read_text("utf-8")


def test_nothing_is_left_out_that_is_not_there() -> None:
    left = [
        next((block for block in pages.blocks(page) if block.text.startswith(begins)), None)
        for page, begins in NOT_RUN
    ]
    assert None not in left
