"""Tables of a report: one value that shows itself as HTML in a notebook, as Markdown, and as data.

Cells are text made by one rule (thousands separators, a dash for null), and every form escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from html import escape
from typing import Any, Literal, TypeVar, cast, get_args

import polars as pl

from benchdata.errors import ReportError, printable, shorten
from benchdata.numbers import MISSING, display

Align = Literal["left", "right", "center"]
T = TypeVar("T")
Column = tuple[str, Align, Callable[[T], str]]
"""A column of a table that has a line for each of some things: its head, its side, its cell."""
TABLE_TYPE = "application/vnd.benchdata.table+json"
RULES: dict[Align, str] = {"left": "---", "right": "---:", "center": ":---:"}
# Text that Markdown would read as markup; an underscore inside a word is none.
MARKUP = re.compile(r"[\\`*|\[\]<~]|&(?=#?\w+;)|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])")
# A word longer than this may be broken, or one cell would push the others off a page.
LONG_WORD = re.compile(r"\S{1,24}\s*|\s+")
WIDEST = 300  # characters of a cell
ENTITIES = {"<": "&lt;", "&": "&amp;"}


@dataclass(frozen=True)
class Table:
    """A table as text: `rows` of as many cells as there are `headers`, `align` one a column."""

    caption: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: tuple[Align, ...]

    def __post_init__(self) -> None:
        """Refuse a ragged table."""
        widths = {len(self.headers), len(self.align), *(len(row) for row in self.rows)}
        if len(widths) != 1:
            raise ReportError(f"table {self.caption!r}: rows, headers and align differ in width")
        object.__setattr__(self, "rows", tuple(tuple(map(_line, row)) for row in self.rows))

    def html(self, attribute: Mapping[Align, str]) -> str:
        """Return thead and tbody with all text escaped; `attribute` aligns a cell."""
        marks = [attribute[align] for align in self.align]
        head = _cells("th", [f'scope="col" {mark}' for mark in marks], self.headers)
        body = "\n".join(f"<tr>{_cells('td', marks, row)}</tr>" for row in self.rows)
        return f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>"

    def markdown(self) -> str:
        """Return the table as Markdown, without its caption and a final newline."""
        return markdown_table(self.headers, self.rows, self.align)

    def _repr_html_(self) -> str:
        styles = {align: f'style="text-align: {align}"' for align in RULES}
        return f"<table>\n<caption>{escape(self.caption)}</caption>\n{self.html(styles)}\n</table>"

    def _repr_markdown_(self) -> str:
        return f"**{markdown_text(self.caption)}**\n\n{self.markdown()}"

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:
        """Give the table as data too: the page draws it from this and never copies HTML."""
        data = {
            "align": list(self.align),
            "caption": self.caption,
            "headers": list(self.headers),
            "rows": [list(row) for row in self.rows],
        }
        return {TABLE_TYPE: data}

    def __repr__(self) -> str:
        """Return the Markdown form, which is also the plain text of a notebook."""
        return self._repr_markdown_()


def of_columns(caption: str, columns: Sequence[Column[T]], items: Iterable[T]) -> Table:
    """Return a table of a line for each item."""
    return Table(
        caption,
        tuple(head for head, _, _ in columns),
        tuple(tuple(cell(item) for _, _, cell in columns) for item in items),
        tuple(side for _, side, _ in columns),
    )


def html_table(
    frame: pl.DataFrame,
    *,
    caption: str,
    align: Mapping[str, Align] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Table:
    """Return `frame` as a table for a notebook cell; numbers stand right, everything else left.

    `align` and `headers` name columns that are to stand or be called otherwise.
    """
    chosen, names = align or {}, headers or {}
    if unknown := [name for name in (*chosen, *names) if name not in frame.columns]:
        raise ReportError(f"table {caption!r} has no column {unknown[0]!r}")
    aligned = (
        chosen.get(name, "right" if dtype.is_numeric() else "left")
        for name, dtype in frame.schema.items()
    )
    return Table(
        caption=caption,
        headers=tuple(names.get(name, name) for name in frame.columns),
        rows=tuple(tuple(cell_text(value) for value in row) for row in frame.iter_rows()),
        align=tuple(aligned),
    )


def from_data(data: Mapping[str, Any]) -> Table:
    """Return the table that a notebook holds as data; anything else is refused."""
    try:
        align = tuple(str(each) for each in data["align"])
        if not set(align) <= set(get_args(Align)):
            raise ReportError(f"a table in the notebook is aligned {align}")
        return Table(
            caption=str(data["caption"]),
            headers=tuple(str(header) for header in data["headers"]),
            rows=tuple(tuple(str(cell) for cell in row) for row in data["rows"]),
            align=cast("tuple[Align, ...]", align),
        )
    except (KeyError, TypeError) as error:
        raise ReportError("a table in the notebook is not one of benchdata's") from error


def cell_text(value: Any) -> str:
    """Return one value as a reader wants it: 1,234.5, yes, 2026-01-31 08:00:00 UTC, or a dash."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return display(value)
    if isinstance(value, Decimal):
        return f"{value:,}"
    if isinstance(value, datetime):
        utc = value.astimezone(UTC) if value.tzinfo else value
        return f"{utc:%Y-%m-%d %H:%M:%S} UTC"
    return str(value)


def markdown_table(
    headers: Sequence[str], rows: Iterable[Sequence[str]], align: Sequence[Align]
) -> str:
    """Return a Markdown table without a final newline; no cell can break out of its row."""
    lines = [
        [markdown_text(header) for header in headers],
        [RULES[each] for each in align],
        *([markdown_text(cell) for cell in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def markdown_text(text: str) -> str:
    """Return `text` on one line so that Markdown shows it as it is: no markup, no cell end."""
    return escaped(_line(text))


def escaped(text: str) -> str:
    """Return `text` on one line, of any length, so that Markdown shows it as it is."""
    line = printable(" ".join(text.split()))
    return MARKUP.sub(lambda match: ENTITIES.get(match[0], f"\\{match[0]}"), line)


def _line(text: str) -> str:
    """Return `text` on one line that no cell is too small for, its control characters replaced."""
    return shorten(" ".join(text[: 2 * WIDEST].split()), WIDEST)


def _cells(tag: str, attributes: Iterable[str], texts: Iterable[str]) -> str:
    return "".join(
        f"<{tag} {attribute}>{'<wbr>'.join(map(escape, LONG_WORD.findall(text)))}</{tag}>"
        for attribute, text in zip(attributes, texts, strict=True)
    )
