"""Where the shipped folders are found: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdata import shipped
from benchdata.errors import BenchdataError


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A made-up folder that holds the package and, beside it, a folder `datasets`."""
    (tmp_path / "benchdata").mkdir()
    (tmp_path / "datasets").mkdir()
    monkeypatch.setattr(shipped, "PACKAGE", tmp_path / "benchdata")
    return tmp_path


def test_a_checkout_has_the_folder_beside_the_package(place: Path) -> None:
    (place / "pyproject.toml").touch()
    assert shipped.folder("datasets") == place / "datasets"


def test_an_installed_package_has_the_folder_inside(place: Path) -> None:
    (place / "benchdata" / "datasets").mkdir()
    assert shipped.folder("datasets") == place / "benchdata" / "datasets"


def test_a_folder_of_another_distribution_is_not_taken(place: Path) -> None:
    assert (place / "datasets").is_dir()
    with pytest.raises(BenchdataError, match="datasets/ that ships with benchdata is missing"):
        shipped.folder("datasets")
