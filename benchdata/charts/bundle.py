"""What a displayed chart leaves in a notebook: a static SVG for every reader, and its own spec."""

from __future__ import annotations

import json
from typing import Any

import altair as alt
import vl_convert

CHART_TYPE = "application/vnd.benchdata.chart+json"
SVG_TYPE = "image/svg+xml"
LAB_TYPE = "application/vnd.vegalite.v5+json"
"""The newest name under which JupyterLab 4 draws a spec by itself, without a request."""
# As SVG, whose marks say what they are; on a canvas nothing could be read out.
LAB_LOOK = {LAB_TYPE: {"embed_options": {"renderer": "svg", "actions": False}}}
RENDERER = "benchdata"
# "v6.4.1" -> "6.4": the grammar that Altair writes is the one that draws, here and in the page.
VEGA_LITE = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def compact_spec(chart: alt.TopLevelMixin) -> dict[str, Any]:
    """Return the Vega-Lite spec of `chart` with its data embedded and its keys sorted."""
    return _sorted(chart.to_dict())


def static_svg(spec: dict[str, Any]) -> str:
    """Return `spec` drawn as SVG: the same bytes for the same spec, no request, nothing clipped.

    Text is measured with one font and may be drawn with another, so the image must not clip at
    its edge.
    """
    svg: str = vl_convert.vegalite_to_svg(
        json.dumps(spec, allow_nan=False), vl_version=VEGA_LITE, allowed_base_urls=[]
    )
    return svg.replace("<svg ", '<svg style="overflow:visible" ', 1)


def enable(*, live: bool = False) -> None:
    """Show Altair charts of this process as static SVG together with their spec.

    With `live` JupyterLab draws them from the spec, so that they answer the mouse.
    """
    alt.renderers.register(RENDERER, _bundle)
    alt.renderers.enable(RENDERER, live=live)


def _bundle(spec: dict[str, Any], *, live: bool, **_options: Any) -> Any:
    """Return what a notebook keeps of a chart; if `live`, with how JupyterLab is to draw it."""
    ordered = _sorted(spec)
    still = {SVG_TYPE: static_svg(ordered), CHART_TYPE: ordered}
    return (still | {LAB_TYPE: ordered}, LAB_LOOK) if live else still


def _sorted(spec: dict[str, Any]) -> dict[str, Any]:
    ordered: dict[str, Any] = json.loads(json.dumps(spec, sort_keys=True, allow_nan=False))
    return ordered
