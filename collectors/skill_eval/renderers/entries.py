"""Which files of an artefact are shown."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from benchdata.errors import BenchdataError, shorten
from collectors.harness import trees
from collectors.skill_eval.renderers.failures import RenderFailed
from collectors.skill_eval.renderers.render import Kind, Render

PAGES = (".html", ".htm", ".xhtml", ".svg")
SUFFIXES: Mapping[Kind, tuple[str, ...]] = {
    "reveal": PAGES,
    "keyboard": PAGES,
    "stacked": PAGES,
    "scroll-frame": PAGES,
    "page-tile": PAGES,
    "svg": (".svg",),
    "pdf": (".pdf",),
    "office": (".pptx", ".docx", ".odp", ".odt"),
    "video": (".mp4", ".webm", ".mov", ".mkv", ".avi", ".y4m", ".gif", *PAGES),
    "image": (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"),
}
"""What a pattern may name: `film.*` is no style sheet. A path names its file, whatever it is."""


def entries(artefact: Path, wanted: Render) -> tuple[str, ...]:
    """Return the relative paths of the files that `entry` names, in the order of their bytes.

    Raises:
        RenderFailed: There is none, or the folder holds what no artefact may, such as a link that
            leaves it.
    """
    try:
        names = [name for name, path in trees.entries(artefact) if path.is_file()]
    except BenchdataError as error:
        raise RenderFailed(f"the artefact cannot be read: {error}") from None
    if wanted.entry in names:
        return (wanted.entry,)
    suffixes = SUFFIXES[wanted.kind]
    found = tuple(
        name
        for name in names
        if fnmatchcase(name, wanted.entry) and PurePosixPath(name).suffix.lower() in suffixes
    )
    if not found:
        raise RenderFailed(
            f"the artefact holds no file `{shorten(wanted.entry, 120)}` of {', '.join(suffixes)}"
        )
    return found
