"""Documents on paper: poppler draws PDF, which LibreOffice makes of what an office wrote."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from collectors.skill_eval.renderers.confined import images, programs
from collectors.skill_eval.renderers.confined.order import Evidence, Failed, Order

if TYPE_CHECKING:
    from PIL.Image import Image

LONGER_SIDE = 1600
"""Pixels of a page."""
PDF_S = 40
OFFICE_S = 80
PARTS: Mapping[str, str] = {
    ".pptx": "ppt/presentation.xml",
    ".docx": "word/document.xml",
    ".odp": "content.xml",
    ".odt": "content.xml",
}
"""Kinds of office documents, each with the part that it cannot be without: what has not is no such
document, though LibreOffice would show its bytes as text."""
LARGEST_CONTENT = 256 * 1024**2
"""Bytes of all parts of an office document, unpacked."""
MOST_PARTS = 5000


def pdf(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give one picture a page."""
    yield from _pages(order.first, order, evidence)


def office(order: Order, evidence: Evidence) -> Iterator[Image]:
    """Give one picture a page or slide."""
    _checked(order.first)
    profile = order.scratch / "profile"
    programs.run(
        "soffice",
        f"-env:UserInstallation={profile.as_uri()}",
        *("--headless", "--norestore", "--convert-to", "pdf", "--outdir", order.scratch),
        order.first,
        seconds=OFFICE_S,
        cwd=order.scratch,
    )
    printed = order.scratch / f"{order.first.stem}.pdf"
    if not printed.is_file():
        raise Failed("LibreOffice cannot read the document")
    yield from _pages(printed, order, evidence)


def _checked(path: Path) -> None:
    """See that it is an office document of a size that can be borne, before anything unpacks it."""
    part = PARTS.get(path.suffix.lower())
    if part is None:
        raise Failed(f"kind `office` reads {', '.join(PARTS)}, and not `{path.suffix}`")
    try:
        with zipfile.ZipFile(path) as parts:
            held = {each.filename: each.file_size for each in parts.infolist()}
    except (OSError, ValueError, zipfile.BadZipFile):
        held = {}
    if part not in held:
        raise Failed(f"the file is not what its name says: it holds no {part}")
    if len(held) > MOST_PARTS or sum(held.values()) > LARGEST_CONTENT:
        raise Failed("the document is too large when it is unpacked")


def _pages(path: Path, order: Order, evidence: Evidence) -> Iterator[Image]:
    """Draw the first pages of a PDF."""
    facts = programs.run("pdfinfo", path, seconds=PDF_S, cwd=order.scratch)
    told = dict(line.split(b":", 1) for line in facts.splitlines() if b":" in line)
    count = told.get(b"Pages", b"").strip()
    if not count.isdigit() or int(count) == 0:
        raise Failed("the PDF cannot be read, or has no page")
    if int(count) > order.pictures:
        evidence.add(f"{order.pictures} of {int(count)} pages are shown")
    programs.run(
        "pdftoppm",
        *("-png", "-f", "1", "-l", str(order.pictures), "-scale-to", str(LONGER_SIDE)),
        *(path, order.scratch / "page"),
        seconds=PDF_S,
        cwd=order.scratch,
    )
    drawn = sorted(order.scratch.glob("page-*.png"))
    if len(drawn) < min(int(count), order.pictures):
        raise Failed("a page of the PDF cannot be drawn")
    for page in drawn:
        yield images.opened(page)
