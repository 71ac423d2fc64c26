"""Runs shipped notebooks on their own parameters and writes their outputs into them.

`python -m tests.support.notebooks`, or with the names of some, then look at the difference: the
outputs are what nbval holds the notebooks to.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat

from benchdata.reports import templates
from benchdata.reports.execution import execute, published

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"


def main(names: Sequence[str]) -> None:
    """Run and write the notebooks of these names, or all."""
    os.chdir(FOLDER)
    chosen = [FOLDER / f"{name}.ipynb" for name in names]
    for file in chosen or sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(published(execute(templates.find(str(file)), {}), {}), file)


if __name__ == "__main__":
    main(sys.argv[1:])
