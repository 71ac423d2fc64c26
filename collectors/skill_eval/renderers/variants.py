"""Artefacts that try the judge itself: one that shows nothing, one that has lost its looks."""

from __future__ import annotations

import html
import zipfile
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath

from benchdata.errors import BenchdataError
from collectors.harness import trees
from collectors.skill_eval.renderers.entries import entries
from collectors.skill_eval.renderers.failures import RenderFailed
from collectors.skill_eval.renderers.render import Kind, Render

HTML = (".html", ".htm")
PAGE = b'<!doctype html><html lang="en"><head><title></title></head><body></body></html>\n'
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"></svg>\n'
SIDE = 64
"""Pixels of an empty picture and an empty video."""
FRAMES = 4
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
MANIFEST = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
ODT = "application/vnd.oasis.opendocument.text"
PARTS: Mapping[str, str] = {
    "mimetype": ODT,
    "content.xml": (
        f'<office:document-content xmlns:office="{OFFICE}" office:version="1.2">'
        "<office:body><office:text/></office:body></office:document-content>"
    ),
    "META-INF/manifest.xml": (
        f'<manifest:manifest xmlns:manifest="{MANIFEST}" manifest:version="1.2">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{ODT}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
        "</manifest:manifest>"
    ),
}
"""An empty document; `mimetype` stands first."""
OBJECTS = (
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
)
"""An empty page."""


def blank(wanted: Render, folder: Path) -> Render:
    """Write an artefact of the kind of `wanted` that shows nothing, and return how it is shown.

    Raises:
        OSError: It cannot be written to `folder`, which is made if it is not there.
    """
    name, write = BLANK[wanted.kind]
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / name)
    return wanted.model_copy(update={"entry": name})


def stripped(artefact: Path, wanted: Render, folder: Path) -> Render | None:
    """Copy an HTML artefact without styles and scripts, and return how it is shown.

    All pages in it lose their elements `style` and `script`, their links to style sheets, their
    attributes `style` and those that hold scripts; style sheets and scripts stay, and nothing
    refers to them. None, and nothing is copied, when what is shown is no HTML.

    Raises:
        RenderFailed: The artefact cannot be read, or holds no such entry.
    """
    name = entries(artefact, wanted)[0]
    if not _is_page(name):
        return None
    folder.mkdir(parents=True, exist_ok=True)
    try:
        trees.copy(artefact, folder)
        pages = [path for each, path in trees.entries(folder) if _is_page(each)]
    except BenchdataError as error:
        raise RenderFailed(f"the artefact cannot be read: {error}") from None
    for page in pages:
        if not page.is_symlink():
            text = page.read_bytes().decode("utf-8", "surrogateescape")
            page.write_bytes(bare(text).encode("utf-8", "surrogateescape"))
    return wanted.model_copy(update={"entry": name})


def bare(text: str) -> str:
    """Return the text of a page without its styles and scripts, and otherwise as it was."""
    parser = _Bare()
    parser.feed(text)
    parser.close()
    return "".join(parser.kept)


class _Bare(HTMLParser):
    """Keeps the source of what it reads, but for styles and scripts."""

    DROPPED = ("style", "script")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.kept: list[str] = []
        self._inside: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        source = self.get_starttag_text() or ""
        if tag in self.DROPPED:
            self._inside = None if source.endswith("/>") else tag
        elif not (tag == "link" and _loads_style(attrs)):
            self._keep(_tag(tag, attrs, source))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = None
        elif tag not in self.DROPPED:
            self._keep(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._keep(data)

    def handle_entityref(self, name: str) -> None:
        self._keep(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._keep(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        self._keep(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self._keep(f"<!{decl}>")

    def _keep(self, source: str) -> None:
        if self._inside is None:
            self.kept.append(source)


def _loads_style(attrs: list[tuple[str, str | None]]) -> bool:
    told = {name: (value or "").lower() for name, value in attrs}
    words = told.get("rel", "").split()
    return "stylesheet" in words or told.get("as") in _Bare.DROPPED or "modulepreload" in words


def _tag(tag: str, attrs: list[tuple[str, str | None]], source: str) -> str:
    """Return the source of a tag, written anew if an attribute must go."""
    kept = [(name, value) for name, value in attrs if not _acts(name, value)]
    if kept == attrs:
        return source
    written = "".join(
        f" {name}" if value is None else f' {name}="{html.escape(value)}"' for name, value in kept
    )
    return f"<{tag}{written}{'/' if source.endswith('/>') else ''}>"


def _acts(name: str, value: str | None) -> bool:
    """Tell whether an attribute is a style or a script."""
    scripted = (value or "").strip().lower().startswith("javascript:")
    return name == "style" or name.startswith("on") or scripted


def _is_page(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in HTML


def _page(path: Path) -> None:
    path.write_bytes(PAGE)


def _drawing(path: Path) -> None:
    path.write_bytes(DRAWING)


def _pdf(path: Path) -> None:
    content, places = b"%PDF-1.4\n", []
    for number, each in enumerate(OBJECTS, 1):
        places.append(len(content))
        content += b"%d 0 obj %b endobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(OBJECTS) + 1
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(content))
    path.write_bytes(content + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + end)


def _document(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as parts:
        for name, text in PARTS.items():
            parts.writestr(zipfile.ZipInfo(name), text)


def _film(path: Path) -> None:
    """Write a video as plain as there is: the brightness of every pixel, then its colour."""
    frame = b"FRAME\n" + b"\xeb" * SIDE**2 + b"\x80" * (SIDE**2 // 2)
    path.write_bytes(b"YUV4MPEG2 W%d H%d F1:1 C420jpeg\n" % (SIDE, SIDE) + frame * FRAMES)


def _picture(path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (SIDE, SIDE), "white").save(path)


BLANK: Mapping[Kind, tuple[str, Callable[[Path], None]]] = {
    "reveal": ("index.html", _page),
    "keyboard": ("index.html", _page),
    "stacked": ("index.html", _page),
    "scroll-frame": ("index.html", _page),
    "page-tile": ("index.html", _page),
    "svg": ("index.svg", _drawing),
    "pdf": ("index.pdf", _pdf),
    "office": ("index.odt", _document),
    "video": ("index.y4m", _film),
    "image": ("index.png", _picture),
}
"""The file of an empty artefact of each kind, and what writes it."""
