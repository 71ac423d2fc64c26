"""Runs every shipped notebook on its own parameters and writes its outputs into it.

`python -m tests.support.notebooks`, then look at the difference: the outputs are what nbval holds
the notebooks to.
"""

from __future__ import annotations

import os
from pathlib import Path

import nbformat

from benchdata.reports import templates
from benchdata.reports.execution import execute, published

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"


def main() -> None:
    """Run and write all notebooks."""
    os.chdir(FOLDER)
    for file in sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(published(execute(templates.find(str(file)), {}), {}), file)


if __name__ == "__main__":
    main()
