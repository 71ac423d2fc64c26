"""What a page of ours says at its top: title, warnings and first lines, and its facts as data."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

from benchdata.errors import ReportError
from benchdata.reports import document
from benchdata.reports.manifest import SUMMARY_FACTS

LONGEST = 1024**2
"""Bytes of a page in which its header ends."""


@dataclass(frozen=True, slots=True)
class Label:
    """A warning above a report: one or two words, and the sentence that follows them."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Header:
    """The top of a page; `facts` is the JSON of a summary's page, empty elsewhere."""

    title: str
    labels: tuple[Label, ...]
    lines: tuple[str, ...]
    facts: str


def header(page: bytes) -> Header:
    """Return the top of a page, or raise ReportError when it is no page of ours."""
    top, ended, _ = page[:LONGEST].partition(b"</header>")
    try:
        text = top.decode("utf-8")
    except UnicodeDecodeError:
        raise ReportError("is no UTF-8") from None
    if not (ended and document.is_ours(text)):
        raise ReportError("is no page made by benchdata")
    head, _, rest = text.partition("<style>")
    _, _, shown = rest.partition("<header>")
    found = _Elements(head + shown)
    if not found.title:
        raise ReportError("has no title")
    return Header(found.title, tuple(found.labels), tuple(found.lines), found.facts)


class _Elements(HTMLParser):
    """The elements of a header by what they are; text is collected until its element ends."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.title = ""
        self.labels: list[Label] = []
        self.lines: list[str] = []
        self.facts = ""
        self._said: list[str] = []
        self._name = ""
        self._kind: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in {"h1", "p"}:
            self._said, self._name, self._kind = [], "", given.get("class")
        elif tag == "meta" and given.get("name") == SUMMARY_FACTS:
            self.facts = given.get("content") or ""

    def handle_data(self, data: str) -> None:
        self._said.append(data)

    def handle_endtag(self, tag: str) -> None:
        text = " ".join("".join(self._said).split())
        if tag == "h1":
            self.title = text
        elif tag == "strong":
            self._name, self._said = text, []
        elif tag == "p" and self._kind == "banner":
            self.labels.append(Label(self._name, text))
        elif tag == "p" and self._kind == "lead":
            self.lines.append(text)
