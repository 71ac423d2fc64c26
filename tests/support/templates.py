"""Report templates for one test: a cell of parameters, then the cells that the test is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

v4: Any = nbformat.v4  # it carries no types

PARAMETERS = """\
inputs = []
contract = None
title = ""
times = 1
digest = ""
accept_rejects = 0
"""
TAGGED = ("parameters",)
TABLE = """\
from benchdata.reports import open_report
report = open_report(inputs, contract=contract, title=title, digest=digest)
report.tail()
"""


def written(
    file: Path,
    *cells: str,
    parameters: str = PARAMETERS,
    tags: tuple[str, ...] = TAGGED,
    metadata: dict[str, Any] | None = None,
) -> Path:
    """Write a template of these code cells, as Jupyter would, and return its path."""
    first = v4.new_code_cell(parameters, metadata={"tags": list(tags)})
    code = [first, *map(v4.new_code_cell, cells)]
    notebook = v4.new_notebook(cells=code, metadata=metadata or {})
    file.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, file)
    return file
