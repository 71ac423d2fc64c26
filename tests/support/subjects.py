"""The parts of a report as its notebook shows them, without a kernel."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import nbformat

from benchdata.charts import compact_spec
from benchdata.reports.report import Report, Several
from benchdata.reports.tables import Table
from tests.support.drawn import Row, write

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CALL = "report."


def parts(report: Report, notebook: str) -> list[Any]:
    """Return what every cell of the notebook shows, charts drawn to specs, in order."""
    cells = nbformat.read(NOTEBOOKS / f"{notebook}.ipynb", as_version=4).cells
    found: list[Any] = []
    for cell in cells:
        if cell.cell_type == "code" and cell.source.startswith(CALL):
            name, _, arguments = cell.source.removeprefix(CALL).partition("(")
            assert arguments == ")", cell.source
            shown = getattr(report, name)()
            found += shown if isinstance(shown, Several) else [shown]
    return [compact_spec(one) if isinstance(one, alt.TopLevelMixin) else one for one in found]


def charts(shown: Sequence[Any]) -> list[str]:
    """Return the names of the charts in order, each once."""
    return list(dict.fromkeys(one["name"] for one in shown if isinstance(one, dict)))


def captions(shown: Sequence[Any]) -> list[str]:
    """Return the captions of the tables in order."""
    return [one.caption for one in shown if isinstance(one, Table)]


def text(shown: Sequence[Any]) -> str:
    """Return all words, for what must stand nowhere."""
    return "\n".join(json.dumps(one) if isinstance(one, dict) else repr(one) for one in shown)


def saved(folder: Path, rows: Sequence[Row], name: str = "rows.ndjson") -> str:
    """Write rows and return the path."""
    folder.mkdir(parents=True, exist_ok=True)
    return str(write(folder / name, rows))
