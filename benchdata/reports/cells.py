"""An executed notebook as blocks: prose, charts, tables, pictures, text, code; nothing else.

Only data is taken from outputs. HTML that a cell produced is never copied: its plain text is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from benchdata.charts import CHART_TYPE, SVG_TYPE
from benchdata.errors import ReportError, shorten
from benchdata.reports import pictures
from benchdata.reports.pictures import PICTURES_TYPE, Pictures
from benchdata.reports.tables import TABLE_TYPE, Table, from_data

LEAD_TYPE = "application/vnd.benchdata.lead+json"
NOTEBOOK_ONLY = "notebook-only"
"""The tag of a cell that the page leaves out, for the page says the same at its top."""

PARAMETER_TAGS = frozenset({"parameters", "injected-parameters"})
ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
FIGURE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Markdown:
    """Prose of the author."""

    text: str


@dataclass(frozen=True)
class Figure:
    """One chart: `name` is unique on the page and the name of its file; `svg` its static form."""

    name: str
    title: str
    notes: tuple[str, ...]
    description: str
    svg: str
    spec: Mapping[str, Any]


@dataclass(frozen=True)
class Text:
    """Plain text that a cell printed or returned."""

    text: str


@dataclass(frozen=True)
class Code:
    """The source of a cell."""

    source: str


Block = Markdown | Figure | Table | Pictures | Text | Code


def blocks(notebook: NotebookNode) -> list[Block]:
    """Return the page's blocks in order; a cell's outputs come before its source.

    Raises ReportError when a cell holds an error, so that no half report is ever made.
    """
    names: set[str] = set()
    found: list[Block] = []
    for number, cell in enumerate(notebook.cells, 1):
        if NOTEBOOK_ONLY in cell.metadata.get("tags", ()):
            continue
        if cell.cell_type == "markdown":
            found.append(Markdown(cell.source))
        elif cell.cell_type == "code" and cell.source.strip() and not _is_parameters(cell):
            found.extend(_outputs(cell, number, names))
            found.append(Code(cell.source))
    return found


def figures(notebook: NotebookNode) -> list[Figure]:
    """Return the charts of a notebook, each with the name its file has."""
    return [block for block in blocks(notebook) if isinstance(block, Figure)]


def headline(notebook: NotebookNode) -> tuple[str, list[str]]:
    """Return the title and the first lines, as the notebook's headline gives them; else none."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    data: Mapping[str, Any] = next((o.data for o in outputs if LEAD_TYPE in o.get("data", ())), {})
    title, _, _ = data.get("text/markdown", "").partition("\n")
    return title.removeprefix("# "), list(map(str, data.get(LEAD_TYPE, ())))


def parameters(notebook: NotebookNode) -> dict[str, str]:
    """Return the parameters that were in force, as Python literals; injected ones win.

    Raises ReportError when a cell of parameters is no Python.
    """
    values: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.cell_type != "code" or not _is_parameters(cell):
            continue
        try:
            statements = ast.parse(cell.source).body
        except (SyntaxError, ValueError):
            message = "the cell tagged `parameters` must hold assignments in plain Python only"
            raise ReportError(message) from None
        for statement in statements:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    values[name] = ast.unparse(value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    values[name] = ast.unparse(value)
    return values


def failure(name: str, message: str) -> str:
    """Return what a failed cell says of itself, on one line."""
    return shorten(" ".join(ANSI.sub("", f"{name}: {message}").split()))


def _is_parameters(cell: NotebookNode) -> bool:
    return bool(PARAMETER_TAGS.intersection(cell.metadata.get("tags", ())))


def _outputs(cell: NotebookNode, number: int, names: set[str]) -> Iterator[Block]:
    for output in cell.outputs:
        if output.output_type == "error":
            what = failure(output.ename, output.evalue)
            raise ReportError(f"cell {number} of the notebook failed: {what}")
        if output.output_type == "stream":
            yield Text(_printable(output.text))
        elif block := _block(output.data, number, names):
            yield block


def _block(data: Mapping[str, Any], number: int, names: set[str]) -> Block | None:
    if CHART_TYPE in data:
        return _figure(data, number, names)
    if TABLE_TYPE in data:
        return from_data(data[TABLE_TYPE])
    if PICTURES_TYPE in data:
        return pictures.from_data(data[PICTURES_TYPE])
    if "text/markdown" in data:
        return Markdown(data["text/markdown"])
    if "text/plain" in data:
        return Text(_printable(data["text/plain"]))
    return None


def _figure(data: Mapping[str, Any], number: int, names: set[str]) -> Figure:
    spec = data[CHART_TYPE]
    if not isinstance(spec, dict) or SVG_TYPE not in data:
        raise ReportError(f"cell {number} of the notebook holds a chart without spec or image")
    if _names_remote_data(spec):
        raise ReportError(f"the chart of cell {number} reads its data from an address; embed them")
    title = spec.get("title") or {}
    if not isinstance(title, dict):
        title = {"text": title}
    heading = " ".join(_lines(title.get("text")))
    return Figure(
        name=_unique(str(spec.get("name", "")), names),
        title=heading,
        notes=tuple(_lines(title.get("subtitle"))),
        description=str(spec.get("description") or heading or "Chart"),
        svg=data[SVG_TYPE],
        spec=spec,
    )


def _unique(name: str, names: set[str]) -> str:
    base = name if FIGURE_NAME.fullmatch(name) else "chart"
    unique, number = base, 1
    while unique in names:
        number += 1
        unique = f"{base}_{number}"
    names.add(unique)
    return unique


def _names_remote_data(node: Any) -> bool:
    if isinstance(node, list):
        return any(map(_names_remote_data, node))
    if not isinstance(node, dict):
        return False
    data = node.get("data")
    named = isinstance(data, dict) and "url" in data
    return named or any(_names_remote_data(value) for value in node.values())


def _lines(text: Any) -> list[str]:
    if text is None:
        return []
    return [str(line) for line in text] if isinstance(text, list) else [str(text)]


def _printable(text: str) -> str:
    return CONTROL.sub("\N{REPLACEMENT CHARACTER}", ANSI.sub("", text.replace("\r\n", "\n")))
