"""`python -m tests.reference.pictures`: make the pictures in docs/images again, light and dark."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.support.browser import DARK, launched, visited
from tests.support.command import ROOT, run

if TYPE_CHECKING:
    from playwright.sync_api import Page

IMAGES = ROOT / "docs" / "images"
COLOURS: Mapping[str, dict[str, Any]] = {"light": {}, "dark": DARK}
WIDTH, HEIGHT = 1280, 900
MARGIN = 32


class Picture(NamedTuple):
    """A picture of the report of shipped rows, from a heading on, else from its start."""

    name: str
    template: str
    heading: str = ""


PICTURES = (
    Picture("report", "jev-social"),
    Picture("leaderboard", "skill-leaderboard", "What each arm adds"),
)


def main() -> None:
    """Make every picture."""
    with TemporaryDirectory() as folder, launched(shutil.which("chromium") or "") as browser:
        for picture in PICTURES:
            done = run("report", picture.template, "--demo", "--out", folder)
            assert done.code == 0, done.err
            (page,) = Path(folder).glob(f"*-{picture.template}-*/report.html")
            for name, colours in COLOURS.items():
                with visited(browser, page.as_uri(), **colours) as visit:
                    visit.drawn()
                    _take(visit.page, picture.heading, IMAGES / f"{picture.name}-{name}.png")


def _take(page: Page, heading: str, file: Path) -> None:
    top = 0.0
    if heading:
        box = page.get_by_role("heading", name=heading).bounding_box()
        assert box is not None
        top = box["y"] - MARGIN
    page.screenshot(
        path=file, full_page=True, clip={"x": 0, "y": top, "width": WIDTH, "height": HEIGHT}
    )


if __name__ == "__main__":
    main()
