"""What a machine must have for a kind, and the name under which Debian has it."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Mapping

from collectors.skill_eval.renderers.render import Kind

PACKAGES: Mapping[str, str] = {
    "chromium": "chromium",
    "soffice": "libreoffice-impress libreoffice-writer",
    "pdftoppm": "poppler-utils",
    "ffmpeg": "ffmpeg",
}
"""Programs, each with the packages to install."""
BROWSER = ("chromium",)
PROGRAMS: Mapping[Kind, tuple[str, ...]] = {
    "reveal": BROWSER,
    "keyboard": BROWSER,
    "stacked": BROWSER,
    "scroll-frame": BROWSER,
    "page-tile": BROWSER,
    "svg": BROWSER,
    "pdf": ("pdftoppm",),
    "office": ("soffice", "pdftoppm"),
    "video": ("ffmpeg", *BROWSER),
    "image": (),
}
MODULES = ("playwright", "PIL")


def lacking(kind: Kind) -> str | None:
    """Say what this machine lacks to render a kind, if it lacks anything but a sandbox."""
    if any(importlib.util.find_spec(name) is None for name in MODULES):
        return 'playwright or Pillow is not installed; pip install "benchdata[render]"'
    for program in PROGRAMS[kind]:
        if shutil.which(program) is None:
            return (
                f"kind `{kind}` needs {program}, which is not on PATH; "
                f"apt-get install {PACKAGES[program]}"
            )
    return None
