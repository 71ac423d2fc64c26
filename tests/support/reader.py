"""A reader who follows a page block by block, in a folder of their own."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchdata.errors import ANSWER_IS_NO
from tests.support.command import ROOT, Done, run
from tests.support.importing import FIXTURES
from tests.support.pages import Block

QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|\s#.*")
SHELL = re.compile(r"[|&;<>$`*?(){}~]")
"""What only a shell understands; a command without any of it is run in this process."""
DEMOS = ROOT / "datasets"
BROKEN = b'{"schema_version": 2}\n'
PYTHON = '#!/bin/sh\nexec "{}" {} "$@"\n'
# A block goes on after a command that answers no, as a reader does.
BENCHDATA = '#!/bin/sh\n"{}" -m benchdata "$@"\ncode=$?\n[ $code -eq {} ] || exit $code\n'


class Reader:
    """Someone with this checkout's commands and the files that the guides begin with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "page"}
        for name in ("datasets", "docs", "collectors"):
            (folder / name).symlink_to(ROOT / name)
        self._have_files()
        self._have_commands(folder / "bin")

    def _have_files(self) -> None:
        shutil.copytree(DEMOS / "jev-social-demo", self.folder / "my-dataset")
        (self.folder / "jobs").symlink_to(FIXTURES / "harbor")
        rows = (DEMOS / "jev-social-demo" / "rows.ndjson").read_bytes()
        (self.folder / "dirty.ndjson").write_bytes(rows + 2 * BROKEN)
        lines = rows.splitlines(keepends=True)
        (self.folder / "old.ndjson").write_bytes(b"".join(lines[::2]))
        (self.folder / "new.ndjson").write_bytes(b"".join(lines[1::2]))
        for name, demo in (("runs", "skill-run-demo"), ("judgments", "judgment-demo")):
            (self.folder / f"{name}.ndjson").symlink_to(DEMOS / demo / "rows.ndjson")

    def _have_commands(self, bin: Path) -> None:  # noqa: A002 - that is what it is
        bin.mkdir()
        for name, text in (
            ("python", PYTHON.format(sys.executable, "")),
            ("benchdata", BENCHDATA.format(sys.executable, ANSWER_IS_NO)),
        ):
            (bin / name).write_text(text, "utf-8")
            (bin / name).chmod(0o755)
        self.environment = os.environ | {
            "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
        }

    def follows(self, block: Block) -> None:
        """Run a block in the working directory, which must be the reader's folder."""
        if block.language == "console":
            for shown in block.shown:
                done = self._command(shown.command)
                said = (done.out, done.err)  # progress is not shown, an error is
                assert shown.output in said, (block.page, shown.command, said)
        elif block.language == "python":
            exec(compile(block.text, f"{block.page}:{block.line}", "exec"), self.names)
        elif block.language == "pycon":
            self._types(block)
        else:
            for command in block.commands if is_plain(block.text) else (block.text,):
                done = self._command(command)
                assert done.code in {0, None, ANSWER_IS_NO}, (block.page, command, done.err)

    def _command(self, text: str) -> Done:
        if is_plain(text):
            return run(*shlex.split(text.replace("\\\n", " "), comments=True)[1:])
        done = subprocess.run(
            ["sh", "-ec", text],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def _types(self, block: Block) -> None:
        """Type what stands after `>>>` and compare what comes back."""
        where = f"{block.page}:{block.line}"
        test = doctest.DocTestParser().get_doctest(block.text, self.names, where, where, 0)
        said: list[str] = []
        failed = doctest.DocTestRunner().run(test, out=said.append, clear_globs=False).failed
        self.names |= test.globs
        assert not failed, "".join(said)


def is_plain(text: str) -> bool:
    """Return whether a text is commands of benchdata alone, which need no shell."""
    lines = [line for line in text.splitlines() if line]
    ours = all(line.startswith(("benchdata ", " ")) for line in lines)
    return ours and not SHELL.search(QUOTED.sub("", text))
