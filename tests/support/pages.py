"""The pages of the documentation: which there are, their fenced blocks, the commands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tests.support.command import ROOT

GENERATED = "docs/reference/"
"""Pages that are made of the code: the examples in them are those of other pages."""
BLOCK = re.compile(
    r"^(?P<fence>```+)(?P<language>\w*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL
)
LINES = re.compile(r"^benchdata (?:[^\n]*\\\n|[^\"\n]*\"[^\"]*\n[^\"]*\")*[^\n]*", re.MULTILINE)
"""A command with the lines that it goes on over: after a backslash, or inside double quotes."""
BEFORE_PIPE = re.compile(r"^(?:\"[^\"]*\"|'[^']*'|[^|<>#\"'])*")
ASSIGNED = re.compile(r"^\w+=\$\(")
HERE = re.compile(r"<<'(\w+)'\n.*?^\1$", re.MULTILINE | re.DOTALL)
"""What a shell block writes into a file."""
RUN = ("sh", "bash", "console", "python", "pycon", "sql")
"""The languages of blocks that a reader runs."""
PROMPT = "$ "


@dataclass(frozen=True, slots=True)
class Shown:
    """A command of a `console` block and what the block says that it prints."""

    command: str
    output: str


@dataclass(frozen=True)
class Block:
    """A fenced block of a page and the line that its fence stands in."""

    page: str
    line: int
    language: str
    text: str

    @cached_property
    def shown(self) -> tuple[Shown, ...]:
        """Return the commands of a `console` block; one goes on over lines that are set in."""
        found = []
        for part in re.split(rf"^{re.escape(PROMPT)}", self.text, flags=re.MULTILINE)[1:]:
            first, *rest = part.splitlines(keepends=True)
            size = next((i for i, line in enumerate(rest) if not line.startswith(" ")), len(rest))
            found.append(Shown("".join([first, *rest[:size]]), "".join(rest[size:])))
        return tuple(found)

    @property
    def commands(self) -> tuple[str, ...]:
        """Return what begins with `benchdata`, a command each, up to its pipe or comment."""
        texts = self._typed() if self.language == "console" else LINES.findall(self.text)
        return tuple(
            BEFORE_PIPE.findall(text)[0].strip() for text in texts if text.startswith("benchdata ")
        )

    @property
    def programs(self) -> set[str]:
        """Return the programs that the lines of a shell block begin with, or its commands."""
        text = "\n".join(self._typed()) or HERE.sub("", self.text)
        lines = (line for line in text.splitlines() if line and not line.startswith((" ", "#")))
        return {ASSIGNED.sub("", line).split()[0] for line in lines}

    def _typed(self) -> list[str]:
        return [shown.command for shown in self.shown]


def names() -> list[str]:
    """Return every page, the README first, relative to the top of the checkout."""
    guides = sorted((ROOT / "docs").rglob("*.md"))
    return ["README.md", *(path.relative_to(ROOT).as_posix() for path in guides)]


def text(page: str) -> str:
    """Return the Markdown of a page."""
    return (ROOT / page).read_text("utf-8")


def blocks(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    markdown = text(page)
    for match in BLOCK.finditer(markdown):
        line = markdown.count("\n", 0, match.start()) + 1
        yield Block(page, line, match["language"], match["text"])
