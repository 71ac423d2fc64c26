"""Plain answers to the held-out tasks: all that was given, set without any care, as files."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.support.drawing import Files

HEAD = '<!doctype html><title>Plain</title><meta name="viewport" content="width=device-width">'
DRAWN = '<svg viewBox="0 0 1 1"></svg>'


def text_of(given: Path) -> str:
    """Return all words of a task's input."""
    files = sorted(path for path in given.iterdir() if path.suffix != ".js")
    return "\n".join(path.read_text("utf-8") for path in files)


def printed(lines: list[str], width: int = 595) -> bytes:
    """Return a PDF of one page, 842 points high; it has no table of places, which readers make."""
    shown = (re.sub(r"([\\()])", r"\\\1", line) for line in lines)
    words = f"BT /F 4 Tf 6 TL 20 820 Td {' '.join(f'({line}) Tj T*' for line in shown)} ET"
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    sheet = f"/Parent 2 0 R /MediaBox [0 0 {width} 842] /Contents 4 0 R"
    text = (
        "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
        "2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n"
        f"3 0 obj << /Type /Page {sheet} /Resources << /Font << /F {font} >> >> >> endobj\n"
        f"4 0 obj << /Length {len(words)} >> stream\n{words}\nendstream endobj\n"
        "trailer << /Root 1 0 R >>\n%%EOF\n"
    )
    return text.encode("cp1252")


def _sections(text: str, number: int, inside: str) -> str:
    empty = f"<section class=slide>{inside}</section>"
    return (
        f"<section class=slide>{inside}{html.escape(text)}{DRAWN}</section>{empty * (number - 1)}"
    )


def _page(given: Path) -> Files:
    sections = _sections(text_of(given), 7, "<h2>Plain</h2>")
    return {"index.html": f"{HEAD}<h1>Plain</h1>{sections}"}


def _deck(given: Path) -> Files:
    slides = _sections(text_of(given), 8, "<h2>Plain</h2>")
    script = (given / "deck.js").read_text("utf-8")
    return {"deck.html": f'{HEAD}{slides}<script src="deck.js"></script>', "deck.js": script}


def _stepper(given: Path) -> Files:
    keys = "ArrowRight ArrowLeft ArrowDown ArrowUp Home End"
    script = f"<script>onkeydown = ({{key}}) => '{keys}'.includes(key)</script>"
    control = f'<div role="slider" tabindex="0">{html.escape(text_of(given))}</div>'
    return {"index.html": f"{HEAD}{control}{DRAWN}{script}"}


def _scrolled(given: Path) -> Files:
    style = "<style>@media (prefers-reduced-motion: reduce) { * { transition: none } }</style>"
    script = "<script>addEventListener('scroll', () => {})</script>"
    body = f'<body style="height: 5000px">{html.escape(text_of(given))}'
    return {"index.html": f"{HEAD}{style}{body}{DRAWN}{script}"}


def _flows(given: Path) -> Files:
    body = f"<title>Plain</title><desc>Plain</desc>{'<path/>' * 15}<text>{{}}</text>"
    text = html.escape(text_of(given))
    space = 'xmlns="http://www.w3.org/2000/svg"'
    return {"flows.svg": f'<svg {space} viewBox="0 0 1200 900">{body.format(text)}</svg>'}


def _sheet(given: Path) -> Files:
    return {"week.pdf": printed(text_of(given).splitlines())}


ANSWERS: Mapping[str, Callable[[Path], Files]] = {
    "seed-fair-page": _page,
    "kiln-stepper": _stepper,
    "cold-store-deck": _deck,
    "energy-flow-chart": _flows,
    "canteen-week-sheet": _sheet,
    "eclipse-scroll": _scrolled,
}
"""By the id of the task: from its input to the files of an answer."""
