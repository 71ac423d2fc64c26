"""Carries out the order on standard input: pictures into a folder, one answer on standard output.

The answer holds `failed`, or `unable`, or how many `pictures` there are, whether they are `blank`,
and the `evidence`.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from collectors.skill_eval.renderers import pictures
from collectors.skill_eval.renderers.confined import films, images, pages, papers
from collectors.skill_eval.renderers.confined.order import Evidence, Failed, Order, Unable, tell

if TYPE_CHECKING:
    from PIL.Image import Image

Draw = Callable[[Order, Evidence], Iterator["Image"]]
DRAWN: Mapping[str, Draw] = {
    "reveal": pages.reveal,
    "keyboard": pages.keyboard,
    "stacked": pages.stacked,
    "scroll-frame": pages.scroll_frame,
    "page-tile": pages.page_tile,
    "svg": pages.svg,
    "pdf": papers.pdf,
    "office": papers.office,
    "video": films.video,
    "image": images.image,
}
SHEET = "video"
"""The kind whose pictures are put on one sheet."""
MOST_DATA = 3 * 1024**3
"""Bytes that each process may hold: where no control group can be made, this is the bound."""


def main() -> None:
    """Do it, and answer."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_DATA, MOST_DATA))
    order, evidence = Order.parsed(sys.stdin.read()), Evidence()
    try:
        drawn = list(DRAWN[order.kind](order, evidence))
    except Failed as error:
        tell(failed=str(error))
        return
    except Unable as error:
        tell(unable=str(error))
        return
    if not drawn:
        tell(failed="there is nothing to see in it")
        return
    blank = all(pictures.empty(each) for each in drawn)
    shown = [pictures.arranged(drawn)] if order.kind == SHEET else drawn
    for number, picture in enumerate(shown, 1):
        pictures.write(picture, order.out / f"{number:02}.png")
    tell(pictures=len(shown), blank=blank, evidence=evidence.told())
