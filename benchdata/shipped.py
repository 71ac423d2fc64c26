"""Finds the notebooks and datasets that ship with benchdata, installed or in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from benchdata.errors import BenchdataError

PACKAGE = Path(__file__).resolve().parent


def folder(name: Literal["notebooks", "datasets"]) -> Path:
    """Return the shipped folder: inside the package in a wheel, beside it in a checkout.

    Raises:
        BenchdataError: The installation is incomplete; the message says how to mend it.
    """
    inside, beside = PACKAGE / name, PACKAGE.parent / name
    if inside.is_dir():
        return inside
    # Beside an installed package lie other distributions, one named `datasets` perhaps.
    if (PACKAGE.parent / "pyproject.toml").is_file() and beside.is_dir():
        return beside
    raise BenchdataError(
        f"the folder {name}/ that ships with benchdata is missing: "
        "install benchdata again, or restore the folder in your checkout"
    )
