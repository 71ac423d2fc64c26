"""An executed notebook as one HTML file: it opens offline, asks for nothing, runs no text of a row.

Its only two scripts are our own. Charts are images first and are drawn again from their specs; the
expression interpreter needs no eval.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import vl_convert
from markupsafe import Markup
from nbformat import NotebookNode

from benchdata.charts.bundle import VEGA_LITE
from benchdata.charts.theme import config
from benchdata.errors import ReportError
from benchdata.reports import document
from benchdata.reports.cells import Block, Code, Figure, Markdown, Text, blocks, parameters
from benchdata.reports.document import asset, script_json
from benchdata.reports.pictures import Pictures
from benchdata.reports.prose import Outline, prose
from benchdata.reports.tables import RULES, Table

IMAGE_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')
CELL_CLASSES = {align: f'class="{align}"' for align in RULES}


@dataclass(frozen=True)
class Banner:
    """A warning at the top of the page; its `label` stands above every printed one."""

    label: str
    text: str


def render(
    notebook: NotebookNode,
    *,
    title: str,
    banners: Sequence[Banner] = (),
    lead: Sequence[str] = (),
    footer: Sequence[str] = (),
) -> str:
    """Return the page of an executed notebook: the same bytes for the same input.

    `lead` are the first lines, `footer` the last, one paragraph each. Raises ReportError when a
    cell failed or a chart is not whole.
    """
    return draw(
        blocks(notebook),
        title=title,
        banners=banners,
        lead=lead,
        footer=footer,
        given=parameters(notebook),
    )


def draw(
    content: Sequence[Block],
    *,
    title: str,
    banners: Sequence[Banner] = (),
    lead: Sequence[str] = (),
    footer: Sequence[str] = (),
    given: Mapping[str, str] | None = None,
    facts: Mapping[str, str] | None = None,
) -> str:
    """Return the page of blocks in order; `given` are parameters to show, by name.

    `facts` are what the page says of itself to a program.
    """
    outline = Outline(title)
    parts = [_part(block, outline) for block in content]
    charted = any(part["kind"] == "chart" for part in parts)
    return document.drawn(
        "reports/page.html.j2",
        title=title,
        style=asset(document.STYLE) + _running_head(banners),
        scripts=[_bundle(), asset("reports/page.js")] if charted else [],
        facts=facts,
        banners=banners,
        lead=lead,
        contents=outline.contents,
        parts=parts,
        parameters=given or {},
        footer=footer,
        dark=Markup(script_json(config(dark=True))),
    )


def _part(block: Block, outline: Outline) -> dict[str, Any]:
    """Return what the template needs of a block; `kind` chooses how it is shown."""
    match block:
        case Markdown(text):
            return {"kind": "prose", "html": Markup(prose(text, outline))}
        case Figure():
            width, height = _size(block)
            image = base64.b64encode(block.svg.encode()).decode()
            spec = Markup(script_json(block.spec))
            return {
                "kind": "chart",
                "figure": block,
                "image": f"data:image/svg+xml;base64,{image}",
                "width": width,
                "height": height,
                "spec": spec,
            }
        case Table(caption=caption):
            return {"kind": "table", "caption": caption, "html": Markup(block.html(CELL_CLASSES))}
        case Pictures():
            return {"kind": "pictures", "pictures": block}
        case Text(text):
            return {"kind": "text", "text": text}
        case Code(source):
            return {"kind": "code", "source": source}


def _size(figure: Figure) -> tuple[str, str]:
    if not (match := IMAGE_SIZE.search(figure.svg)):
        raise ReportError(f"the image of chart {figure.name!r} does not say its size")
    return match[1], match[2]


def _running_head(banners: Sequence[Banner]) -> str:
    """Return the style that repeats the banners' labels above every printed page."""
    words = " · ".join(banner.label for banner in banners)
    if not words:
        return ""
    content = "".join(f"\\{ord(char):x} " for char in words)
    return f'@page {{ @top-left {{ content: "{content}"; font: bold 9pt sans-serif; }} }}\n'


@cache
def _bundle() -> str:
    script: str = vl_convert.javascript_bundle(
        "window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE
    )
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        raise ReportError("the chart library would end its own script element; pin another version")
    return script
