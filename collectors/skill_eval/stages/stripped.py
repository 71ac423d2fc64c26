"""A page stripped of its styles and scripts: what a judge has to find worse than the page."""

from __future__ import annotations

import html
from html.parser import HTMLParser
from pathlib import Path

from collectors.harness import trees
from collectors.harness.documents import content

PAGES = (".html", ".htm", ".xhtml")
DROPPED = (".css", ".js", ".mjs")
EMPTIED = ("script", "style")
"""Elements that go with all that they hold."""


def make(artefact: Path, folder: Path) -> None:
    """Copy an artefact to `folder` without its styles and scripts, in files of their own or not.

    Raises:
        BenchdataError: The artefact cannot be copied, or a page in it is larger than 16 MiB.
    """
    trees.copy(artefact, folder)
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        if path.suffix.lower() in DROPPED:
            path.unlink()
        elif path.suffix.lower() in PAGES:
            path.write_text(page(content(path).decode("utf-8", "replace")), "utf-8")


def page(source: str) -> str:
    """Return a page without styles, scripts and handlers; all else is as it was."""
    stripper = _Stripper()
    stripper.feed(source)
    stripper.close()
    return "".join(stripper.kept)


class _Stripper(HTMLParser):
    """Writes a page again as it reads it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.kept: list[str] = []
        self._inside: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag with the attributes that neither style nor act."""
        if tag in EMPTIED:
            self._inside = tag
        elif not _loads_style(tag, dict(attrs)):
            told = "".join(_told(*pair) for pair in attrs if not _acts(pair[0]))
            self.kept.append(f"<{tag}{told}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag that is closed at once; in SVG, only that closes it."""
        if tag not in EMPTIED and not _loads_style(tag, dict(attrs)):
            told = "".join(_told(*pair) for pair in attrs if not _acts(pair[0]))
            self.kept.append(f"<{tag}{told}/>")

    def handle_endtag(self, tag: str) -> None:
        """Keep the end of what was kept."""
        if tag not in EMPTIED:
            self.kept.append(f"</{tag}>")
        self._inside = None

    def handle_data(self, data: str) -> None:
        """Keep text, but not that of a script or style."""
        if self._inside is None:
            self.kept.append(data)

    def handle_entityref(self, name: str) -> None:
        """Keep a named character."""
        self.kept.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Keep a numbered character."""
        self.kept.append(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        """Keep the document type."""
        self.kept.append(f"<!{decl}>")


def _acts(name: str) -> bool:
    """Tell whether an attribute styles or runs something."""
    return name == "style" or name.startswith("on")


def _loads_style(tag: str, attributes: dict[str, str | None]) -> bool:
    return tag == "link" and "stylesheet" in (attributes.get("rel") or "").lower()


def _told(name: str, value: str | None) -> str:
    return f" {name}" if value is None else f' {name}="{html.escape(value)}"'
