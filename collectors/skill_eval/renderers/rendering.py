"""The rendering of one artefact: drawn in a sandbox, from a copy, into a fresh folder."""

from __future__ import annotations

import json
import os
import struct
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from benchdata.errors import BenchdataError, InputError, shorten
from collectors.harness import documents, trees
from collectors.harness.documents import Document
from collectors.harness.failures import SetupFailed
from collectors.harness.program import ROOT
from collectors.harness.sandbox import probe
from collectors.harness.sandbox.provider import Limits, Room, SandboxProvider
from collectors.skill_eval.renderers.entries import entries
from collectors.skill_eval.renderers.failures import RenderFailed
from collectors.skill_eval.renderers.needs import lacking
from collectors.skill_eval.renderers.pictures import LARGEST_FILE, LARGEST_SIDE, sheet
from collectors.skill_eval.renderers.render import BOUNDS, Render
from collectors.skill_eval.renderers.version import render_version

__all__ = ["RenderFailed", "Rendering", "render", "render_version", "sheet"]

LIMITS = Limits(
    memory_bytes=3 * 1024**3,
    processes=512,
    file_bytes=256 * 1024**2,
    open_files=4096,
    output_bytes=1024**2,
)
DRAWER = """
import sys
sys.path.append(sys.argv[1])
from collectors.skill_eval.renderers.confined.main import main
main()
"""
OUT, SCRATCH, HOME = (f"agent/work/{name}" for name in ("out", "scratch", "home"))
ENVIRONMENT = {"PATH": os.defpath, "LANG": "C.UTF-8", "TZ": "UTC"}
MACHINE = ("/var/lib/libreoffice", "/var/cache/fontconfig")
"""What the programs read outside `/usr`: settings of LibreOffice, and the index of fonts."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
HEADER = struct.Struct(">16xII")
"""Of a PNG, as far as width and height."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a person would see of an artefact."""

    images: tuple[Path, ...]
    """PNGs in reading order, `01.png` and on, none over 1800 pixels a side or 4 MiB."""
    blank: bool
    """Whether no picture shows anything: each has one colour."""
    evidence: tuple[str, ...]
    """What the artefact complained of or was refused, at most 20 short lines."""


class Told(Document):
    """The answer of the process that draws."""

    pictures: Annotated[int, Field(ge=1, le=99)] | None = None
    blank: bool = False
    evidence: Annotated[list[str], Field(max_length=20)] = Field(default_factory=list)
    failed: str | None = None
    unable: str | None = None


def render(artefact: Path, wanted: Render, out: Path) -> Rendering:
    """Draw an artefact into `out`, which is made if it is not there.

    The artefact is copied first, so nothing that it does changes it, and drawn where there is
    neither network nor time of day: the same artefact gives the same bytes on one machine. The
    exceptions are a document that asks LibreOffice for today's date, a page that shows what only
    differs from one drawing to the next (a new key, the clock of a worker, this machine's speed),
    and what moves in a `marquee`, in a picture that stands in the page's own text, or by the styles
    of an SVG that is shown as an image.

    Raises:
        RenderFailed: The artefact cannot be drawn, or not within its bounds.
        SetupFailed: This machine cannot draw it: a program or bubblewrap is missing.
        InputError: `out` is not empty.
    """
    fault = lacking(wanted.kind)
    if fault is not None:
        raise SetupFailed(fault)
    sandbox = probe.choose("bubblewrap")
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise InputError(f"{out.name}: is not empty; renderings go to a fresh folder")
    place = Path(tempfile.mkdtemp(prefix="rendering-"))
    try:
        told = _drawn(place, artefact, wanted, sandbox)
        names = [f"{number:02}.png" for number in range(1, (told.pictures or 0) + 1)]
        images = tuple(_kept(place / OUT / name, out / name) for name in names)
    finally:
        trees.remove(place)
    return Rendering(images, told.blank, tuple(shorten(line) for line in told.evidence))


def _drawn(place: Path, artefact: Path, wanted: Render, sandbox: SandboxProvider) -> Told:
    """Have a copy of the artefact drawn below `place`, and return what was told of it."""
    agent = place / "agent"
    for name in (OUT, SCRATCH, HOME):
        (place / name).mkdir(parents=True)
    names = entries(artefact, wanted)
    try:
        trees.copy(artefact, agent / "artefact")
    except BenchdataError as error:
        raise RenderFailed(f"the artefact cannot be read: {error}") from None
    room = Room(agent, _readable(agent / "artefact"), limits=LIMITS)
    order = {
        **wanted.model_dump(exclude={"entry", "most"}),
        "pictures": wanted.pictures,
        "entries": names,
        "folder": sandbox.inside(room, agent / "artefact"),
        "out": sandbox.inside(room, place / OUT),
        "scratch": sandbox.inside(room, place / SCRATCH),
    }
    said, complaint = place / "said", place / "complaint"
    with sandbox.start(
        (sys.executable, "-I", "-B", "-c", DRAWER, str(ROOT)),
        {**ENVIRONMENT, "HOME": sandbox.inside(room, place / HOME)},
        room,
        stdin=json.dumps(order).encode(),
        stdout=said,
        stderr=complaint,
    ) as running:
        seconds = BOUNDS[wanted.kind].seconds
        code = running.wait(seconds)
    if code is None:
        raise RenderFailed(f"the artefact was not drawn within {seconds:g} s")
    return _answer(said.read_bytes(), code)


def _answer(said: bytes, code: int) -> Told:
    """Return the answer of a drawing that came about."""
    try:
        told = documents.parsed(said, Told, "the drawing's answer")
    except BenchdataError:
        raise RenderFailed(f"the drawing of the artefact was ended (exit code {code})") from None
    if told.unable is not None:
        raise SetupFailed(shorten(told.unable))
    if told.pictures is None:
        raise RenderFailed(shorten(told.failed or "there is no picture"))
    return told


def _readable(artefact: Path) -> tuple[Path, ...]:
    """Return what the process that draws may read: itself, its interpreter, and the artefact."""
    here = Path(__file__).parent
    machine = (Path(sys.prefix), Path(sys.base_prefix), *map(Path, MACHINE))
    return (*dict.fromkeys(path for path in machine if path.is_dir()), here, artefact)


def _kept(drawn: Path, place: Path) -> Path:
    """Copy one picture out of the sandbox, which may have been overcome: nothing in it is trusted.

    Raises:
        RenderFailed: It is no PNG of a size that a picture has.
    """
    try:
        with os.fdopen(os.open(drawn, trees.BLIND), "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError:
        content = b""
    sides = (0, 0)
    if content.startswith(SIGNATURE) and len(content) >= HEADER.size:
        sides = HEADER.unpack_from(content)
    if not (min(sides) > 0 and max(sides) <= LARGEST_SIDE and len(content) <= LARGEST_FILE):
        raise RenderFailed("what was drawn is no picture of the allowed size")
    place.write_bytes(content)
    return place
