"""Small artefacts, rendered as a judge would see them, and the colours of what comes of it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from collectors.harness.sandbox.probe import bubblewrap_fault
from collectors.skill_eval.renderers.needs import lacking
from collectors.skill_eval.renderers.render import Render
from collectors.skill_eval.renderers.rendering import Rendering, render

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")

Files = Mapping[str, str | bytes]
Colour = tuple[int, int, int]
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)
OOXML = "http://schemas.openxmlformats.org"
WORDS = f"{OOXML}/wordprocessingml/2006/main"


def artefact(folder: Path, files: Files) -> Path:
    """Write an artefact's files and return its folder."""
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def drawn(tmp_path: Path, kind: Any, files: Files, **settings: Any) -> Rendering:
    """Render the first of some files; skip the test where this machine cannot."""
    entry = settings.pop("entry", next(iter(files)))
    return draw(artefact(tmp_path / "artefact", files), tmp_path / "out", kind, entry, **settings)


def draw(folder: Path, out: Path, kind: Any, entry: str, **settings: Any) -> Rendering:
    """Render an entry of a folder; skip the test where this machine cannot."""
    if fault := bubblewrap_fault() or lacking(kind):
        pytest.skip(fault)
    return render(folder, Render(kind=kind, entry=entry, **settings), out)


def page(body: str, style: str = "", script: str = "") -> str:
    """Return a page without margins."""
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>A page</title>"
        f"<style>body{{margin:0}}{style}</style></head><body>{body}<script>{script}</script>"
    )


def ground(path: Path) -> Colour:
    """Return the colour that most pixels of a picture have."""
    with Image.open(path) as picture:
        rgb = picture.convert("RGB")
        _, colour = max(rgb.getcolors(1 << 24))
    return (colour[0], colour[1], colour[2])


def grounds(rendering: Rendering) -> list[Colour]:
    """Return the ground of every picture."""
    return [ground(path) for path in rendering.images]


def colours(path: Path) -> set[Colour]:
    """Return all colours of a picture."""
    with Image.open(path) as picture:
        return {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}


def size(path: Path) -> tuple[int, int]:
    """Return width and height of a picture."""
    with Image.open(path) as picture:
        return int(picture.width), int(picture.height)


def plain(colour: str | Colour, sides: tuple[int, int] = (64, 48), form: str = "PNG") -> bytes:
    """Return a picture of one colour."""
    file = io.BytesIO()
    Image.new("RGB", sides, colour).save(file, form)
    return file.getvalue()


def pdf(*colours: Colour) -> bytes:
    """Return a PDF with a page of each colour."""
    count = len(colours)
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
    ]
    for number, colour in enumerate(colours):
        drawing = f"{' '.join(f'{each / 255:g}' for each in colour)} rg 0 0 200 300 re f"
        sheet = f"/Parent 2 0 R /MediaBox [0 0 200 300] /Contents {4 + 2 * number} 0 R"
        objects += [
            f"<< /Type /Page {sheet} >>",
            f"<< /Length {len(drawing)} >> stream\n{drawing}\nendstream",
        ]
    text, places = "%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj {each} endobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    return (text + head + end).encode()


def packed(parts: Files) -> bytes:
    """Return a ZIP file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def docx(*pages: str) -> bytes:
    """Return a document with a text on each page."""
    relation = f"{OOXML}/officeDocument/2006/relationships/officeDocument"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    broken = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
    text = broken.join(f"<w:p><w:r><w:t>{each}</w:t></w:r></w:p>" for each in pages)
    return packed(
        {
            "[Content_Types].xml": (
                f'<Types xmlns="{OOXML}/package/2006/content-types">'
                '<Default Extension="rels"'
                ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
            ),
            "_rels/.rels": (
                f'<Relationships xmlns="{OOXML}/package/2006/relationships">'
                f'<Relationship Id="r" Type="{relation}" Target="word/document.xml"/>'
                "</Relationships>"
            ),
            "word/document.xml": (
                f'<w:document xmlns:w="{WORDS}"><w:body>{text}</w:body></w:document>'
            ),
        }
    )
