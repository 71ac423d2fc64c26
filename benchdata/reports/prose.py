"""Markdown of a notebook as HTML: raw HTML stays text, nothing is fetched, headings keep order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Images are off: one would be a request, and the page allows none.
PARSER = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
TOP, DEEPEST = 2, 6
NOT_WORD = re.compile(r"[^\w]+")


@dataclass
class Outline:
    """The headings of one page in order. `title` is the page's own first-level heading.

    Levels start at 2 and never skip one, whatever the notebook does, so that the page can be read
    by its headings.
    """

    title: str
    entries: list[tuple[int, str, str]] = field(default_factory=list)

    def add(self, level: int, text: str) -> tuple[int, str]:
        """Add a heading and return the level and the identifier it has on the page."""
        last = self.entries[-1][0] if self.entries else TOP - 1
        level = max(TOP, min(level, last + 1, DEEPEST))
        base = NOT_WORD.sub("-", text.casefold()).strip("-") or "section"
        taken = {identifier for _, _, identifier in self.entries}
        identifier, number = f"s-{base}", 1
        while identifier in taken:
            number += 1
            identifier = f"s-{base}-{number}"
        self.entries.append((level, text, identifier))
        return level, identifier

    @property
    def contents(self) -> list[tuple[str, str]]:
        """Give text and identifier of each heading of the second level."""
        return [(text, identifier) for level, text, identifier in self.entries if level == TOP]


def prose(markdown: str, outline: Outline) -> str:
    """Return `markdown` as safe HTML and add its headings to `outline`.

    A first-level heading that repeats the title of the page is left out.
    """
    tokens = PARSER.parse(markdown)
    kept: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token.type != "heading_open":
            kept.append(token)
            position += 1
            continue
        heading = tokens[position : position + 3]
        kept.extend(_placed(heading, outline))
        position += len(heading)
    html: str = PARSER.renderer.render(kept, PARSER.options, {})
    return html


def _placed(heading: Sequence[Token], outline: Outline) -> Sequence[Token]:
    opening, inline, closing = heading
    text = _plain(inline)
    if opening.tag == "h1" and text == outline.title:
        return ()
    level, identifier = outline.add(int(opening.tag[1:]), text)
    opening.tag = closing.tag = f"h{level}"
    opening.attrSet("id", identifier)
    return heading


def _plain(inline: Token) -> str:
    parts = (child.content or " " for child in inline.children or ())
    return " ".join("".join(parts).split())
