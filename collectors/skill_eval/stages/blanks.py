"""A blank artefact of each render kind: what a judge has to give nothing for."""

from __future__ import annotations

import re
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchdata.errors import BenchdataError, shorten
from collectors.skill_eval.renderers.render import Kind, Render

PAGE = """<!DOCTYPE html>
<!-- {} -->
<html xmlns="http://www.w3.org/1999/xhtml"><head><title></title></head><body></body></html>
"""
"""With its kind in it: blank pages of two kinds are two artefacts. It is XML as well as HTML."""
DRAWING = """<!-- {} -->
<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"></svg>
"""
PAGES = (".html", ".htm", ".xhtml")
MARKUP = {**dict.fromkeys(PAGES, PAGE), ".svg": DRAWING}
SIDE = 64
"""Pixels of a picture and of a video."""
FRAMES = 4
LIMIT_S = 60
HTML: tuple[Kind, ...] = ("reveal", "keyboard", "stacked", "scroll-frame", "page-tile")
"""The kinds that show a page, which can be stripped of its styles and scripts."""
ONE_PAGE = (
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
)
"""The objects of a PDF with an empty page."""
OPEN = "application/vnd.oasis.opendocument."
URN = "urn:oasis:names:tc:opendocument:xmlns:"
CONTENT = (
    f'<office:document-content xmlns:office="{URN}office:1.0" xmlns:draw="{URN}drawing:1.0"'
    f' xmlns:text="{URN}text:1.0" office:version="1.3">'
    "<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
)
MANIFEST = (
    f'<manifest:manifest xmlns:manifest="{URN}manifest:1.0" manifest:version="1.3">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{OPEN}{{kind}}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>"
)
TEXT = (".odt", "text", "<text:p/>")
SLIDES = (".odp", "presentation", '<draw:page draw:name="1"/>')
EMPTY = {".odt": TEXT, ".docx": TEXT, ".odp": SLIDES, ".pptx": SLIDES}
"""What each kind of office file is made from: a document of the office's own format."""


def make(wanted: Render, folder: Path) -> None:
    """Put a blank artefact into `folder`: the one file that a task's rendering shows.

    Raises:
        BenchdataError: Its kind of file cannot be made here.
    """
    place = folder / named(wanted)
    place.parent.mkdir(parents=True, exist_ok=True)
    make_file = MAKERS.get(wanted.kind)
    if make_file is None or place.suffix.lower() in MARKUP:
        text = MARKUP.get(place.suffix.lower(), DRAWING if wanted.kind == "svg" else PAGE)
        place.write_text(text.format(wanted.kind), "utf-8")
    else:
        make_file(place)


def named(wanted: Render) -> str:
    """Return a path that a task's entry names: `*.pdf` becomes `blank.pdf`.

    Where the ending is open, it is what files of this kind have.
    """
    plain = re.sub(r"\[(?!!)([^\]])[^\]]*\]", r"\1", wanted.entry).replace("?", "x")
    if plain.endswith("*"):
        stem = plain[:-1] if plain.endswith(".*") else f"{plain[:-1]}blank."
        plain = stem + ENDINGS.get(wanted.kind, "html")
    return plain.replace("*", "blank")


def _document(place: Path) -> None:
    text, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(ONE_PAGE, 1):
        offsets.append(len(text))
        text += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(text)
    text += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
    text += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(offsets) + 1
    text += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    place.write_bytes(text)


def _image(place: Path) -> None:
    from PIL import Image

    Image.new("RGB", (SIDE, SIDE), "white").save(place, "PNG")


def _video(place: Path) -> None:
    """Write a video as plain as there is: the brightness of every pixel, then its colour.

    What decodes it knows it by its content, whatever the ending is.
    """
    frame = b"FRAME\n" + b"\xeb" * SIDE**2 + b"\x80" * (SIDE**2 // 2)
    place.write_bytes(b"YUV4MPEG2 W%d H%d F1:1 C420jpeg\n" % (SIDE, SIDE) + frame * FRAMES)


def _office(place: Path) -> None:
    suffix = place.suffix.lower()
    if suffix not in EMPTY:
        raise BenchdataError(
            f"{place.name}: a blank file can be made of {', '.join(EMPTY)}; name one of these in"
            " the task's entry"
        )
    own, kind, body = EMPTY[suffix]
    if suffix == own:
        _open_document(place, kind, body)
        return
    with tempfile.TemporaryDirectory(prefix="blank-") as folder:
        source = Path(folder, place.stem).with_suffix(own)
        _open_document(source, kind, body)
        command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless"]
        command += ["--norestore", "--convert-to", suffix[1:], "--outdir", str(place.parent)]
        _made([*command, str(source)], place)


def _open_document(place: Path, kind: str, body: str) -> None:
    with zipfile.ZipFile(place, "w") as package:
        package.writestr("mimetype", OPEN + kind)
        package.writestr("content.xml", CONTENT.format(kind=kind, body=body))
        package.writestr("META-INF/manifest.xml", MANIFEST.format(kind=kind))


def _made(command: Sequence[str], place: Path) -> None:
    """Run a program that makes a file; its exit code alone would prove nothing."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=False
        )
        said = shorten(done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2])
    except (OSError, subprocess.TimeoutExpired) as error:
        said = str(error)
    if not place.is_file():
        raise BenchdataError(f"{place.name}: {command[0]} makes no blank file: {said}")


ENDINGS: Mapping[Kind, str] = {
    "svg": "svg",
    "pdf": "pdf",
    "office": "pptx",
    "video": "y4m",
    "image": "png",
}
MAKERS: Mapping[Kind, Callable[[Path], None]] = {
    "pdf": _document,
    "office": _office,
    "video": _video,
    "image": _image,
}
"""What writes a file that is no markup."""
