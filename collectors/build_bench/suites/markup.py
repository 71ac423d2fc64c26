"""A page as it comes from the server: its elements, their attributes and their text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from collectors.build_bench.suites.api import Failed

TEST_ID = "data-testid"
WITHOUT_END = frozenset({"br", "hr", "img", "input", "link", "meta"})
END_LEFT_OUT = frozenset({"dd", "dt", "li", "option", "p", "td", "th", "tr"})
"""Elements that the next of their kind ends."""


@dataclass(slots=True)
class Element:
    """One element; `texts` are the pieces of text within it."""

    tag: str
    attributes: dict[str, str]
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its text with single spaces."""
        return " ".join("".join(self.texts).split())


class Markup(HTMLParser):
    """The elements of a page in their order; scripts are not run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(text)
        self.close()

    def all(self, test_id: str) -> list[Element]:
        """Return the elements that have a test id."""
        return [each for each in self.elements if each.attributes.get(TEST_ID) == test_id]

    def one(self, test_id: str) -> Element:
        """Return the element that has a test id.

        Raises:
            Failed: There is none, or more than one.
        """
        found = self.all(test_id)
        if len(found) != 1:
            raise Failed(f"the page has {len(found)} elements with the test id {test_id}")
        return found[0]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        if tag in END_LEFT_OUT and self._open and self._open[-1].tag == tag:
            self._open.pop()
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in WITHOUT_END:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        """End the innermost element of a kind, and what is open within it."""
        places = [place for place, each in enumerate(self._open) if each.tag == tag]
        if places:
            del self._open[places[-1] :]

    def handle_data(self, data: str) -> None:
        """Add a piece of text to all that is open."""
        for each in self._open:
            each.texts.append(data)
