"""Pictures side by side: one value that shows itself in a notebook and as data for the page.

Only the bytes of PNG files get onto a page, as they are; nothing of a picture is ever run.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from benchdata.errors import ReportError

PICTURES_TYPE = "application/vnd.benchdata.pictures+json"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
HEADER = struct.Struct(">8s4x4sII")
WIDEST = 2_400
"""The most pixels a side that a browser is asked to decode."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One PNG: its base64 text, its size in pixels, and what it shows for those who cannot see."""

    png: str
    width: int
    height: int
    alt: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The pictures of one thing in reading order, and what must be said of them."""

    title: str
    note: str
    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Pictures:
    """Sheets that stand side by side."""

    caption: str
    sheets: tuple[Sheet, ...]

    def _repr_html_(self) -> str:
        cells = "".join(f"<td>{_sheet_html(sheet)}</td>" for sheet in self.sheets)
        return f"<table><caption>{escape(self.caption)}</caption><tr>{cells}</tr></table>"

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, Any]:
        """Give the pictures as data too: the page draws them from this and never copies HTML."""
        sheets = [
            {
                "title": sheet.title,
                "note": sheet.note,
                "pictures": [{"png": one.png, "alt": one.alt} for one in sheet.pictures],
            }
            for sheet in self.sheets
        ]
        return {PICTURES_TYPE: {"caption": self.caption, "sheets": sheets}}

    def __repr__(self) -> str:
        """Return the words alone."""
        return "\n".join([self.caption, *(f"{one.title}: {one.note}" for one in self.sheets)])


def picture(content: bytes, alt: str) -> Picture:
    """Return a PNG as a picture.

    Raises:
        ReportError: It is no PNG, or too large for a page.
    """
    if len(content) < HEADER.size:
        raise ReportError("a picture is no PNG")
    signature, chunk, width, height = HEADER.unpack_from(content)
    if signature != SIGNATURE or chunk != b"IHDR" or not width or not height:
        raise ReportError("a picture is no PNG")
    if max(width, height) > WIDEST:
        raise ReportError(f"a picture is {width:,} by {height:,} pixels; {WIDEST:,} a side fit")
    return Picture(base64.b64encode(content).decode(), width, height, alt)


def from_data(data: Mapping[str, Any]) -> Pictures:
    """Return the pictures that a notebook holds as data; anything else is refused."""
    try:
        return Pictures(str(data["caption"]), tuple(map(_sheet, data["sheets"])))
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise ReportError("pictures in the notebook are not benchdata's") from error


def _sheet(data: Mapping[str, Any]) -> Sheet:
    drawn = (
        picture(base64.b64decode(one["png"], validate=True), str(one["alt"]))
        for one in data["pictures"]
    )
    return Sheet(str(data["title"]), str(data["note"]), tuple(drawn))


def _sheet_html(sheet: Sheet) -> str:
    drawn = "".join(
        f'<img src="data:image/png;base64,{one.png}" alt="{escape(one.alt)}" width="320">'
        for one in sheet.pictures
    )
    return f"<b>{escape(sheet.title)}</b> {escape(sheet.note)}<br>{drawn}"
