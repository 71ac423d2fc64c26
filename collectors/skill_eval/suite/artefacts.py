"""What a `check.py` asks of the folder that an agent left: `from artefacts import page`.

Only the standard library is used, and poppler and ffmpeg for what they alone can read. The module
runs beside the check in its sandbox, where nothing else of this project is.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

LARGEST = 8 * 1024 * 1024
UNSEEN = {"script", "style", "template", "noscript", "title"}
"""Elements whose text is not on the page."""
FETCHED = {"src", "srcset", "poster", "data"}
"""Attributes that load what they name, in every element."""
LINKING = {"link", "image", "use"}
"""Elements whose `href` loads something."""
OUTSIDE = re.compile(r"^\s*(?:https?:)?//", re.IGNORECASE)
STYLED = re.compile(r"(?:url\(\s*[\"']?|@import\s+[\"'])(?:https?:)?//", re.IGNORECASE)
A4_PT = (595.0, 842.0)
NEAR_PT = 3.0
MOST_PAGES = 50
SVG = "{http://www.w3.org/2000/svg}"


class Page(HTMLParser):
    """An HTML page: its `text` as seen, `tags` counted, `elements` with their attributes."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.tags: Counter[str] = Counter()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self._texts: list[str] = []
        self._unseen = 0
        self.feed(source)
        self.close()

    @property
    def text(self) -> str:
        """All words outside of scripts and styles."""
        return " ".join(self._texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count an element."""
        self.tags[tag] += 1
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._unseen += tag in UNSEEN

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self._unseen -= tag in UNSEEN and self._unseen > 0

    def handle_data(self, data: str) -> None:
        """Keep the words that are seen."""
        if not self._unseen:
            self._texts.append(data)

    def has(self, name: str, *values: str) -> bool:
        """Tell whether an element has an attribute, with one of the values where some are given."""
        found = (kept[name] for _, kept in self.elements if name in kept)
        return any(not values or value in values for value in found)

    def plays(self, *roles: str) -> bool:
        """Tell whether an element has one of the roles, also one that a script is to make."""
        quoted = any(f"{mark}{role}{mark}" in self.source for role in roles for mark in "'\"")
        return quoted or self.has("role", *roles)

    def stands_alone(self) -> bool:
        """Tell whether nothing on the page is fetched from elsewhere."""
        return not STYLED.search(self.source) and not any(
            OUTSIDE.match(value)
            for tag, kept in self.elements
            for name, value in kept.items()
            if name in FETCHED or (name == "href" and tag in LINKING)
        )


def page(path: Path) -> Page | None:
    """Return the page of a file; None where there is none that can be read."""
    text = _text(path)
    return None if text is None else Page(text)


def drawing(path: Path) -> ElementTree.Element | None:
    """Return the root of an SVG file; None where there is none, or it is no well-formed SVG."""
    text = _text(path)
    if text is None or "<!ENTITY" in text:
        return None
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None
    return root if root.tag == f"{SVG}svg" else None


def words_of(root: ElementTree.Element) -> str:
    """Return the words that a drawing shows."""
    return " ".join(part for text in root.iter(f"{SVG}text") for part in text.itertext())


def box_of(root: ElementTree.Element) -> tuple[float, ...]:
    """Return the numbers of a drawing's `viewBox`; none where it is not made of numbers."""
    try:
        return tuple(map(float, root.get("viewBox", "").replace(",", " ").split()))
    except ValueError:
        return ()


def is_described(root: ElementTree.Element) -> bool:
    """Tell whether a drawing has a title and a description for those who cannot see it."""
    return all(root.find(f"{SVG}{name}") is not None for name in ("title", "desc"))


def loads_nothing(root: ElementTree.Element) -> bool:
    """Tell whether a drawing has no script and nothing that is not in its own file."""
    for element in root.iter():
        if element.tag in {f"{SVG}script", f"{SVG}foreignObject"}:
            return False
        names = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        if not names.get("href", "#").startswith(("#", "data:")):
            return False
        if any(STYLED.search(text) for text in (*names.values(), element.text or "")):
            return False
    return True


@dataclass(frozen=True)
class Paper:
    """A PDF: its words, and the size of each page in points."""

    text: str
    sizes: tuple[tuple[float, float], ...]

    @property
    def is_one_a4_page(self) -> bool:
        """Tell whether it is a single page, A4 upright."""
        near = (abs(side - a4) <= NEAR_PT for side, a4 in zip(self.sizes[0], A4_PT, strict=True))
        return len(self.sizes) == 1 and all(near)


def paper(path: Path) -> Paper | None:
    """Return the PDF of a file; None where there is none that can be read."""
    if not _is_small_file(path) or not path.read_bytes().startswith(b"%PDF-"):
        return None
    facts = _said("pdfinfo", "-f", "1", "-l", str(MOST_PAGES), str(path))
    text = _said("pdftotext", "-layout", str(path), "-")
    found = re.findall(r"^Page +\d+ size: +([\d.]+) x ([\d.]+) pts", facts or "", re.MULTILINE)
    if text is None or not found:
        return None
    return Paper(text, tuple((float(width), float(height)) for width, height in found))


@dataclass(frozen=True)
class Film:
    """A film: its size, how many seconds it takes and how many pictures each has."""

    size: tuple[int, int]
    seconds: float
    rate: float


def film(path: Path) -> Film | None:
    """Return the film of a file; None where there is none that can be read."""
    if not _is_small_file(path):
        return None
    asked = "stream=width,height,avg_frame_rate:format=duration"
    told = ("-select_streams", "v", "-of", "json", "-show_entries", asked)
    found = json.loads(_said("ffprobe", "-v", "error", *told, str(path)) or "{}")
    streams, seconds = found.get("streams", ()), found.get("format", {}).get("duration")
    if len(streams) != 1 or seconds is None:
        return None
    shown = streams[0]
    pictures, each = map(int, shown["avg_frame_rate"].split("/"))
    rate = pictures / each if each else 0.0
    return Film((shown["width"], shown["height"]), float(seconds), rate)


def says(text: str, phrases: Iterable[str]) -> bool:
    """Tell whether all phrases stand in a text, white space, case and kinds of dashes apart."""
    whole = _plain(text)
    return all(_plain(phrase) in whole for phrase in phrases)


def _plain(text: str) -> str:
    text = re.sub(
        "[\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}]", "-", text
    )
    text = re.sub("[\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}]", "'", text)
    text = re.sub("[\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}]", '"', text)
    return re.sub(r"[\s\xad\u200b]+", "", text).casefold()


def _is_small_file(path: Path) -> bool:
    return path.is_file() and path.stat().st_size <= LARGEST


def _text(path: Path) -> str | None:
    if not _is_small_file(path):
        return None
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return None


def _said(*command: str) -> str | None:
    """Return what a program says of a file; None where it refuses the file."""
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
