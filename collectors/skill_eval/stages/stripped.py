"""A page stripped of its styles and scripts: what a judge has to find worse than the page."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import accumulate, pairwise
from pathlib import Path, PurePosixPath

from benchdata.errors import BenchdataError
from collectors.harness import trees
from collectors.harness.documents import content
from collectors.skill_eval.renderers.entries import entries
from collectors.skill_eval.renderers.render import Render
from collectors.skill_eval.stages.blanks import HTML, PAGES

DROPPED = (".css", ".js", ".mjs")
EMPTIED = ("script", "style")
"""Elements that go with all that they hold, and what links may load."""
Attributes = Sequence[tuple[str, str | None]]


def is_page(artefact: Path, wanted: Render) -> bool:
    """Tell whether what is shown of an artefact is a page: nothing else can be stripped."""
    if wanted.kind not in HTML:
        return False
    try:
        return _is_page(entries(artefact, wanted)[0])
    except BenchdataError:
        return False


def make(artefact: Path, folder: Path) -> None:
    """Copy an artefact to `folder` without its styles and scripts, in files of their own or not.

    Pages need not be UTF-8: all that is not dropped stays byte for byte.

    Raises:
        BenchdataError: The artefact cannot be copied, or a page in it is larger than 16 MiB.
    """
    trees.copy(artefact, folder)
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        if path.suffix.lower() in DROPPED:
            path.unlink()
        elif _is_page(path.name):
            source = content(path).decode("utf-8", "surrogateescape")
            path.write_bytes(page(source).encode("utf-8", "surrogateescape"))


def page(source: str) -> str:
    """Return a page without styles, scripts and handlers; all else is as it was."""
    stripper = _Stripper(source)
    stripper.feed(source)
    stripper.close()
    return stripper.left()


class _Stripper(HTMLParser):
    """Cuts a page where something begins, and keeps or drops what lies between two cuts.

    What is kept is the source itself, so that nothing is spelled anew but a tag that loses
    attributes.
    """

    def __init__(self, source: str) -> None:
        super().__init__()
        self._source = source
        self._lines = [0, *accumulate(len(line) + 1 for line in source.split("\n"))]
        self._cuts: list[tuple[int, str | None]] = []
        self._inside: str | None = None

    def left(self) -> str:
        """Return what is kept."""
        return "".join(
            self._source[start:end] if told is None else told
            for (start, told), (end, _) in pairwise([*self._cuts, (len(self._source), None)])
        )

    def _cut(self, told: str | None = None) -> None:
        """Begin a part: kept as it is, or told in other words, of which there may be none."""
        line, column = self.getpos()
        self._cuts.append((self._lines[line - 1] + column, "" if self._inside else told))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Drop what styles or acts, and keep a tag with the attributes that do neither."""
        source = self.get_starttag_text() or ""
        if tag in EMPTIED:
            self._cut("")
            self._inside = None if source.endswith("/>") else tag
        elif tag == "link" and _loads(dict(attrs)):
            self._cut("")
        else:
            self._cut(_told(source, tag, attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Treat a tag that is closed at once as any other."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Drop the end of what was dropped."""
        self._cut("" if tag in EMPTIED else None)
        if tag == self._inside:
            self._inside = None

    def handle_pi(self, data: str) -> None:
        """Drop what loads the style of an XHTML page."""
        self._cut("" if data.startswith("xml-stylesheet") else None)

    def handle_decl(self, decl: str) -> None:  # noqa: ARG002
        """Keep the document type."""
        self._cut()

    def handle_data(self, data: str) -> None:  # noqa: ARG002
        """Keep text, comments and whatever else is marked up."""
        self._cut()

    handle_comment = unknown_decl = handle_data


def _told(source: str, tag: str, attrs: Attributes) -> str | None:
    """Return a tag without the attributes that style or act, None where it has none."""
    kept = [pair for pair in attrs if not _acts(*pair)]
    if len(kept) == len(attrs):
        return None
    told = "".join(
        f" {name}" if value is None else f' {name}="{html.escape(value)}"' for name, value in kept
    )
    return f"{source[: 1 + len(tag)]}{told}{'/' if source.endswith('/>') else ''}>"


def _acts(name: str, value: str | None) -> bool:
    """Tell whether an attribute styles or runs something."""
    scripted = re.match(r"[\0-\x20]*javascript:", value or "", re.IGNORECASE)
    return name == "style" or name.startswith("on") or scripted is not None


def _loads(attributes: dict[str, str | None]) -> bool:
    """Tell whether a link loads a style or a script, or does so in advance."""
    words = (attributes.get("rel") or "").lower().split()
    ahead = (attributes.get("as") or "").lower() in EMPTIED
    return ahead or "stylesheet" in words or "modulepreload" in words


def _is_page(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in PAGES
